import { randomUUID } from 'node:crypto';
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { setTimeout as pause } from 'node:timers/promises';
import { authorization } from './sip-digest.ts';
import { type Heard, readHeard } from './sip-heard.ts';
import { longestWait } from '#tests/support/in-time.ts';

/** Somebody's SIP server at the other end of a trunk, or whoever claims to be it: keeps what it hears, and says what a test wants. */
export interface Provider {
  port: number;
  heard: Heard[];
  send: (text: string) => void;
  answer: (request: Heard, status: number, body?: string, phrase?: string) => void;
  next: (holds: (heard: Heard) => boolean) => Promise<Heard>;
  /** Calls in by digest: without credentials first, then with those given. @returns the answer that is not a challenge, nor provisional */
  call: (number: string, more?: CallIn) => Promise<CallOut>;
  close: () => void;
}
interface CallIn {
  from?: string;
  name?: string;
  credentials?: { login: string; password: string };
}
/** A call made by a provider. */
export interface CallOut {
  id: string;
  /** Waits for what answers the INVITE last sent. */
  answered: (status: number) => Promise<Heard>;
  /** A request within the dialog that an answer opened. */
  within: (method: string, answer: Heard, body?: string, type?: string) => void;
}

export const plainSdp = [
  'v=0',
  'o=- 1 1 IN IP4 127.0.0.1',
  's=-',
  'c=IN IP4 127.0.0.1',
  't=0 0',
  'm=audio 40000 RTP/AVP 0 101',
  'a=rtpmap:0 PCMU/8000',
  'a=rtpmap:101 telephone-event/8000',
  '',
].join('\r\n');

const challenged = [401, 407];

export async function openProvider(serverPort: () => number): Promise<Provider> {
  const socket: Socket = createSocket('udp4');
  const heard: Heard[] = [];
  let from: RemoteInfo | null = null;
  socket.on('message', (data, remote) => {
    from = remote;
    if (data.length > 8) heard.push(readHeard(data.toString()));
  });
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done));
  const { port } = socket.address();
  const send = (text: string): void => socket.send(text, from?.port ?? serverPort(), '127.0.0.1');
  const taken = new Set<Heard>();
  const next = async (holds: (heard: Heard) => boolean): Promise<Heard> => {
    const begun = performance.now();
    for (;;) {
      const one = heard.find((each) => !taken.has(each) && holds(each));
      if (one) {
        taken.add(one);
        return one;
      }
      if (performance.now() - begun > longestWait)
        throw new Error(`the provider waited in vain: ${heard.map(({ text }) => text.split('\r\n', 1)[0]).join(' | ')}`);
      await pause(10);
    }
  };
  const write = (method: string, uri: string, lines: readonly string[], body = ''): void =>
    send(`${[`${method} ${uri} SIP/2.0`, ...lines, `Content-Length: ${Buffer.byteLength(body)}`].join('\r\n')}\r\n\r\n${body}`);
  const via = (): string => `Via: SIP/2.0/UDP 127.0.0.1:${port};branch=z9hG4bK${randomUUID()}`;

  const call: Provider['call'] = async (number, { from: own = '84951112233', name = 'Outside', credentials } = {}) => {
    const id = randomUUID();
    const uri = `sip:${number}@127.0.0.1`;
    const caller = `From: "${name}" <sip:${own}@127.0.0.1>;tag=a`;
    const contact = `Contact: <sip:out@127.0.0.1:${port}>`;
    const invite = (seq: number, more: readonly string[] = []): void =>
      write(
        'INVITE',
        uri,
        [
          via(),
          'Max-Forwards: 70',
          caller,
          `To: <${uri}>`,
          `Call-ID: ${id}`,
          `CSeq: ${seq} INVITE`,
          contact,
          ...more,
          'Content-Type: application/sdp',
        ],
        plainSdp,
      );
    const answered = (status: number): Promise<Heard> =>
      next((one) => one.of('call-id') === id && one.status === status && one.cseq.method === 'INVITE');
    const within: CallOut['within'] = (method, answer, body = '', type = 'application/dtmf-relay') =>
      write(
        method,
        /<([^>]+)>/.exec(answer.of('contact'))?.[1] ?? uri,
        [
          via(),
          'Max-Forwards: 70',
          caller,
          `To: ${answer.of('to')}`,
          `Call-ID: ${id}`,
          `CSeq: ${method === 'ACK' ? answer.cseq.number : answer.cseq.number + 1} ${method}`,
          ...(body === '' ? [] : [`Content-Type: ${type}`]),
        ],
        body,
      );
    invite(1);
    if (credentials) {
      const asked = await next((one) => one.of('call-id') === id && challenged.includes(one.status ?? 0));
      within('ACK', asked);
      const [challenge = ''] = asked.headers.get('proxy-authenticate') ?? asked.headers.get('www-authenticate') ?? [];
      const { login, password } = credentials;
      invite(2, [`Proxy-Authorization: ${authorization(challenge, { number: login, password, method: 'INVITE', uri })}`]);
    }
    return { id, answered, within };
  };

  return {
    port,
    heard,
    send,
    answer: (request, status, body = '', phrase = 'Said') => {
      const vias = (request.headers.get('via') ?? []).map((one) => `Via: ${one}\r\n`).join('');
      const to = request.of('to').includes('tag=') ? request.of('to') : `${request.of('to')};tag=theirs`;
      const type = body === '' ? '' : 'Content-Type: application/sdp\r\n';
      send(
        `SIP/2.0 ${status} ${phrase}\r\n${vias}From: ${request.of('from')}\r\nTo: ${to}\r\nCall-ID: ${request.of('call-id')}\r\nCSeq: ${request.of('cseq')}\r\nContact: <sip:theirs@127.0.0.1:${port}>\r\n${type}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
    },
    next,
    call,
    close: () => socket.close(),
  };
}

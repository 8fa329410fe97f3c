import { createSocket, type Socket } from 'node:dgram';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { someSdp } from './sip-compose.ts';
import type { LegEvent, SipLeg } from '#server/telephony/sip/leg.ts';
import type { Trunk } from '#server/telephony/sip/trunk.ts';
import { authorization } from './sip-digest.ts';
import { type Heard, readHeard } from './sip-heard.ts';
import { openTestSip, record, sipPassword, type TestSip, until } from './sip-support.ts';
import { longestWait } from '#tests/support/in-time.ts';

const times = { t1: 20, t2: 80, t4: 100, reattach: 300, offer: 400 };
let server: TestSip;
let trunks: string[] = [];
const trunk: Trunk = { id: 'trunk', name: 'Line', projectId: 'of the trunk', groups: [], panelCalls: false, panelKeys: false };
beforeAll(async () => {
  server = await openTestSip({
    times,
    config: {
      host: '127.0.0.1',
      tls: null,
      publicUrl: 'http://localhost:8080',
      socketsPerIp: 1_000,
      trustedProxies: false,
      sipPort: 0,
      sipUdp: { host: '127.0.0.1', port: 0 },
    },
    trunkAt: async (address) => (trunks.includes(address) ? trunk : null),
  });
});
afterAll(() => server.close());

/** A plain phone, or another server: sends and hears datagrams. `drop`: what is lost on the way to it. */
class Plain {
  readonly heard: Heard[] = [];
  drop: (heard: Heard) => boolean = () => false;
  readonly #socket: Socket;
  readonly #at: number;
  port = 0;

  private constructor(socket: Socket, at: number) {
    this.#socket = socket;
    this.#at = at;
    socket.on('message', (data) => {
      const one = readHeard(data.toString());
      if (!this.drop(one)) this.heard.push(one);
    });
  }

  static async open(): Promise<Plain> {
    const plain = new Plain(createSocket('udp4'), server.sip.ports.udp ?? 0);
    await new Promise<void>((resolve) => plain.#socket.bind(0, '127.0.0.1', () => resolve()));
    plain.port = plain.#socket.address().port;
    return plain;
  }

  send(method: string, lines: Record<string, string>, body = ''): void {
    const { uri = 'sip:1700@127.0.0.1', ...headers } = lines;
    const type = body === '' ? {} : { 'Content-Type': 'application/sdp' };
    const all = {
      Via: `SIP/2.0/UDP 10.9.9.9:5060;rport;branch=z9hG4bK${randomUUID()}`,
      'Max-Forwards': '70',
      Contact: `<sip:1700@127.0.0.1:${this.port}>`,
      ...headers,
      ...type,
      'Content-Length': String(body.length),
    };
    this.raw(
      `${method} ${uri} SIP/2.0\r\n${Object.entries(all)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('')}\r\n${body}`,
    );
  }

  raw(text: string): void {
    this.#socket.send(text, this.#at, '127.0.0.1');
  }

  reply(request: Heard, status: number, more: Record<string, string> = {}, body = ''): void {
    const to = request.tag.to === '' ? `${request.of('to')};tag=plain` : request.of('to');
    const type = body === '' ? {} : { 'Content-Type': 'application/sdp' };
    const all = {
      Via: request.of('via'),
      From: request.of('from'),
      To: to,
      'Call-ID': request.of('call-id'),
      CSeq: request.of('cseq'),
      Contact: `<sip:plain@127.0.0.1:${this.port}>`,
      ...more,
      ...type,
      'Content-Length': String(body.length),
    };
    this.raw(
      `SIP/2.0 ${status} Said\r\n${Object.entries(all)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('')}\r\n${body}`,
    );
  }

  async next(holds: (heard: Heard) => boolean, ms = longestWait): Promise<Heard> {
    await until(() => this.heard.some(holds), ms);
    const at = this.heard.findIndex(holds);
    const [one] = this.heard.splice(at, 1);
    if (!one) throw new Error('nothing came');
    return one;
  }

  close(): void {
    this.#socket.close();
  }
}

const lines = (callId: string, cseq: string, more: Record<string, string> = {}) => ({
  From: '<sip:1700@127.0.0.1>;tag=p',
  To: '<sip:1701@127.0.0.1>',
  'Call-ID': callId,
  CSeq: cseq,
  ...more,
});

async function registered(plain: Plain): Promise<void> {
  const more = { uri: 'sip:127.0.0.1', To: '<sip:1700@127.0.0.1>' };
  plain.send('REGISTER', lines('reg', '1 REGISTER', more));
  const asked = await plain.next(({ status }) => status === 401);
  const challenge = asked.headers.get('www-authenticate')?.at(-1) ?? '';
  const proof = authorization(challenge, { number: '1700', password: sipPassword, method: 'REGISTER', uri: 'sip:127.0.0.1' });
  plain.send('REGISTER', lines('reg', '2 REGISTER', { ...more, Authorization: proof }));
  await plain.next(({ status, cseq }) => status === 200 && cseq.number === 2);
}

describe('a plain phone', () => {
  it('registers, learns its own address, and is called; an INVITE, an ACK or a BYE that is lost is sent again (D23, D24)', async () => {
    const plain = await Plain.open();
    await registered(plain);
    const [binding] = server.sip.bindings('1700');
    expect(binding?.kind).toBe('rtp');
    if (!binding) throw new Error('not registered');
    let lost = 0;
    plain.drop = ({ method }) => method === 'INVITE' && (lost += 1) <= 2;
    const leg = server.sip.invite(binding, { from: { number: '700', name: null }, to: { number: '1700', name: null }, sdp: someSdp() });
    const events = record(leg);
    const invite = await plain.next(({ method }) => method === 'INVITE');
    expect(lost).toBeGreaterThanOrEqual(3);
    plain.reply(invite, 180);
    plain.reply(invite, 200, {}, someSdp('plain'));
    await plain.next(({ method }) => method === 'ACK');
    // The ACK could have been lost: the answer comes again, and so does the ACK.
    plain.reply(invite, 200, {}, someSdp('plain'));
    await plain.next(({ method }) => method === 'ACK');
    expect(events).toEqual([{ type: 'progress', status: 180, sdp: null }, { type: 'answered', sdp: someSdp('plain') }, { type: 'confirmed' }]);
    let byes = 0;
    plain.drop = ({ method }) => method === 'BYE' && (byes += 1) <= 1;
    leg.end();
    plain.reply(await plain.next(({ method }) => method === 'BYE'), 200);
    expect(byes).toBeGreaterThanOrEqual(2);
    await until(() => server.sip.load.legs === 0 && server.sip.load.dialogs === 0);
    plain.close();
  });

  it('proves who it is with each call, whatever it registered', async () => {
    const plain = await Plain.open();
    await registered(plain);
    plain.send('INVITE', lines('call', '1 INVITE', { uri: 'sip:1701@127.0.0.1' }), someSdp());
    const asked = await plain.next(({ status }) => status === 407);
    expect(asked.of('via')).toContain(`rport=${plain.port};received=127.0.0.1`);
    plain.send('ACK', { ...lines('call', '1 ACK', { uri: 'sip:1701@127.0.0.1' }), Via: asked.of('via'), To: asked.of('to') });
    plain.close();
  });

  it.each([
    ['that comes in the end', 3, { type: 'confirmed' }],
    ['that never comes', 1_000, { type: 'ended', end: { by: 'lost', cause: 'timeout', status: null, reason: null } }],
  ] as const)('a call is answered again until its ACK comes: one %s (D24)', async (_, losses, outcome) => {
    const plain = await Plain.open();
    trunks = ['127.0.0.1'];
    const taken: { leg: SipLeg; events: LegEvent[] }[] = [];
    server.sip.onInvite((leg) => {
      taken.push({ leg, events: record(leg) });
      leg.accept(someSdp());
    });
    const callId = `answered ${losses}`.replaceAll(' ', '-');
    plain.send('INVITE', lines(callId, '1 INVITE'), someSdp());
    const begun = performance.now();
    let answers = 0;
    let answer: Heard | null = null;
    while (answers < losses && taken[0]?.leg.state !== 'ended') {
      answer = await plain.next(({ status, cseq }) => status === 200 && cseq.method === 'INVITE', 200).catch(() => answer);
      answers += 1;
    }
    expect(answers).toBeGreaterThanOrEqual(3);
    if (outcome.type === 'confirmed') plain.send('ACK', lines(callId, '1 ACK', { To: answer?.of('to') ?? '' }));
    await until(() => taken[0]?.events.at(-1)?.type === outcome.type);
    expect([taken[0]?.events.at(-1), performance.now() - begun < 64 * times.t1 + 1_000]).toEqual([outcome, true]);
    // Hung up, and the answer to the BYE is lost: it is said again.
    if (outcome.type === 'confirmed') taken[0]?.leg.end();
    const bye = await plain.next(({ method }) => method === 'BYE');
    await plain.next(({ method, cseq }) => method === 'BYE' && cseq.number === bye.cseq.number);
    plain.reply(bye, 200);
    await until(() => server.sip.load.legs === 0 && server.sip.load.dialogs === 0);
    trunks = [];
    plain.close();
  });

  it('who hangs up is told so again where the answer was lost (D23)', async () => {
    const plain = await Plain.open();
    trunks = ['127.0.0.1'];
    server.sip.onInvite((leg) => leg.accept(someSdp()));
    plain.send('INVITE', lines('leaves', '1 INVITE'), someSdp());
    const answer = await plain.next(({ status }) => status === 200);
    const to = { To: answer.of('to') };
    plain.send('ACK', lines('leaves', '1 ACK', to));
    const bye = { ...lines('leaves', '2 BYE', to), Via: `SIP/2.0/UDP 10.9.9.9:5060;rport;branch=z9hG4bKleaves` };
    for (const _ of [1, 2]) {
      plain.send('BYE', bye);
      expect((await plain.next(({ cseq }) => cseq.method === 'BYE')).status).toBe(200);
    }
    await until(() => server.sip.load.legs === 0 && server.sip.load.dialogs === 0);
    trunks = [];
    plain.close();
  });

  it('a refusal is sent again until it is acknowledged', async () => {
    const plain = await Plain.open();
    server.sip.onInvite((leg) => leg.end({ status: 486 }));
    trunks = ['127.0.0.1'];
    const via = { Via: `SIP/2.0/UDP 127.0.0.1:${plain.port};branch=z9hG4bKagain` };
    plain.send('INVITE', { ...lines('again', '1 INVITE'), ...via }, someSdp());
    const refused = await plain.next(({ status }) => status === 486);
    await plain.next(({ status }) => status === 486);
    plain.send('ACK', { ...lines('again', '1 ACK'), ...via, To: refused.of('to') });
    await new Promise((resolve) => setTimeout(resolve, 50));
    plain.heard.length = 0;
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(plain.heard).toEqual([]);
    trunks = [];
    plain.close();
  });
});

it.each([
  ['a method nobody has is answered 501 with those there are', 'FOO', {}, 501, /INVITE.*BYE/],
  ['an escaped control character is answered 400', 'OPTIONS', { uri: 'sip:10%0d%0a@127.0.0.1' }, 400, /^$/],
  ['an escaped NUL of who registers is answered 400', 'REGISTER', { From: '<sip:%00@127.0.0.1>;tag=p' }, 400, /^$/],
])('%s', async (_, method, odd: Record<string, string>, status, allow) => {
  const plain = await Plain.open();
  plain.send(method, lines(randomUUID(), `1 ${method}`, odd));
  const answer = await plain.next((heard) => heard.status !== null);
  expect([answer.status, allow.test(answer.of('allow'))]).toEqual([status, true]);
  plain.close();
});

it('a port that is taken is named', async () => {
  const port = server.sip.ports.udp ?? 0;
  const config = {
    host: '127.0.0.1',
    tls: null,
    publicUrl: 'http://localhost:8080',
    socketsPerIp: 10,
    trustedProxies: false,
    sipPort: 0,
    sipUdp: { host: '127.0.0.1', port },
  } as const;
  await expect(openTestSip({ config })).rejects.toThrow(`127.0.0.1:${port} for SIP over UDP`);
});

it('finds us by the internal address within the local networks, where we listen on all of ours', async () => {
  const config = {
    host: '127.0.0.1',
    tls: null,
    publicUrl: 'http://sip.example:8080',
    socketsPerIp: 10,
    trustedProxies: false,
    sipPort: 0,
    sipUdp: { host: '0.0.0.0', port: 0 },
  } as const;
  const heardOf = async (host: string | null) => {
    const here = await openTestSip({ config, hostFor: () => host });
    const plain = await Plain.open();
    const parties = { from: { number: '1000', name: null }, to: { number: '1', name: null }, sdp: someSdp() };
    here.sip.inviteTrunk({ uri: `sip:1@127.0.0.1:${plain.port}`, address: '127.0.0.1', login: null, password: null }, parties);
    const invite = await plain.next(({ method }) => method === 'INVITE');
    plain.reply(invite, 486);
    await here.close();
    plain.close();
    return [invite.of('contact'), invite.of('via')].map((line) => /(?:@|UDP )([\w.]+)/.exec(line)?.[1]);
  };
  expect(await heardOf('10.0.0.5')).toEqual(['10.0.0.5', '10.0.0.5']);
  expect(await heardOf(null)).toEqual(['sip.example', 'sip.example']);
});

describe('a trunk', () => {
  const call = { from: { number: '1000', name: 'Desk' }, to: { number: '+4912345', name: null }, sdp: someSdp() };

  it('is called, and is told who we are when it asks', async () => {
    const plain = await Plain.open();
    const leg = server.sip.inviteTrunk(
      { uri: `sip:+4912345@127.0.0.1:${plain.port}`, address: '127.0.0.1', login: 'house', password: 'trunk secret' },
      call,
    );
    const events = record(leg);
    const first = await plain.next(({ method }) => method === 'INVITE');
    expect(first.uri).toBe(`sip:+4912345@127.0.0.1:${plain.port}`);
    plain.reply(first, 407, { 'Proxy-Authenticate': 'Digest realm="carrier", nonce="abc", algorithm=MD5, qop="auth"' });
    await plain.next(({ method, cseq }) => method === 'ACK' && cseq.number === 1);
    const second = await plain.next(({ method, cseq }) => method === 'INVITE' && cseq.number === 2);
    const shown = second.of('proxy-authorization');
    const of = (name: string) => new RegExp(`${name}="([^"]+)"`).exec(shown)?.[1] ?? '';
    const proof = authorization('Digest realm="carrier", nonce="abc", algorithm=MD5', {
      number: 'house',
      password: 'trunk secret',
      method: 'INVITE',
      uri: of('uri'),
      cnonce: of('cnonce'),
    });
    expect(of('response')).toBe(/response="([^"]+)"/.exec(proof)?.[1]);
    plain.reply(second, 200, {}, someSdp('far'));
    await plain.next(({ method, cseq }) => method === 'ACK' && cseq.number === 2);
    expect(events.map(({ type }) => type)).toEqual(['answered', 'confirmed']);
    leg.end();
    plain.reply(await plain.next(({ method }) => method === 'BYE'), 200);
    await until(() => server.sip.load.legs === 0 && server.sip.load.dialogs === 0);
    expect(server.logged()).not.toContain('trunk secret');
    plain.close();
  });

  it('asks twice: the call is refused, not tried for ever', async () => {
    const plain = await Plain.open();
    const leg = server.sip.inviteTrunk({ uri: `sip:1@127.0.0.1:${plain.port}`, address: '127.0.0.1', login: 'house', password: 'wrong' }, call);
    const events = record(leg);
    for (const number of [1, 2]) {
      const invite = await plain.next(({ method, cseq }) => method === 'INVITE' && cseq.number === number);
      plain.reply(invite, 401, { 'WWW-Authenticate': `Digest realm="carrier", nonce="n${number}", algorithm=SHA-256, qop="auth"` });
    }
    await until(() => leg.state === 'ended');
    expect(events.at(-1)).toMatchObject({ end: { cause: 'refused', status: 401 } });
    plain.close();
  });

  it('that leads nowhere fails at once', async () => {
    for (const [uri, address] of [
      ['nothing', '127.0.0.1'],
      ['sip:', '127.0.0.1'],
      ['sip:a@b\r\nX-Evil: 1', '127.0.0.1'],
      ['sip:1@carrier.example', null],
    ] as const) {
      const events = record(server.sip.inviteTrunk({ uri, address, login: null, password: null }, call));
      await until(() => events.length === 1);
      expect(events[0]).toMatchObject({ type: 'ended', end: { by: 'lost', cause: 'transport' } });
    }
  });

  it('calls us in the name of its project, from its own address only', async () => {
    const plain = await Plain.open();
    const calls: (string | null)[][] = [];
    server.sip.onInvite((leg, invite) => {
      calls.push([invite.account, invite.projectId, leg.remote.number, leg.kind]);
      leg.end({ status: 404 });
    });
    plain.send('INVITE', lines('stranger', '1 INVITE', { From: '<sip:+491@carrier.example>;tag=c' }), someSdp());
    await plain.next(({ status }) => status === 407);
    trunks = ['127.0.0.1'];
    plain.send('INVITE', lines('carrier', '1 INVITE', { From: '<sip:+491@carrier.example>;tag=d' }), someSdp());
    await plain.next(({ status }) => status === 404);
    expect(calls).toEqual([[null, 'of the trunk', '+491', 'rtp']]);
    trunks = [];
    plain.close();
  });
});

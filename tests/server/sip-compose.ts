import { randomBytes } from 'node:crypto';
import type { Heard } from './sip-heard.ts';

/** An SDP that says little; servers without media take anything. */
export const someSdp = (mark = 'one'): string =>
  [
    'v=0',
    `o=- ${mark.length} 1 IN IP4 127.0.0.1`,
    `s=${mark}`,
    't=0 0',
    'm=audio 9 UDP/TLS/RTP/SAVPF 111',
    'c=IN IP4 0.0.0.0',
    'a=rtpmap:111 opus/48000/2',
    'a=sendrecv',
    '',
  ].join('\r\n');

/** One dialog of the client: what its requests carry. */
export interface ClientCall {
  callId: string;
  local: string;
  remote: string;
  /** Where requests within the dialog go. */
  target: string;
  sequence: number;
  branch: string;
  /** The last INVITE: its CSeq number. */
  invited: number;
  /** Of a call that came in: the INVITE. */
  invite: Heard | null;
}

export const newBranch = (): string => `z9hG4bK${randomBytes(8).toString('hex')}`;

/** What a request says besides its method and address. */
export interface Composed {
  callId: string;
  from: string;
  to: string;
  sequence: number;
  branch?: string;
  headers?: Record<string, string>;
  body?: string;
  type?: string;
}
/** The address of a client as its requests name it. */
export interface Sender {
  /** The host in Via. */
  sentBy: string;
  contact: string;
}

/** A request as text. */
export function compose(method: string, uri: string, how: Composed & Sender): string {
  const { sentBy, contact, callId, from, to, sequence, branch = newBranch(), headers = {}, body = '', type = 'application/sdp' } = how;
  const all: [string, string][] = [
    ['Via', `SIP/2.0/WS ${sentBy};branch=${branch}`],
    ['Max-Forwards', '69'],
    ['From', from],
    ['To', to],
    ['Call-ID', callId],
    ['CSeq', `${sequence} ${method}`],
    ['Contact', `<${contact}>`],
    ...Object.entries(headers),
    ...(body === '' ? [] : ([['Content-Type', type]] as [string, string][])),
    ['Content-Length', String(Buffer.byteLength(body))],
  ];
  return `${method} ${uri} SIP/2.0\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
}

/** An answer to a request that came in, as text; within a call with its tag. */
export function composeReply(request: Heard, status: number, how: Pick<Sender, 'contact'> & Reply): string {
  const { contact, call, body = '', headers = {} } = how;
  const vias = (request.headers.get('via') ?? []).map((via) => `Via: ${via}\r\n`).join('');
  const to = call && request.tag.to === '' ? call.local : request.of('to');
  const more = Object.entries({
    Contact: `<${contact}>`,
    ...headers,
    ...(body !== '' && { 'Content-Type': 'application/sdp' }),
    'Content-Length': String(Buffer.byteLength(body)),
  });
  return `SIP/2.0 ${status} Said\r\n${vias}From: ${request.of('from')}\r\nTo: ${to}\r\nCall-ID: ${request.of('call-id')}\r\nCSeq: ${request.of('cseq')}\r\n${more.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
}
export interface Reply {
  call?: ClientCall;
  body?: string;
  headers?: Record<string, string>;
}

import { dialable } from '#models/sip.ts';
import type { Lines } from './lines.ts';
import type { SipRequest } from './message.ts';

const phrases: Record<number, string> = {
  100: 'Trying',
  180: 'Ringing',
  183: 'Session Progress',
  200: 'OK',
  202: 'Accepted',
  302: 'Moved Temporarily',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  407: 'Proxy Authentication Required',
  408: 'Request Timeout',
  413: 'Request Entity Too Large',
  415: 'Unsupported Media Type',
  416: 'Unsupported URI Scheme',
  420: 'Bad Extension',
  422: 'Session Interval Too Small',
  423: 'Interval Too Brief',
  480: 'Temporarily Unavailable',
  481: 'Call/Transaction Does Not Exist',
  482: 'Loop Detected',
  483: 'Too Many Hops',
  486: 'Busy Here',
  487: 'Request Terminated',
  488: 'Not Acceptable Here',
  489: 'Bad Event',
  491: 'Request Pending',
  500: 'Server Internal Error',
  501: 'Method Not Supported',
  503: 'Service Unavailable',
  505: 'Version Not Supported',
  600: 'Busy Everywhere',
  603: 'Decline',
};
const classes = ['Trying', 'OK', 'Redirect', 'Request Failure', 'Server Failure', 'Global Failure'];

/** The usual words for a status. */
export const phraseOf = (status: number): string => phrases[status] ?? classes[Math.floor(status / 100) - 1] ?? 'Failure';

/** Methods that are answered otherwise than with 405 or 501. */
export const allowed = ['INVITE', 'ACK', 'CANCEL', 'BYE', 'OPTIONS', 'REGISTER', 'UPDATE', 'INFO', 'REFER', 'NOTIFY'] as const;
const known = new Set<string>([...allowed, 'SUBSCRIBE', 'MESSAGE', 'PUBLISH', 'PRACK']);
/** Whether a method is one we have heard of, answered or not. */
export const isKnownMethod = (method: string): boolean => known.has(method);

/** A header to write: name and value. */
export type Header = readonly [name: string, value: string];

// oxlint-disable-next-line no-control-regex -- what no text holds is what is looked for
const controls = /[\u0000-\u001f\u007f]+/g;
/** A value without line breaks or anything else that is no text: nothing given can become a header of its own. */
export const clean = (value: string): string => value.replaceAll(controls, ' ').trim();

const headerLine = ([name, value]: Header): string => {
  if (!/^[\w-]{1,64}$/.test(name)) throw new Error(`${JSON.stringify(name)} is no name of a header`);
  return `${name}: ${clean(value)}`;
};

function join(first: string, headers: readonly Header[], body: string | null, type: string): string {
  const bytes = body === null ? 0 : Buffer.byteLength(body);
  const content: Header[] = bytes > 0 ? [['Content-Type', type]] : [];
  return `${[first, ...[...headers, ...content, ['Content-Length', String(bytes)] as const].map(headerLine)].join('\r\n')}\r\n\r\n${body ?? ''}`;
}

/** A request on the wire. `uri` is a Request-URI that was read or made by `uriOf`. */
export function writeRequest(uri: string, headers: readonly Header[], method: string, body: string | null = null, type = 'application/sdp'): string {
  return join(`${method} ${clean(uri).replaceAll(' ', '')} SIP/2.0`, headers, body, type);
}

/** A response with the headers that tie it to its request (RFC 3261 section 8.2.6.2). */
export function writeResponse(
  request: SipRequest,
  status: number,
  tag: string | null,
  headers: readonly Header[] = [],
  body: string | null = null,
): string {
  const of = (name: string) => request.headers.get(name) ?? [];
  const to = of('to')[0] ?? '';
  const tie: Header[] = [
    ...of('via').map((via) => ['Via', via] as const),
    ['From', of('from')[0] ?? ''],
    ['To', request.to.tag === null && tag !== null ? `${to};tag=${tag}` : to],
    ['Call-ID', request.callId],
    ['CSeq', `${request.cseq} ${request.method}`],
  ];
  return join(`SIP/2.0 ${status} ${phraseOf(status)}`, [...tie, ...headers], body, 'application/sdp');
}

/** A refusal of something that could only be cut into lines. @returns null where not even that can be tied to its request */
export function writeErrorResponse({ headers }: Lines, status: number): string | null {
  const of = (name: string) => headers.get(name)?.[0];
  const [via, from, to, callId, cseq] = [headers.get('via'), of('from'), of('to'), of('call-id'), of('cseq')];
  if (!via || !from || !to || !callId || !cseq) return null;
  const tie: Header[] = [...via.map((one) => ['Via', one] as const), ['From', from], ['To', to], ['Call-ID', callId], ['CSeq', cseq]];
  return join(`SIP/2.0 ${status} ${phraseOf(status)}`, tie, null, '');
}

/** A number as the user part of a URI; who cannot be dialled is anonymous. */
export const userOf = (number: string): string => (dialable.test(number) ? number.replaceAll('#', '%23') : 'anonymous');

/** A name-addr for From and To. */
export function addressOf({ number, name }: { number: string; name: string | null }, domain: string): string {
  const shown = name === null ? '' : clean(name).slice(0, 100);
  const quoted = shown === '' ? '' : `"${shown.replaceAll(/[\\"]/g, (one) => `\\${one}`)}" `;
  return `${quoted}<sip:${userOf(number)}@${domain}>`;
}

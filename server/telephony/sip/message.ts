import Grammar from 'jssip/lib/Grammar.js';
import Parser, { type ParsedAddress, type ParsedMessage, type ParsedUri } from 'jssip/lib/Parser.js';
import { cut, type Lines } from './lines.ts';

/** A SIP URI. `text` is how it was written, made whole again: it holds no line break. */
export interface Uri {
  scheme: string;
  user: string | null;
  host: string;
  text: string;
}

/** A name-addr: From, To, Contact, Refer-To. */
export interface Address {
  name: string | null;
  uri: Uri;
  tag: string | null;
  params: Readonly<Record<'expires' | 'q' | '+sip.instance' | 'reg-id', string | null>>;
}

interface Common {
  callId: string;
  cseq: number;
  method: string;
  branch: string;
  from: Address;
  to: Address;
  contacts: readonly Address[];
  body: string;
  /** All headers by their long name in small letters, as they were written, folded lines joined. */
  headers: ReadonlyMap<string, readonly string[]>;
}
export interface SipRequest extends Common {
  kind: 'request';
  uri: Uri;
  /** As written in the first line. */
  uriText: string;
  /** Host and port of the topmost Via: part of what makes a transaction one. */
  sentBy: string;
}
export interface SipResponse extends Common {
  kind: 'response';
  status: number;
  phrase: string;
}
/** A request that cannot be taken; `lines` where it can at least be answered. */
export interface Malformed {
  kind: 'malformed';
  status: 400 | 413 | 416 | 505;
  lines: Lines;
}

/** The first value of a header, or null. */
export const headerOf = (message: Pick<Common, 'headers'>, name: string): string | null => message.headers.get(name.toLowerCase())?.[0] ?? null;

/** Names of a header that lists tokens, in small letters: Supported, Require, Allow. */
export const tokensOf = (message: Pick<Common, 'headers'>, name: string): string[] =>
  (message.headers.get(name) ?? [])
    .flatMap((value) => value.split(','))
    .map((token) => token.trim().toLowerCase())
    .filter((token) => token !== '');

const uriOf = (uri: ParsedUri): Uri => ({ scheme: uri.scheme, user: uri.user ?? null, host: uri.host, text: uri.toString() });

function addressOf(parsed: ParsedAddress): Address {
  const param = (name: string): string | null => parsed.getParam(name) ?? null;
  return {
    name: parsed.display_name ?? null,
    uri: uriOf(parsed.uri),
    tag: param('tag'),
    params: { expires: param('expires'), q: param('q'), '+sip.instance': param('+sip.instance'), 'reg-id': param('reg-id') },
  };
}

/** Reads a name-addr that stands in a header of its own. @returns null where it is none */
export function readAddress(text: string): Address | null {
  if (!isShort([text])) return null;
  try {
    const parsed = Grammar.parse(text, 'Refer_To');
    return parsed === -1 ? null : addressOf(parsed as ParsedAddress);
  } catch {
    return null;
  }
}

/** Headers that may stand in a message once only (RFC 3261 section 7.3.1). */
const single = ['from', 'to', 'call-id', 'cseq', 'content-length', 'content-type', 'max-forwards', 'expires'];
/** Headers that the grammar looks into. Its time grows with the square of what it reads, so that is held short, and so are lists. */
const read = ['via', 'from', 'to', 'call-id', 'cseq', 'max-forwards', 'contact'];
const longestRead = 768;
const mostParts = 60;
/** Whether the grammar may be given it. */
const isShort = (values: readonly string[]): boolean => {
  const all = values.join(',');
  return all.length <= longestRead && (all.match(/[;,&]/g)?.length ?? 0) <= mostParts;
};
const longestSequence = 2 ** 31 - 1;

/** Bytes are counted by Content-Length; what goes beyond it is no part of the message. @returns null where bytes are missing */
function bodyOf({ headers, body }: Lines): string | null {
  const declared = headers.get('content-length')?.[0];
  if (declared === undefined) return body;
  const length = Number(declared);
  const bytes = Buffer.from(body);
  if (!/^\d{1,9}$/.test(declared) || bytes.length < length) return null;
  return bytes.length === length ? body : bytes.subarray(0, length).toString();
}

function commonOf(parsed: ParsedMessage, lines: Lines): Common | null {
  const { from, to, call_id: callId, cseq, via_branch: branch } = parsed;
  const body = bodyOf(lines);
  if (!from || !to || !callId || cseq === undefined || cseq > longestSequence || !branch || body === null) return null;
  const method = /\s([^\s]+)$/.exec(lines.headers.get('cseq')?.[0] ?? '')?.[1] ?? '';
  const contacts = parsed.getHeaders('contact').flatMap((value, index) => {
    if (value === '*') return [];
    const contact = parsed.parseHeader('contact', index) as ParsedAddress | undefined;
    return contact ? [addressOf(contact)] : [];
  });
  return { callId, cseq, method, branch, from: addressOf(from), to: addressOf(to), contacts, body, headers: lines.headers };
}

function parsed(text: string): ParsedMessage | null {
  try {
    return Parser.parseMessage(text, null) ?? null;
  } catch {
    return null;
  }
}

const isSingle = ({ headers }: Lines): boolean => single.every((name) => (headers.get(name)?.length ?? 0) <= 1);
const methodPattern = /^[\w.!%*+`'~-]{1,128}$/;
/** An escape that stands for what is no text: legal, and of no use to anybody. */
const escapedControl = /%(?:[01][\da-f]|7f)/i;

function requestOf(lines: Lines, message: ParsedMessage, common: Common): SipRequest | null {
  const [method = '', uriText = ''] = lines.first.split(' ');
  const { ruri, via } = message;
  if (method !== common.method || !methodPattern.test(method) || !ruri || !via || !common.from.tag) return null;
  const uri = uriOf(ruri);
  if ([uri, common.from.uri, common.to.uri, ...common.contacts.map((one) => one.uri)].some(({ text }) => escapedControl.test(text))) return null;
  return { ...common, kind: 'request', uri, uriText, sentBy: `${via.host}:${via.port ?? ''}` };
}

/** The grammar knows some methods by their first letters; which it is is read from the line itself. */
const stand = 'OPTIONS';
const asKnown = (first: string): string => first.replace(/^\S+/, stand);

/** What kind of refusal a request that could not be read gets. */
function statusOf(lines: Lines): Malformed['status'] {
  if (lines.fault === 'too-large') return 413;
  const [, uri = '', version = ''] = lines.first.split(' ');
  if (/^SIP\/\d+\.\d+$/i.test(version) && version.toUpperCase() !== 'SIP/2.0') return 505;
  return /^(?!sips?:)[a-z][a-z\d+.-]*:/i.test(uri) ? 416 : 400;
}

/**
 * Reads one message (RFC 3261 section 7) with JsSIP's grammar, and holds it to what the grammar does not ask: headers that may
 * stand once do, sequence numbers and methods agree, the body is all there.
 * @returns null for what is to be dropped in silence
 */
export function readMessage(text: string): SipRequest | SipResponse | Malformed | null {
  const lines = cut(text);
  if (!lines) return null;
  const isResponse = /^SIP\//i.test(lines.first);
  const malformed = (): Malformed | null => (isResponse ? null : { kind: 'malformed', status: statusOf(lines), lines });
  // The grammar takes any version.
  if (lines.fault || !isSingle(lines) || !/^SIP\/2\.0 | SIP\/2\.0$/i.test(lines.first)) return malformed();
  if (!isShort([lines.first])) return malformed();
  const head: string[] = [isResponse ? lines.first : asKnown(lines.first)];
  for (const name of read) {
    // Of the ways it came the last counts; the star of a REGISTER is taken by the grammar for a list.
    const values = (lines.headers.get(name) ?? []).slice(0, name === 'via' ? 1 : undefined).filter((value) => name !== 'contact' || value !== '*');
    if (!isShort(values)) return malformed();
    head.push(...values.map((value) => `${name}: ${name === 'cseq' && !isResponse ? value.replace(/\S+$/, stand) : value}`));
  }
  const message = parsed(`${head.join('\r\n')}\r\n\r\n`);
  try {
    const common = message && commonOf(message, lines);
    if (!message || !common) return malformed();
    if (!isResponse) return requestOf(lines, message, common) ?? malformed();
    return { ...common, kind: 'response', status: message.status_code ?? 0, phrase: message.reason_phrase ?? '' };
  } catch {
    // A parameter named like a method of an object makes the parsed message unusable.
    return malformed();
  }
}

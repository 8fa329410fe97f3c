/** Most bytes of all headers, and most headers, of a message that anybody has a use for. */
const longestHead = 16 * 1024;
const longestHeader = 8 * 1024;
const mostHeaders = 100;

const compactForms: Record<string, string> = {
  v: 'via',
  f: 'from',
  t: 'to',
  i: 'call-id',
  m: 'contact',
  l: 'content-length',
  c: 'content-type',
  x: 'session-expires',
  r: 'refer-to',
  o: 'event',
  k: 'supported',
  s: 'subject',
  e: 'content-encoding',
  b: 'referred-by',
  u: 'allow-events',
};

/** A message cut at its line ends, nothing of it understood yet: headers by their long name in small letters. */
export interface Lines {
  first: string;
  headers: Map<string, string[]>;
  body: string;
  /** Why it cannot be taken as it is. */
  fault: 'too-large' | 'unreadable' | null;
}

// oxlint-disable-next-line no-control-regex -- whatever is no text cannot be echoed or handed on
const controls = /[\u0000-\u0008\u000a-\u001f\u007f]/;

/** Cuts a message into lines. @returns null for what is no message at all */
export function cut(text: string): Lines | null {
  // Line ends before the first line are of no meaning (RFC 3261 section 7.5).
  const whole = text.replace(/^(?:\r\n)+/, '');
  const end = whole.indexOf('\r\n\r\n');
  const head = end < 0 ? whole : whole.slice(0, end);
  const lines: Lines = { first: '', headers: new Map(), body: end < 0 ? '' : whole.slice(end + 4), fault: end < 0 ? 'unreadable' : null };
  if (head.length > longestHead) lines.fault = 'too-large';
  const [first = '', ...rest] = head
    .slice(0, longestHead)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n', mostHeaders + 2);
  if (rest.length > mostHeaders) lines.fault = 'too-large';
  lines.first = first;
  for (const line of rest) readLine(lines, line);
  if (controls.test(first)) return null;
  return lines;
}

function readLine(lines: Lines, line: string): void {
  const colon = line.indexOf(':');
  const written = line.slice(0, Math.max(colon, 0)).trim().toLowerCase();
  if (line.length > longestHeader || !/^[\w.!%*+`'~-]+$/.test(written) || controls.test(line)) {
    lines.fault ??= 'unreadable';
    return;
  }
  const name = (Object.hasOwn(compactForms, written) ? compactForms[written] : undefined) ?? written;
  const value = line.slice(colon + 1).trim();
  // Several hops may share a line; each has to be seen on its own.
  const values = name === 'via' ? value.split(/,(?=\s*SIP\s*\/)/i).map((hop) => hop.trim()) : [value];
  lines.headers.set(name, [...(lines.headers.get(name) ?? []), ...values]);
}

/** A message as it came, cut into its parts without judging it. */
export interface Heard {
  /** Of a request; null of a response. */
  method: string | null;
  /** Of a response; null of a request. */
  status: number | null;
  /** Request-URI of a request. */
  uri: string | null;
  headers: Map<string, string[]>;
  body: string;
  text: string;
  /** The first value of a header by its name in any letters, or an empty string. */
  of: (name: string) => string;
  /** Number and method of the CSeq. */
  cseq: { number: number; method: string };
  tag: { from: string; to: string };
}

export function readHeard(text: string): Heard {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = new Map<string, string[]>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trim().toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), line.slice(colon + 1).trim()]);
  }
  const status = /^SIP\/2\.0 (\d{3})/.exec(first)?.[1];
  const [method = '', uri = ''] = first.split(' ');
  const of = (name: string): string => headers.get(name.toLowerCase())?.[0] ?? '';
  const [number = '0', named = ''] = of('cseq').split(/\s+/);
  const tag = (name: string): string => /;tag=([^;]+)/.exec(of(name))?.[1] ?? '';
  return {
    method: status === undefined ? method : null,
    status: status === undefined ? null : Number(status),
    uri: status === undefined ? uri : null,
    headers,
    body: rest.join('\r\n\r\n'),
    text,
    of,
    cseq: { number: Number(number), method: named },
    tag: { from: tag('from'), to: tag('to') },
  };
}

/** `sip:host`, `host:port`, an IPv6 address in brackets; `;transport=udp`, `tcp` or `tls` behind it. */
const ADDRESS = /^(?:sips?:)?(\[[\da-f:.]{2,45}\]|[^\s:;[\]]{1,253})(?::(\d{1,5}))?(?:;transport=(?:udp|tcp|tls))?$/i;
const LABEL = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i;
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** An IPv6 address as it is written, without brackets (RFC 4291 section 2.2). */
function isIpv6(text: string): boolean {
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const parts = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  const [last = ''] = parts.slice(-1);
  const words = last.includes('.') ? [...parts.slice(0, -1), '0', '0'] : parts;
  if (last.includes('.') && !IPV4.test(last)) return false;
  return words.every((word) => /^[\da-f]{1,4}$/i.test(word)) && (halves.length === 2 ? words.length < 8 : words.length === 8);
}

/** A name of the DNS or an IP address, without a port. What consists of digits and dots alone has to be an IPv4 address. */
export function isHost(text: string): boolean {
  if (text.startsWith('[')) return text.endsWith(']') && isIpv6(text.slice(1, -1));
  if (text.includes(':')) return isIpv6(text);
  if (/^[\d.]+$/.test(text)) return IPV4.test(text);
  return text.length <= 253 && text.split('.').every((label) => LABEL.test(label));
}
export const isPort = (port: number): boolean => Number.isInteger(port) && port >= 1 && port <= 65_535;

/** Where a SIP server is found: a host, with a port in 1 to 65535 where one is named. */
export function isSipAddress(text: string): boolean {
  const [, host, port] = ADDRESS.exec(text) ?? [];
  return host !== undefined && isHost(host) && (port === undefined || isPort(Number(port)));
}

import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { Config } from '#server/config.ts';

/** What the words of the setting stand for. */
const named: Record<string, readonly string[]> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};
const family = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
const plain = (address: string): string => address.trim().replace(/^::ffff:(?=\d+\.)/i, '');

/** How to tell a client's address: that of the socket, or what proxies that are believed say in X-Forwarded-For, as with requests of HTTP. */
export function addressReader({ trustedProxies }: Pick<Config, 'trustedProxies'>): (request: IncomingMessage) => string {
  const trusted = new BlockList();
  for (const word of trustedProxies === false ? [] : trustedProxies.split(/\s*,\s*/))
    for (const range of named[word] ?? [word]) {
      const [address = '', bits] = range.split('/');
      if (isIP(address) > 0) trusted.addSubnet(address, Number(bits ?? (family(address) === 'ipv6' ? 128 : 32)), family(address));
    }
  return ({ socket, headers }) => {
    const hops = [headers['x-forwarded-for'] ?? '']
      .flat()
      .join(',')
      .split(',')
      .map(plain)
      .filter((hop) => isIP(hop) > 0);
    let address = plain(socket.remoteAddress ?? '');
    while (hops.length > 0 && trusted.check(address, family(address))) address = hops.pop() ?? address;
    return address;
  };
}

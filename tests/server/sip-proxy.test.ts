import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { addressReader } from '#server/telephony/sip/client-address.ts';

const asked = (remoteAddress: string, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage;

describe('the address of a client', () => {
  it.each([
    ['is that of the socket where no proxy is believed', false, '203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['is what a proxy of this machine says', 'loopback', '127.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['is not what a stranger says', 'loopback', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['is the last that no believed proxy has', 'loopback,uniquelocal', '::ffff:127.0.0.1', '1.1.1.1, 198.51.100.1, 10.0.0.7', '198.51.100.1'],
    ['is of version 6 too', 'fd00::/8', 'fd00::1', '2001:db8::5', '2001:db8::5'],
    ['is the proxy where it says nothing that is one', 'loopback', '127.0.0.1', 'unknown, x', '127.0.0.1'],
    ['is the proxy where it says nothing', 'loopback', '127.0.0.1', undefined, '127.0.0.1'],
  ] as const)('%s', (_, trustedProxies, remote, forwarded, address) => {
    expect(addressReader({ trustedProxies })(asked(remote, forwarded))).toBe(address);
  });
});

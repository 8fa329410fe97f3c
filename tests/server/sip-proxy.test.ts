import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '#server/config.ts';
import { addressReader } from '#server/telephony/sip/client-address.ts';
import { SipClient } from './sip-client.ts';
import { openTestSip } from './sip-support.ts';

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

describe('the proxy that deploy/ recommends', () => {
  const read = (name: string): string => readFileSync(join(import.meta.dirname, '..', '..', 'deploy', name), 'utf8');

  it('leads to both ports of the server: console and phones', () => {
    const { port, sipPort } = loadConfig({});
    expect(read('Caddyfile').match(/reverse_proxy \S+/g)).toEqual([`reverse_proxy doorward:${port}`, `reverse_proxy doorward:${sipPort}`]);
    expect(read('Caddyfile')).toContain(`{$DOORWARD_DOMAIN}:${sipPort} {`);
    expect(read('compose.yaml')).toContain(`'${sipPort}:${sipPort}'`);
    expect(read('Containerfile')).toContain(`EXPOSE ${port} ${sipPort}`);
  });

  it('brings phones in whose TLS it has ended, each as who they are', async () => {
    const config = { host: '127.0.0.1', tls: null, publicUrl: 'https://doors.example.org', socketsPerIp: 1, trustedProxies: 'loopback' };
    const { sip, options, close } = await openTestSip({ config: { ...config, sipPort: 0, sipUdp: null } });
    const through = (address: string, origin = 'https://doors.example.org') => ({
      origin,
      headers: { host: 'doors.example.org:8443', 'x-forwarded-for': address, 'x-forwarded-proto': 'https' },
    });
    const clients = await Promise.all(['198.51.100.1', '198.51.100.2'].map((from, at) => SipClient.registered(options(`100${at}`, through(from)))));
    expect(['1000', '1001'].map((number) => sip.bindings(number).length)).toEqual([1, 1]);
    await expect(SipClient.open(options('1002', through('198.51.100.1')))).rejects.toThrow('429');
    await expect(SipClient.open(options('1002', through('198.51.100.3', 'https://elsewhere.example.org')))).rejects.toThrow('403');
    for (const client of clients) client.close();
    await close();
  });
});

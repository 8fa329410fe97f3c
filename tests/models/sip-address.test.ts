import { describe, expect, it } from 'vitest';
import { phoneServer } from '#models/phone-server.ts';
import { isHost, isSipAddress } from '#models/sip-address.ts';
import { sipInitial, sipSettings } from '#models/sip-settings.ts';
import { sipTrunks } from '#models/sip-trunks.ts';

describe('the server of a trunk (VALID-05)', () => {
  it.each([
    'pbx.example',
    'sip:pbx.example',
    'sips:pbx.example:5061;transport=tls',
    '10.0.0.1:1',
    '10.0.0.1:65535',
    '[2001:db8::1]:5060;transport=tcp',
    '[::ffff:192.0.2.10]',
    'localhost',
    'sip-1.edge.example:5080;transport=udp',
  ])('may be %s', (address) => expect(isSipAddress(address)).toBe(true));
  it.each([
    'pbx.example:0',
    'pbx.example:65536',
    'pbx.example:99999',
    'pbx.example:',
    'pbx.example:5060x',
    '10.0.0.256',
    '10.0.0',
    '1.2.3.4.5',
    'pbx..example',
    '-bad',
    'bad-.example',
    `${'a'.repeat(64)}.example`,
    'pbx_1.example',
    '[2001:db8::1',
    '[2001:db8::1::2]',
    '[12345::]',
    '2001:db8::1',
    'sip:user@pbx.example',
    'http://pbx.example',
    'pbx example',
    'pbx.example;transport=ws',
  ])('may not be %s', (address) => expect(isSipAddress(address)).toBe(false));
  it('is checked in the form', () => {
    const draft = { ...sipTrunks.initial, name: 'City', groups: [{ id: crypto.randomUUID(), name: 'House' }] };
    expect(sipTrunks.check({ ...draft, termination_uri: 'pbx.example:70000' })).toMatchObject([{ path: ['termination_uri'], rule: 'sip_address' }]);
    expect(sipTrunks.check({ ...draft, termination_uri: 'pbx.example:5060' })).toEqual([]);
  });
});

describe('the SIP server of web phones', () => {
  const server = { host: 'pbx.example', port: 7443, secure: true, realm: null };
  it('has a host and a port of its own', () => {
    expect(phoneServer.safeParse(server).success).toBe(true);
    for (const wrong of [{ host: '' }, { host: 'pbx.example:7443' }, { host: 'wss://pbx' }, { port: 0 }, { port: 65_536 }, { realm: 'a b' }])
      expect(phoneServer.safeParse({ ...server, ...wrong }).success, JSON.stringify(wrong)).toBe(false);
  });
  it('may be an address of version 6, with brackets or without', () => expect(['::1', '[::1]', '[::1'].map(isHost)).toEqual([true, true, false]));
});

describe('a further address of the SIP server', () => {
  const isNode = (node: string): boolean => sipSettings.safeParse({ ...sipInitial, nodes: [node] }).success;
  it.each(['sip2.example.org', 'sip2.example.org:8444', '10.0.0.5:8444'])('may be %s', (node) => expect(isNode(node)).toBe(true));
  it.each(['wss://sip2.example.org', '::1', '[2001:db8::1]:8443'])('may not be %s, which the policy of a page cannot name', (node) =>
    expect(isNode(node)).toBe(false),
  );
});

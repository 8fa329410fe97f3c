import type { LookupAddress, LookupOptions } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';

const thisMachine = new BlockList();
thisMachine.addSubnet('127.0.0.0', 8, 'ipv4');
thisMachine.addAddress('::1', 'ipv6');

/** What no receiver has: nobody's, neighbours by chance with what clouds tell their machines, many at once, and IPv4 in disguise. By family: IPv4 in disguise matches every IPv4 address. */
const special = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const [base, bits] of [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['192.0.0.0', 24],
  ['224.0.0.0', 3],
] as const)
  special.ipv4.addSubnet(base, bits, 'ipv4');
special.ipv4.addAddress('100.100.100.200', 'ipv4');
for (const [base, bits] of [
  ['::', 96],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 32],
  ['2002::', 16],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  special.ipv6.addSubnet(base, bits, 'ipv6');
special.ipv6.addAddress('fd00:ec2::254', 'ipv6');

/** Networks of houses and offices. */
const privately = new BlockList();
for (const [base, bits] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
] as const)
  privately.addSubnet(base, bits, 'ipv4');
privately.addSubnet('fc00::', 7, 'ipv6');

/** For so long what the system says of its addresses is believed: asking it takes a third of a millisecond. In ms. */
const knownFor = 5_000;
let own = { addresses: new Set<string>(), until: 0 };
/** The machine has these addresses besides loopback. */
function isOwn(address: string): boolean {
  if (performance.now() >= own.until) {
    const all = Object.values(networkInterfaces()).flatMap((some) => some ?? []);
    own = { addresses: new Set(all.map((one) => one.address)), until: performance.now() + knownFor };
  }
  return own.addresses.has(address);
}

/**
 * May an integration reach this IP address? This machine itself only where a setting says so (fault V22); with `publicly` no private network
 * either: for addresses that anybody may name, not only those who set up integrations.
 */
export function mayReach(address: string, loopback: boolean, publicly = false): boolean {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  if (isIP(address) === 0) return false;
  if (thisMachine.check(address, family) || isOwn(address)) return loopback;
  return !special[family].check(address, family) && !(publicly && privately.check(address, family));
}

/** The host of an address as a resolver wants it: IPv6 without brackets. */
const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '');

/** Whether a host can be refused as it is written: by an IP address, or a name that is this machine everywhere. Others are looked up when they are reached. */
export function mayBeNamed(host: string, loopback: boolean, publicly = false): boolean {
  if (isIP(host) !== 0) return mayReach(host, loopback, publicly);
  return loopback || !/^(?:.*\.)?localhost\.?$/i.test(host);
}
export const mayBeWritten = (url: string, loopback: boolean, publicly = false): boolean => mayBeNamed(hostOf(url), loopback, publicly);

/** The address is not one that may be reached. */
export class Forbidden extends Error {}

/** @throws Forbidden where the host is an IP address that may not be reached; names are looked at by `guardedLookup` */
export function requireReachable(url: string, loopback: boolean, publicly = false): void {
  if (!mayBeWritten(url, loopback, publicly)) throw new Forbidden('the address is not allowed');
}

/** The addresses of a host, all of which may be reached: one bad address among good ones is no accident. @throws Forbidden, or the error of looking it up */
async function allowedAddresses(host: string, loopback: boolean, publicly: boolean, options: LookupOptions = {}): Promise<LookupAddress[]> {
  const found = await lookup(host, { ...options, all: true });
  if (found.length === 0 || found.some(({ address }) => !mayReach(address, loopback, publicly))) throw new Forbidden('the address is not allowed');
  return found;
}

/** The address by which a host is reached, looked up this once: whoever connects to it connects to what was looked at. @throws Forbidden, or the error of looking it up */
export async function allowedAddress(host: string, loopback: boolean, publicly = false): Promise<string> {
  const [first] = await allowedAddresses(host, loopback, publicly);
  return first?.address ?? host;
}

/** Looks a name up and hands on what may be reached, so that what was looked at is what is connected to: a name that changes between the two changes nothing. */
export const guardedLookup =
  (loopback: boolean, publicly = false): LookupFunction =>
  (hostname, options, done) => {
    const answer = async (): Promise<void> => {
      const found = await allowedAddresses(hostname, loopback, publicly, options).catch((error: NodeJS.ErrnoException) => error);
      if (found instanceof Error) done(found, '');
      else if (options.all) done(null, found);
      else done(null, found[0]?.address ?? '', found[0]?.family);
    };
    void answer();
  };

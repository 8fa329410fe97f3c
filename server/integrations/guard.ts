import { lookup as resolve } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';

const thisMachine = new BlockList();
thisMachine.addSubnet('127.0.0.0', 8, 'ipv4');
thisMachine.addAddress('::1', 'ipv6');

/** What no receiver has: nobody's, neighbours by chance with what clouds tell their machines, many at once, and IPv4 in disguise. */
const special = new BlockList();
for (const [base, bits] of [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['192.0.0.0', 24],
  ['224.0.0.0', 3],
] as const)
  special.addSubnet(base, bits, 'ipv4');
special.addAddress('100.100.100.200', 'ipv4');
for (const [base, bits] of [
  ['::', 96],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 32],
  ['2002::', 16],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  special.addSubnet(base, bits, 'ipv6');
special.addAddress('fd00:ec2::254', 'ipv6');

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

/** The machine has these addresses besides loopback. */
const isOwn = (address: string): boolean => Object.values(networkInterfaces()).some((all) => all?.some((one) => one.address === address));

/**
 * May an integration reach this IP address? This machine itself only where a setting says so (fault V22); with `publicly` no private network
 * either: for addresses that anybody may name, not only those who set up integrations.
 */
export function mayReach(address: string, loopback: boolean, publicly = false): boolean {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  if (isIP(address) === 0) return false;
  if (thisMachine.check(address, family) || isOwn(address)) return loopback;
  return !special.check(address, family) && !(publicly && privately.check(address, family));
}

/** The host of an address as a resolver wants it: IPv6 without brackets. */
const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '');

/** Whether an address can be refused as it is written: by an IP address, or a name that is this machine everywhere. Others are looked up when they are reached. */
export function mayBeWritten(url: string, loopback: boolean, publicly = false): boolean {
  const host = hostOf(url);
  if (isIP(host) !== 0) return mayReach(host, loopback, publicly);
  return loopback || !/^(?:.*\.)?localhost\.?$/i.test(host);
}

/** The address is not one that may be reached. */
export class Forbidden extends Error {}

/** @throws Forbidden where the host is an IP address that may not be reached; names are looked at by `guardedLookup` */
export function requireReachable(url: string, loopback: boolean, publicly = false): void {
  if (!mayBeWritten(url, loopback, publicly)) throw new Forbidden('the address is not allowed');
}

/** Looks a name up and hands on what may be reached, so that what was looked at is what is connected to: a name that changes between the two changes nothing. */
export const guardedLookup =
  (loopback: boolean, publicly = false): LookupFunction =>
  (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '');
      // One bad address among good ones is no accident.
      if (found.length === 0 || found.some(({ address }) => !mayReach(address, loopback, publicly)))
        return done(new Forbidden('the address is not allowed'), '');
      const [first] = found;
      if (options.all) return done(null, found);
      done(null, first?.address ?? '', first?.family);
    });
  };

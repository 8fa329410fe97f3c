import { mayReach } from '../integrations/guard.ts';

/** An IPv4 address as a number; the schema has checked its shape. */
export const toNumber = (ip: string): number => ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
/** The IPv4 address of a number. */
export const toAddress = (number: number): string => [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');

const within = (ip: string, base: string, bits: number): boolean => {
  const size = 2 ** (32 - bits);
  return Math.floor(toNumber(ip) / size) === Math.floor(toNumber(base) / size);
};
const isLoopback = (ip: string): boolean => within(ip, '127.0.0.0', 8);
const isPrivate = (ip: string): boolean => within(ip, '10.0.0.0', 8) || within(ip, '172.16.0.0', 12) || within(ip, '192.168.0.0', 16);

/** May the server speak to a device at this address? This machine itself only where the demo's devices live on it (fault V22). */
export const mayDial = (ip: string, { demo }: { demo: boolean }): boolean => mayReach(ip, demo);

/** May this address be looked at by a search? Only inside private networks. */
export const maySearch = (ip: string, { demo }: { demo: boolean }): boolean => isPrivate(ip) || (demo && isLoopback(ip));

/** In the demo the devices live on this machine, on a port that goes with the server's own: two demos do not meet each other's. */
export const demoPort = ({ port }: { port: number }): number => (port + 10 > 65_535 ? port - 10 : port + 10);
/** The addresses at which a demo puts its devices up. */
export const demoAddresses = ['127.20.%', '127.30.%'] as const;

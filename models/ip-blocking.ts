import { z } from 'zod';
import { call } from './define-call.ts';
import { personThen } from './hidden-name.ts';
import type { PermissionCode } from './permission-catalogue.ts';
import { rule } from './rules.ts';

/** Why an address waits (SETT-17): a name that is known failed its proof, a number that there is not, or a name nobody knows. */
export const blockCauses = ['UNKNOWN', 'AUTH_FAILED', 'WRONG_NUMBER'] as const;
export type BlockCause = (typeof blockCauses)[number];
/** What was tried from there. */
export const blockedWays = ['sign_in', 'sip_ws', 'sip_udp', 'mqtt', 'guest_key', 'calendar_feed', 'activation_code', 'request'] as const;
export type BlockedWay = (typeof blockedWays)[number];

/** An address from which too much failed. It waits for what it failed with; whoever else is there proves themselves as ever. */
const banned = z.strictObject({
  ip: z.string(),
  way: z.enum(blockedWays),
  cause: z.enum(blockCauses),
  tries: z.int(),
  since: z.iso.datetime(),
  until: z.iso.datetime(),
});
export type Banned = z.infer<typeof banned>;

const widest = { 4: 8, 6: 19 } as const;
const isNarrow = (range: string): boolean => {
  const [address = '', bits] = range.split('/');
  return bits === undefined || Number(bits) >= widest[address.includes(':') ? 6 : 4];
};
/** An IP address, or a range as address/bits; one as wide as a continent is none. */
export const ipRange = () =>
  z
    .string()
    .trim()
    .toLowerCase()
    .refine((text) => [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()].some((kind) => kind.safeParse(text).success), rule('ip_range'))
    .refine(isNarrow, rule('ip_range_too_wide'));

const trusted = z.strictObject({ ip: z.string(), created_at: z.iso.datetime(), created_by: personThen.nullable() });
const overview = z.strictObject({ banned: z.array(banned), whitelist: z.array(trusted) });
export type IpBlocking = z.infer<typeof overview>;

const may = (...codes: PermissionCode[]) => ({ codes, about: 'system' });
const ips = (most: number) => z.strictObject({ ips: z.array(ipRange()).min(1).max(most) });

/** Addresses that wait, and those that never do (SETT-14 to 17). They are of the installation, whatever the project. */
export const ipBlockingCalls = {
  ipBlockingStatus: call({
    method: 'GET',
    path: '/ip-blocking/status',
    access: may('can_view_system_info'),
    summary: 'Whether addresses are blocked after failures, and how many are at present',
    answer: z.strictObject({ is_active: z.boolean(), banned: z.int(), whitelisted: z.int() }),
  }),
  ipBlocking: call({
    method: 'GET',
    path: '/ip-blocking',
    access: may('can_view_system_info'),
    summary: 'Addresses that are blocked at present, with cause and end, and addresses that never are',
    answer: overview,
  }),
  unbanIps: call({
    method: 'POST',
    path: '/ip-blocking/unban',
    access: may('can_change_project_settings'),
    urgent: true,
    summary: 'Lift the block of these addresses',
    body: ips(500),
    answer: overview,
  }),
  unbanAll: call({
    method: 'POST',
    path: '/ip-blocking/unban-all',
    access: may('can_change_project_settings'),
    urgent: true,
    summary: 'Lift the block of all addresses',
    answer: overview,
  }),
  addToWhitelist: call({
    method: 'POST',
    path: '/ip-blocking/whitelist',
    access: may('can_change_project_settings'),
    summary: 'Never block these addresses and ranges',
    body: ips(100),
    answer: overview,
  }),
  removeFromWhitelist: call({
    method: 'POST',
    path: '/ip-blocking/whitelist/delete',
    access: may('can_change_project_settings'),
    summary: 'Block these addresses and ranges again after failures',
    body: ips(500),
    answer: overview,
  }),
} as const;

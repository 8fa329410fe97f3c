import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { and, eq, lt, sql } from 'drizzle-orm';
import { deviceName } from '#models/device-name.ts';
import { utc } from '#models/time.ts';
import type { Services } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { knownDevices } from '#server/db/schema/index.ts';
import { mailNewDevice, type Recipient } from '../account-mails.ts';
import type { Origin } from './tokens.ts';

/** A device that was not used for so long is new again. */
const rememberedDays = 365;

/** The first four groups of an IPv6 address, however it is abbreviated. */
function prefixOf(address: string): string {
  const [head = '', tail] = address.split('::', 2);
  const groups = head.split(':').filter(Boolean);
  const rest = tail === undefined ? [] : tail.split(':').filter(Boolean);
  return [...groups, ...Array.from({ length: Math.max(0, 8 - groups.length - rest.length) }, () => '0'), ...rest].slice(0, 4).join(':');
}

/** Addresses that one connection is given in turn: /24 of IPv4, /64 of IPv6. */
export function addressBlock(ip: string): string {
  const [mapped] = /\d+\.\d+\.\d+\.\d+$/.exec(ip) ?? [];
  if (mapped !== undefined) return mapped.split('.').slice(0, 3).join('.');
  return isIPv6(ip) ? prefixOf(ip.toLowerCase()) : ip;
}

/** What a device is known by: browser and system, whatever their versions, and the block its address is in. */
export function deviceMark({ ip, userAgent }: Origin): string {
  const kind = deviceName(userAgent) ?? /^[^\s/]+/.exec(userAgent ?? '')?.[0] ?? '';
  return createHash('sha256')
    .update(`${kind}|${addressBlock(ip)}`)
    .digest('hex');
}

/** Remembers the device of a sign-in. @returns whether its owner is to be told: they have signed in before, but not from it */
async function isNewDevice(db: Db, userId: string, origin: Origin, at: Date): Promise<boolean> {
  const mine = eq(knownDevices.userId, userId);
  await db.delete(knownDevices).where(and(mine, lt(knownDevices.lastSeenAt, utc(at).subtract(rememberedDays, 'day').toDate())));
  const known = await db.select({ mark: knownDevices.mark }).from(knownDevices).where(mine).limit(1_000);
  const mark = deviceMark(origin);
  await db
    .insert(knownDevices)
    .values({ userId, mark, lastSeenAt: at })
    .onConflictDoUpdate({ target: [knownDevices.userId, knownDevices.mark], set: { lastSeenAt: sql`excluded.last_seen_at` } });
  return known.length > 0 && !known.some((device) => device.mark === mark);
}

/** Remembers the device of a sign-in to these accounts and tells each of their mailboxes once if it is new. */
export async function noticeDevice(db: Db, services: Services, accounts: readonly Recipient[], origin: Origin): Promise<void> {
  const notified = new Set<string>();
  for (const account of accounts) {
    const isNew = await isNewDevice(db, account.id, origin, services.now());
    const mailbox = account.email?.toLowerCase();
    if (!isNew || mailbox === undefined || notified.has(mailbox)) continue;
    notified.add(mailbox);
    await mailNewDevice(db, services, account, origin);
  }
}

import { and, eq, sql } from 'drizzle-orm';
import type { Locale } from '#models/constants.ts';
import type { Services } from '../context.ts';
import type { Db } from '../db/database.ts';
import { devices, groupNotify, groups, users } from '../db/schema/index.ts';
import { deviceLetters } from '../mail/device-letters.ts';
import { writeLetter } from '../mail/letters.ts';
import { readBlock } from '../settings/store.ts';
import { wordsOf } from '../texts.ts';
import { storeEvent } from './inbox.ts';
import type { Timer } from '../timers.ts';

/** A device must be away for so long before anybody is told, ms: one that flutters is no news. */
const untilNotified = 30_000;

type Cause = keyof typeof deviceLetters;
type Envelope = Parameters<typeof writeLetter>[2];
/** A reason the server knows in words; else the device's own. */
const reasonText = (locale: Locale, error: string): string => wordsOf(locale, `areas.devices.reasons.${error}`) ?? error;
const write = (
  db: Db,
  cause: Cause,
  to: Envelope,
  { error, ...about }: { device: string; group: string; error: string },
  at: Date,
): Promise<string> =>
  cause === 'deviceOffline'
    ? writeLetter(db, deviceLetters.deviceOffline, to, about, at)
    : writeLetter(db, deviceLetters.deviceTaskFailed, to, { ...about, error: reasonText(to.locale, error) }, at);

/** Writes to those whom the device's groups name for this cause, and to the administrator's address; each person once, however many groups name them. */
export async function mailThoseNamed(db: Db, deviceId: string, cause: Cause, at: Date, more = ''): Promise<number> {
  const named = await db
    .selectDistinct({
      userId: users.id,
      email: users.email,
      locale: users.locale,
      device: devices.name,
      group: groups.name,
      projectId: devices.projectId,
    })
    .from(devices)
    .innerJoin(groups, eq(groups.id, devices.domainId))
    .innerJoin(groupNotify, sql`${groupNotify.groupId} = any(${groups.path})`)
    .innerJoin(users, eq(users.id, groupNotify.userId))
    .where(and(eq(devices.id, deviceId), eq(groupNotify[cause], true), sql`${users.email} is not null`));
  for (const { userId, email, locale, device, group, projectId } of named)
    if (email)
      await write(db, cause, { projectId, userId, recipient: email, locale: locale === 'ru' ? 'ru' : 'en' }, { device, group, error: more }, at);
  return named.length + (await mailAdministrator(db, deviceId, cause, at, more));
}

/** Writes to the address that the project has set for this cause. */
async function mailAdministrator(db: Db, deviceId: string, cause: Cause, at: Date, more: string): Promise<number> {
  const [found] = await db
    .select({ device: devices.name, group: groups.name, projectId: devices.projectId })
    .from(devices)
    .innerJoin(groups, eq(groups.id, devices.domainId))
    .where(eq(devices.id, deviceId));
  if (!found) return 0;
  const { device, group, projectId } = found;
  const { admin_email: recipient, notify, locale } = (await readBlock(db, projectId, 'general')).value;
  if (!recipient || !notify[cause === 'deviceOffline' ? 'device_offline' : 'device_task_failed']) return 0;
  await write(db, cause, { projectId, userId: null, recipient, locale }, { device, group, error: more }, at);
  return 1;
}

/**
 * Tells of outages: once each, when the device has been away for a while, in the log of events and to those named by its
 * groups; and of their end, in the log. What was told of stands with the device, so that a restart tells nothing twice
 * and forgets nothing, and of several server processes one tells.
 */
export class Outages {
  readonly #services: Services;
  readonly #timeout: number;
  readonly #waiting = new Map<string, Timer>();

  constructor(services: Services, timeout = untilNotified) {
    this.#services = services;
    this.#timeout = timeout;
  }

  /** Takes up what came or went while the server was not there to tell of it. */
  async open(): Promise<void> {
    const unnotified = await this.#services.db
      .select({ id: devices.id, online: devices.online })
      .from(devices)
      .where(eq(devices.outageNotified, devices.online));
    for (const { id, online } of unnotified) this.flipped(id, online === true);
  }

  /** A device came or went, and the database has it. */
  flipped(deviceId: string, online: boolean): void {
    this.#waiting.get(deviceId)?.cancel();
    const settle = (): void => {
      this.#waiting.delete(deviceId);
      this.#settle(deviceId).catch((error: unknown) => this.#services.log.error({ err: error }, 'an outage could not be told of'));
    };
    this.#waiting.set(deviceId, this.#services.timers.after(online ? 0 : this.#timeout, settle));
  }

  close(): void {
    for (const timer of this.#waiting.values()) timer.cancel();
    this.#waiting.clear();
  }

  async #settle(deviceId: string): Promise<void> {
    const { db, now } = this.#services;
    const [device] = await db
      .update(devices)
      .set({ outageNotified: sql`not ${devices.online}` })
      .where(and(eq(devices.id, deviceId), eq(devices.outageNotified, devices.online)))
      .returning({ name: devices.name, projectId: devices.projectId, notified: devices.outageNotified });
    if (!device) return;
    const at = now();
    const event = device.notified ? 'offline' : 'online';
    await storeEvent(this.#services, { id: deviceId, ...device }, { type: 'event', event, at: at.toISOString() });
    if (device.notified) await mailThoseNamed(db, deviceId, 'deviceOffline', at);
  }
}

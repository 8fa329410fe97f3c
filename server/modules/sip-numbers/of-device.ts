import { randomInt } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import type { Services } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { devices, sipNumbers } from '#server/db/schema/index.ts';
import { seal } from '#server/devices/secrets.ts';
import { queueTask } from '#server/devices/queue.ts';

const alphabets = ['abcdefghijkmnopqrstuvwxyz', 'ABCDEFGHJKLMNPQRSTUVWXYZ', '23456789'] as const;

/** A SIP password that nobody has to remember: 24 letters and digits, about 140 bits, at least one of each kind. */
export function madePassword(): string {
  const all = alphabets.join('');
  const one = (from: string): string => from[randomInt(from.length)] ?? '';
  const letters = [...alphabets.map(one), ...Array.from({ length: 21 }, () => one(all))];
  for (let at = letters.length - 1; at > 0; at -= 1) {
    const other = randomInt(at + 1);
    [letters[at], letters[other]] = [letters[other] ?? '', letters[at] ?? ''];
  }
  return letters.join('');
}

/** Has the device a number? */
export async function hasNumber(tx: Db, deviceId: string): Promise<boolean> {
  const [number] = await tx.select({ id: sipNumbers.id }).from(sipNumbers).where(eq(sipNumbers.deviceId, deviceId));
  return number !== undefined;
}

/**
 * Writes a device's number into its own SIP settings, or takes it out; a device that is set up by hand registers by what is
 * written in it and is left alone. A number without a password gets one: a device needs it.
 */
export async function writeNumber(services: Services, tx: Db, deviceId: string): Promise<{ projectId: string; protocol: string } | null> {
  const [device] = await tx
    .select({ id: devices.id, projectId: devices.projectId, settings: devices.settings, protocol: devices.protocol })
    .from(devices)
    .where(eq(devices.id, deviceId));
  const sip = (device?.settings['sip'] ?? {}) as { manual?: boolean };
  if (!device || sip.manual) return null;
  const [number] = await tx.select().from(sipNumbers).where(eq(sipNumbers.deviceId, deviceId));
  const cipher = number ? (number.passwordCipher ?? seal(services, madePassword())) : null;
  if (number && !number.passwordCipher) await tx.update(sipNumbers).set({ passwordCipher: cipher }).where(eq(sipNumbers.id, number.id));
  const settings = { ...device.settings, sip: { ...sip, enabled: number?.isActive ?? false, login: number?.number ?? null } };
  await tx.update(devices).set({ settings, sipPasswordCipher: cipher }).where(eq(devices.id, deviceId));
  return device;
}

/** The same for a device that is changed from elsewhere: its version grows and it is told. */
export async function notifyDevice(services: Services, tx: Db, deviceId: string, by: string): Promise<void> {
  const written = await writeNumber(services, tx, deviceId);
  if (!written) return;
  await tx
    .update(devices)
    .set({ version: sql`${devices.version} + 1` })
    .where(eq(devices.id, deviceId));
  if (written.protocol !== 'none') await queueTask(tx, { projectId: written.projectId, deviceId, kind: 'apply_settings', createdBy: by });
}

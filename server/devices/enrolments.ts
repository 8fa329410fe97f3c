import { and, eq, sql } from 'drizzle-orm';
import { storedNumber } from '#models/identifier-value.ts';
import type { Services } from '../context.ts';
import { deviceTasks } from '../db/schema/index.ts';
import type { DeviceStatus } from './protocol.ts';
import type { Reporter } from './said.ts';
import { seal } from './secrets.ts';

/** What a device still has to say when its time is up takes a while: one that is asked by HTTP is asked every 5 s. */
export const lastWord = 6_000;

/** Whole seconds until a moment, none when it has passed. */
export const secondsLeft = (until: string, now: Date): number => Math.max(0, Math.ceil((Date.parse(until) - now.getTime()) / 1_000));

/** A card was presented where one is waited for: kept, sealed, for whoever waits. One that nobody waits for any more is not kept. */
export async function storeCard(
  services: Services,
  { id: deviceId }: Reporter,
  { ask, identifier: { type, value } }: Extract<DeviceStatus, { type: 'presented' }>,
): Promise<void> {
  const number = storedNumber(value, 'hex');
  if (number === null) return;
  const now = services.now();
  const card = JSON.stringify({ card: { type, cipher: seal(services, number) } });
  await services.db
    .update(deviceTasks)
    .set({ payload: sql`${deviceTasks.payload} || ${card}::jsonb`, updatedAt: now })
    .where(
      and(
        eq(deviceTasks.id, ask),
        eq(deviceTasks.deviceId, deviceId),
        eq(deviceTasks.kind, 'enrol_card'),
        sql`not jsonb_exists_any(${deviceTasks.payload}, array['card', 'over', 'stop'])`,
        sql`(${deviceTasks.payload} ->> 'until')::timestamptz >= ${new Date(now.getTime() - lastWord).toISOString()}::timestamptz`,
      ),
    );
}

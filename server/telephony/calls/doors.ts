import { and, eq, or, type SQL, sql } from 'drizzle-orm';
import { topics } from '#models/realtime.ts';
import type { Services } from '#server/context.ts';
import { calls, devices } from '#server/db/schema/index.ts';
import { announce } from '#server/realtime/publish.ts';
import { isLive, notifyOfCall } from './book.ts';

/** Writes down that a door was opened during calls, by whom where that is known, and confirms it to all who are in them. */
async function mark({ db, now }: Pick<Services, 'db' | 'now'>, which: SQL | undefined, deviceId: string, by: string | SQL | null): Promise<void> {
  await db.transaction(async (tx) => {
    const marked = await tx
      .update(calls)
      .set({
        doorOpened: true,
        doorDeviceId: deviceId,
        doorDeviceName: sql`(select ${devices.name} from ${devices} where ${devices.id} = ${deviceId})`,
        doorOpenedBy: by,
        updatedAt: now(),
      })
      .where(which)
      .returning();
    for (const { id, projectId: project, callerNumber, calleeNumber, answeredBy } of marked) {
      await notifyOfCall(tx, id);
      const parties = new Set([callerNumber, calleeNumber, ...(answeredBy ? [answeredBy] : [])]);
      await announce(
        tx,
        [...parties].map((number) => ({ project, topic: topics.calls(number), name: 'DoorOpened', payload: { call: id } })),
      );
    }
  });
}

/** The device has confirmed that somebody opened its door from the console, during this call. */
export const doorOpenedInCall = (services: Pick<Services, 'db' | 'now'>, callId: string, deviceId: string, by: string): Promise<void> =>
  mark(services, eq(calls.id, callId), deviceId, by);

/** A device tells that its door was opened: a call of its own that is talked at the moment is what it was opened for. */
export const doorOpenedAt = (services: Pick<Services, 'db' | 'now'>, deviceId: string): Promise<void> =>
  mark(
    services,
    and(isLive, eq(calls.status, 'answered'), or(eq(calls.callerDeviceId, deviceId), eq(calls.calleeDeviceId, deviceId))),
    deviceId,
    // A panel that was called has opened for the caller.
    sql`case when ${calls.callerDeviceId} = ${deviceId} then coalesce(${calls.answeredByName}, ${calls.answeredBy}) else coalesce(${calls.callerName}, ${calls.callerNumber}) end`,
  );

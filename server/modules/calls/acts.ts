import { and, eq } from 'drizzle-orm';
import type { TransferTarget } from '#models/phone-calls.ts';
import { topics } from '#models/realtime.ts';
import { audit } from '#server/audit.ts';
import type { Principal, Services } from '#server/context.ts';
import { calls } from '#server/db/schema/index.ts';
import { removeFile, storeFile } from '#server/files.ts';
import { publish } from '#server/realtime/publish.ts';
import { HttpError } from '#server/http-error.ts';
import { stopElsewhere } from '#server/telephony/calls/call-lease.ts';
import { pictureType } from '../pictures.ts';
import { ownNumbers, reachable } from './scope.ts';

type CallRow = typeof calls.$inferSelect;

/** A call the principal may act on. @throws HttpError `not_found`, and puts it on record, for any other */
export async function callOf(services: Services, principal: Principal, id: string, what: string): Promise<{ call: CallRow; numbers: string[] }> {
  const numbers = await ownNumbers(services, principal);
  const [call] = await services.db
    .select()
    .from(calls)
    .where(and(eq(calls.id, id), reachable(principal, numbers)));
  if (call) return { call, numbers };
  await audit(
    services.db,
    principal,
    { area: 'calls', action: 'refused', entityId: id, changes: { verb: { before: null, after: what } } },
    services.now(),
  );
  throw new HttpError('not_found');
}

/** Ends a call for all its ends. One that is over already stays so. @throws HttpError `not_found` */
export async function stopCall(services: Services, principal: Principal, id: string): Promise<void> {
  await callOf(services, principal, id, 'stop');
  const live = services.telephony?.call(id);
  if (!live) {
    await services.telephony?.written();
    return stopElsewhere(services, id);
  }
  live.stop('stopped');
  await live.settled();
}

/** What the camera of a call's caller shows; null where nothing. @throws HttpError `not_found` */
export async function pictureOf(services: Services, principal: Principal, id: string): Promise<Uint8Array | null> {
  await callOf(services, principal, id, 'picture');
  const still = await services.telephony
    ?.call(id)
    ?.still()
    .catch(() => null);
  return still ?? null;
}

/**
 * Keeps with a call what the camera of its caller shows now; who did so is on record.
 * @throws HttpError `not_found`, also where there is no picture
 */
export async function savePictureOf(services: Services, principal: Principal, id: string): Promise<void> {
  const bytes = await pictureOf(services, principal, id);
  if (!bytes) throw new HttpError('not_found');
  const { projectId } = principal;
  const at = services.now();
  const before = await services.db.transaction(async (tx) => {
    const [call] = await tx.select().from(calls).where(eq(calls.id, id)).for('update');
    if (!call) throw new HttpError('not_found');
    const file = await storeFile(services, { projectId, kind: 'call', contentType: pictureType(Buffer.from(bytes)), bytes }, tx);
    await tx.update(calls).set({ imageFile: file, updatedAt: at }).where(eq(calls.id, id));
    const entityName = call.callerName ?? call.callerNumber;
    const changes = { image_url: { before: call.imageFile !== null, after: true } };
    await audit(tx, principal, { area: 'call-history', action: 'update', entityId: id, entityName, changes }, at);
    await publish(tx, projectId, topics.area('call-history'), 'RowsChanged', { area: 'call-history', ids: [id] });
    return call.imageFile;
  });
  if (before !== null) await removeFile(services, before);
}

/** Connects the other end of one's own call elsewhere. @throws HttpError `not_found`, `forbidden`, `own_number`, `unavailable` */
export async function transferCall(services: Services, principal: Principal, id: string, target: TransferTarget): Promise<void> {
  const { numbers } = await callOf(services, principal, id, 'transfer');
  if (!services.telephony) throw new HttpError('unavailable');
  await services.telephony.transfer(id, numbers, target);
}

/** Puts on record why somebody opens the door of a call's panel. @throws HttpError `not_found`, also for a call without a panel */
export async function explainOpening(services: Services, principal: Principal, id: string, reason: string): Promise<void> {
  const { call } = await callOf(services, principal, id, 'open_door');
  const deviceId = call.callerDeviceId ?? call.calleeDeviceId;
  if (deviceId === null) throw new HttpError('not_found');
  const entityName = call.callerDeviceId === null ? call.calleeName : call.callerName;
  const changes = { via: { before: null, after: id }, reason: { before: null, after: reason } };
  await audit(services.db, principal, { area: 'devices', action: 'open_door', entityId: deviceId, entityName, changes }, services.now());
}

/** What is written down of a call. @throws HttpError `not_found` */
export async function noteOf(services: Services, principal: Principal, id: string): Promise<{ note: string | null }> {
  const { call } = await callOf(services, principal, id, 'note');
  return { note: call.note };
}

/** Writes down what a call was about; who did so is on record. @throws HttpError `not_found` */
export async function noteCall(services: Services, principal: Principal, id: string, note: string | null): Promise<void> {
  const { call } = await callOf(services, principal, id, 'note');
  const at = services.now();
  await services.db.transaction(async (tx) => {
    await tx
      .update(calls)
      .set({ note, noteBy: note === null ? null : principal.name, updatedAt: at })
      .where(eq(calls.id, id));
    const entityName = call.callerName ?? call.callerNumber;
    await audit(
      tx,
      principal,
      { area: 'call-history', action: 'update', entityId: id, entityName, changes: { note: { before: call.note, after: note } } },
      at,
    );
    await publish(tx, principal.projectId, topics.area('call-history'), 'RowsChanged', { area: 'call-history', ids: [id] });
  });
}

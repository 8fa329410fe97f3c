import { and, inArray, lt } from 'drizzle-orm';
import type { Services } from '../context.ts';
import type { Db } from '../db/database.ts';
import { calls, deviceEvents, files } from '../db/schema/index.ts';
import { type FileKind, removeFile, storeFile } from '../files.ts';
import { pictureType } from '../modules/pictures.ts';
import { HttpError } from '../http-error.ts';
import { lengthOf } from '#models/time.ts';

/** Pictures of events and calls are kept for so long, ms; events and calls themselves stay. */
const retention = lengthOf(30, 'day');
const atOnce = 500;

/**
 * Keeps what a device's camera saw with an event, told of in the transaction that keeps the event. Its address is learnt by those
 * only who may see the event.
 * @returns the file; null for bytes that are no picture, which is on record
 */
export async function savePicture(services: Services, tx: Db, device: { id: string; projectId: string }, base64: string): Promise<string | null> {
  const bytes = Buffer.from(base64, 'base64');
  try {
    return await storeFile(services, { projectId: device.projectId, kind: 'event', contentType: pictureType(bytes), bytes }, tx);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    services.log.warn({ device: device.id, bytes: bytes.length }, 'a device sent something that is no picture');
    return null;
  }
}

/** Removes pictures of events and calls that have been kept long enough. */
export async function forgetOldPictures(services: Services): Promise<void> {
  const { db, now } = services;
  const old = await db
    .select({ id: files.id })
    .from(files)
    .where(and(inArray(files.kind, ['event', 'call'] satisfies FileKind[]), lt(files.createdAt, new Date(now().getTime() - retention))))
    .limit(atOnce);
  if (old.length === 0) return;
  const ids = old.map(({ id }) => id);
  await db.update(deviceEvents).set({ imageFile: null }).where(inArray(deviceEvents.imageFile, ids));
  await db.update(calls).set({ imageFile: null }).where(inArray(calls.imageFile, ids));
  for (const id of ids) await removeFile(services, id);
}

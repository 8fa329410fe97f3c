import { and, eq, lt, notExists, or, sql } from 'drizzle-orm';
import { imageSize } from 'image-size';
import type { TextPicture } from '#models/text-pictures.ts';
import { lengthOf } from '#models/time.ts';
import { idArray } from '../access/measures.ts';
import { scopeOf, visibleIds } from '../access/scope.ts';
import type { Principal, Services } from '../context.ts';
import type { Db } from '../db/database.ts';
import { announcePictures, files, messagePictures, textPictures } from '../db/schema/index.ts';
import { fileAddress, removeFile, storeFile } from '../files.ts';
import { HttpError } from '../http-error.ts';
import { scaleDown } from './pictures.ts';
import type { Upload } from '../http/form.ts';

/** Px. */
const longestSide = 1_600;
/** A text that is being written has its pictures for so long before it is saved, ms. */
const savedFor = lengthOf(1, 'day');
/** So many pictures that no text has yet somebody may have at once. */
const mostUnused = 100;
/** Seconds until whoever has too many may try again. */
const pause = 3_600;
const atOnce = 500;

/** No announcement and no message has the picture. */
const unused = (db: Db) =>
  and(
    notExists(
      db
        .select({ one: sql`1` })
        .from(announcePictures)
        .where(eq(announcePictures.pictureId, textPictures.id)),
    ),
    notExists(
      db
        .select({ one: sql`1` })
        .from(messagePictures)
        .where(eq(messagePictures.pictureId, textPictures.id)),
    ),
  );

/** Stores a picture for a text that is being written, drawn anew. @throws HttpError `invalid_file`, `too_many_requests` */
export async function uploadTextPicture(services: Services, principal: Principal, image: Upload | undefined): Promise<TextPicture> {
  if (!image) throw new HttpError('invalid_file');
  const { db } = services;
  if ((await db.$count(textPictures, and(eq(textPictures.uploadedBy, principal.id), unused(db)))) >= mostUnused)
    throw new HttpError('too_many_requests', { seconds: pause }, pause);
  const picture = await scaleDown(image.path, longestSide);
  const { width, height } = imageSize(picture.bytes);
  const { projectId, id: uploadedBy } = principal;
  const id = await db.transaction(async (tx) => {
    const stored = await storeFile(services, { projectId, kind: 'text', ...picture }, tx);
    await tx.insert(textPictures).values({ id: stored, projectId, uploadedBy, width, height });
    return stored;
  });
  return { id, url: fileAddress(id) ?? '', width, height };
}

/** Those of the pictures that somebody may put into a text: uploaded by them, or in an announcement that they see. */
export async function usablePictures(tx: Db, principal: Principal, ids: readonly string[]): Promise<string[]> {
  const seen = sql`${textPictures.id} in (select ${announcePictures.pictureId} from ${announcePictures}
    where ${announcePictures.announceId} in ${visibleIds(scopeOf(principal), 'announces')})`;
  const rows = await tx
    .select({ id: textPictures.id })
    .from(textPictures)
    .where(
      and(
        eq(textPictures.projectId, principal.projectId),
        sql`${textPictures.id} = any(${idArray(ids)})`,
        or(eq(textPictures.uploadedBy, principal.id), seen),
      ),
    )
    // Nobody removes them until this change stands.
    .for('key share');
  return rows.map(({ id }) => id);
}

/** Removes pictures, bytes too, that no text has a day after they were uploaded: of messages and announcements that are gone as well. */
export async function forgetUnusedPictures(services: Services): Promise<void> {
  const { db, now } = services;
  const old = await db
    .select({ id: textPictures.id })
    .from(textPictures)
    .innerJoin(files, eq(files.id, textPictures.id))
    .where(and(lt(files.createdAt, new Date(now().getTime() - savedFor)), unused(db)))
    .limit(atOnce);
  for (const { id } of old) {
    // A text may have taken it up in this moment: then the row stays.
    const removed = await db
      .delete(textPictures)
      .where(and(eq(textPictures.id, id), unused(db)))
      .returning({ id: textPictures.id })
      .catch(() => []);
    if (removed.length > 0) await removeFile(services, id);
  }
}

import { eq } from 'drizzle-orm';
import { mayHappenToAnnounce } from '#machines/lifecycles/announce.machine.ts';
import { announceAudience, announceIssues, type AnnounceStatus } from '#models/announces.ts';
import { modelOf } from '#models/index.ts';
import { picturesIn } from '#models/picture-sources.ts';
import { mostBodyPictures } from '#models/text-pictures.ts';
import { cleanBody, plainBody } from '#server/announces/sanitise.ts';
import type { Change } from '#server/crud/repository.ts';
import type { Principal } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { announcePictures } from '#server/db/schema/index.ts';
import { HttpError, invalidField } from '#server/http-error.ts';
import { usablePictures } from '../text-pictures.ts';

/** @throws HttpError `invalid_data` for a picture that is gone, or that somebody else uploaded for themselves */
async function requireUsable(tx: Db, principal: Principal, pictures: readonly string[]): Promise<void> {
  if (pictures.length > mostBodyPictures)
    throw new HttpError('invalid_data', { issues: [{ path: ['body'], rule: 'at_most', params: { max: mostBodyPictures } }] });
  if ((await usablePictures(tx, principal, pictures)).length < pictures.length) throw invalidField(['body'], 'picture_gone');
}

/** Which pictures the text has, and which it has no longer. */
export async function settleAnnounce({ tx, id, verb, fields: { body } }: Change): Promise<void> {
  if (verb === 'delete' || typeof body !== 'string') return;
  await tx.delete(announcePictures).where(eq(announcePictures.announceId, id));
  const pictures = picturesIn(cleanBody(body));
  if (pictures.length > 0) await tx.insert(announcePictures).values(pictures.map((pictureId) => ({ announceId: id, pictureId })));
}

const momentOf = (value: unknown): Date | null => (typeof value === 'string' ? new Date(value) : null);

/** What has gone out, or is to by itself, stays as it was: people answer what they read. Of its text only what may be shown is kept. */
export async function prepareAnnounce({ tx, principal, verb, before, fields }: Change): Promise<Record<string, unknown>> {
  if (verb === 'edit' && !mayHappenToAnnounce(before?.['status'] as AnnounceStatus, 'announce.change')) throw new HttpError('editing_prohibited');
  if (before) {
    const { toWire, fromRow } = modelOf('announces');
    // Recipients out of sight stay, and are not counted here.
    const touchesAudience = Object.keys(announceAudience).some((field) => field in fields);
    const issues = announceIssues({ ...toWire(fromRow(before)), ...fields }).filter(
      ({ rule }) => touchesAudience || rule !== 'announce_needs_recipients',
    );
    if (issues.length > 0) throw new HttpError('invalid_data', { issues });
  }
  const { body: typed } = fields;
  const body = typeof typed === 'string' ? cleanBody(typed) : undefined;
  if (body !== undefined && plainBody(body) === '') throw invalidField(['body'], 'required');
  if (body !== undefined) await requireUsable(tx, principal, picturesIn(body));
  return {
    ...(body !== undefined && { body }),
    ...('execute_at' in fields && { executeAt: momentOf(fields['execute_at']) }),
    ...('ends_at' in fields && { endsAt: momentOf(fields['ends_at']) }),
  };
}

import { mayHappenToAnnounce } from '#machines/lifecycles/announce.machine.ts';
import { announceAudience, announceIssues, type AnnounceStatus } from '#models/announces.ts';
import { modelOf } from '#models/index.ts';
import { cleanBody, plainBody } from '#server/announces/sanitise.ts';
import type { Change } from '#server/crud/repository.ts';
import { HttpError, invalidField } from '#server/http-error.ts';

const momentOf = (value: unknown): Date | null => (typeof value === 'string' ? new Date(value) : null);

/** What has gone out, or is to by itself, stays as it was: people answer what they read. Of its text only what may be shown is kept. */
export async function prepareAnnounce({ verb, before, fields }: Change): Promise<Record<string, unknown>> {
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
  return {
    ...(body !== undefined && { body }),
    ...('execute_at' in fields && { executeAt: momentOf(fields['execute_at']) }),
    ...('ends_at' in fields && { endsAt: momentOf(fields['ends_at']) }),
  };
}

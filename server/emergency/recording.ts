import { readFile as readBytes } from 'node:fs/promises';
import { eq, sql } from 'drizzle-orm';
import { mayHappenToAlert } from '#machines/lifecycles/emergency-alert.machine.ts';
import { topics } from '#models/realtime.ts';
import { audit } from '../audit.ts';
import type { Principal, Services } from '../context.ts';
import { auditRefused } from '../crud/trail.ts';
import { holdRow, transact } from '../crud/write.ts';
import { emergencyAlerts } from '../db/schema/index.ts';
import { removeFile, storeFile } from '../files.ts';
import type { Upload } from '../http/form.ts';
import { HttpError } from '../http-error.ts';
import { emergencyAlertsRepository } from '../modules/emergency-alerts/repository.ts';
import { publish } from '../realtime/publish.ts';
import { heldAlert } from './life.ts';

/** A recording and what people call it. */
export interface Recording {
  bytes: Buffer;
  contentType: string;
  filename: string;
}

const longestName = 120;
const fewestBytes = 44;
const says = (bytes: Buffer, at: number, word: string): boolean => bytes.toString('latin1', at, at + word.length) === word;

/** What kind of sound the bytes are; null for none that is taken. What the sender calls it counts for nothing. */
export function soundType(bytes: Buffer): { contentType: string; ending: string } | null {
  if (bytes.length < fewestBytes) return null;
  if (says(bytes, 0, 'RIFF') && says(bytes, 8, 'WAVE')) return { contentType: 'audio/wav', ending: 'wav' };
  if (says(bytes, 0, 'OggS')) return { contentType: 'audio/ogg', ending: 'ogg' };
  const isFrame = bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe6) === 0xe2;
  return says(bytes, 0, 'ID3') || isFrame ? { contentType: 'audio/mpeg', ending: 'mp3' } : null;
}

/** A name without what turns text around or hides, with the ending of what it really is. */
function cleanName(given: string, ending: string): string {
  const bare = given
    .replaceAll(/[\p{Cc}\p{Cf}/\\]/gu, '')
    .replace(/\.[^.]*$/, '')
    .trim();
  return `${Array.from(bare || 'alert')
    .slice(0, longestName)
    .join('')}.${ending}`;
}

/** What somebody uploads. @throws HttpError `invalid_file` */
export async function uploadedRecording({ path, name }: Upload): Promise<Recording> {
  const bytes = await readBytes(path);
  const type = soundType(bytes);
  if (!type) throw new HttpError('invalid_file');
  return { bytes, contentType: type.contentType, filename: cleanName(name, type.ending) };
}

/** What was spoken by a program. @throws HttpError `unavailable` where it is no sound */
export function spokenRecording(bytes: Buffer, name: string): Recording {
  const type = soundType(bytes);
  if (!type) throw new HttpError('unavailable');
  return { bytes, contentType: type.contentType, filename: cleanName(`${name}.${type.ending}`, type.ending) };
}

/** Gives an alert a recording, or takes it away. @throws HttpError `editing_prohibited` while it is out, `file_not_found` */
export const setRecording = (
  services: Services,
  principal: Principal,
  id: string,
  recording: Recording | null,
  action: 'upload' | 'generate' = 'upload',
): Promise<{ filename: string }> =>
  auditRefused(services, principal, { area: 'emergency-alerts', verb: 'edit', id }, () =>
    transact(services, async (tx, later) => {
      await holdRow(tx, emergencyAlertsRepository, principal, 'edit', id);
      const { soundFile: old, filename: before, status, name, projectId } = await heldAlert(tx, id);
      if (!mayHappenToAlert(status, 'alert.change')) throw new HttpError('editing_prohibited');
      if (!recording && !old) throw new HttpError('file_not_found');
      const made =
        recording && (await storeFile(services, { projectId, kind: 'alert', contentType: recording.contentType, bytes: recording.bytes }, tx));
      const filename = recording?.filename ?? null;
      const at = services.now();
      await tx
        .update(emergencyAlerts)
        .set({ soundFile: made, filename, version: sql`${emergencyAlerts.version} + 1`, updatedAt: at })
        .where(eq(emergencyAlerts.id, id));
      const changes = { filename: { before, after: filename } };
      await audit(tx, principal, { area: 'emergency-alerts', action, entityId: id, entityName: name, changes }, at);
      await publish(tx, projectId, topics.area('emergency-alerts'), 'RowsChanged', { area: 'emergency-alerts', ids: [id] });
      if (old) later(() => removeFile(services, old));
      return { filename: filename ?? '' };
    }),
  );

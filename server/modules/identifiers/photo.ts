import { eq, sql } from 'drizzle-orm';
import { photoIssue } from '#models/photo-check.ts';
import { audit } from '#server/audit.ts';
import type { Principal, Services } from '#server/context.ts';
import { auditRefused } from '#server/crud/trail.ts';
import { holdRow, transact } from '#server/crud/write.ts';
import { identifiers } from '#server/db/schema/index.ts';
import { fileAddress, removeFile, storeFile } from '#server/files.ts';
import type { Upload } from '#server/http/form.ts';
import { HttpError } from '#server/http-error.ts';
import { judgePicture, scaleDown } from '../pictures.ts';
import { identifiersRepository } from './repository.ts';

/** Devices take no larger photos. */
const longestSide = 1_024;

/**
 * Gives a face identifier its photo and answers its address. Whether a face is in it only a device can tell; size, shape and sharpness
 * are looked at here as they were in the browser.
 * @throws HttpError `face_not_recognised` naming what is wrong, `invalid_file`
 */
export async function setPhoto(services: Services, principal: Principal, id: string, image: Upload): Promise<string> {
  const attempt = { area: 'identifiers', verb: 'edit', id } as const;
  const hold = (db: Services['db']) => holdRow(db, identifiersRepository, principal, 'edit', id);
  const held = await auditRefused(services, principal, attempt, () => hold(services.db));
  if (held['type'] !== 'face') throw new HttpError('editing_prohibited');
  const issue = photoIssue(await judgePicture(image.path));
  if (issue) throw new HttpError('face_not_recognised', { issues: [{ path: ['image'], ...issue }] });
  const picture = await scaleDown(image.path, longestSide);
  return auditRefused(services, principal, attempt, () =>
    transact(services, async (tx, later) => {
      const row = await hold(tx);
      const [stored] = await tx.select({ photo: identifiers.photoFile }).from(identifiers).where(eq(identifiers.id, id));
      const old = stored?.photo ?? null;
      const photoFile = await storeFile(services, { projectId: principal.projectId, kind: 'photo', ...picture }, tx);
      const at = services.now();
      await tx
        .update(identifiers)
        .set({ photoFile, version: sql`${identifiers.version} + 1`, updatedAt: at })
        .where(eq(identifiers.id, id));
      const changes = { photo: { before: fileAddress(old), after: fileAddress(photoFile) } };
      await audit(tx, principal, { area: 'identifiers', action: 'upload', entityId: id, entityName: String(row['name']), changes }, at);
      if (old) later(() => removeFile(services, old));
      return fileAddress(photoFile) ?? '';
    }),
  );
}

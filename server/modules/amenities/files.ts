import { readFile } from 'node:fs/promises';
import { eq, sql } from 'drizzle-orm';
import { audit } from '#server/audit.ts';
import type { Principal, Services } from '#server/context.ts';
import { auditRefused } from '#server/crud/trail.ts';
import { holdRow, transact } from '#server/crud/write.ts';
import { amenities } from '#server/db/schema/index.ts';
import { fileAddress, type NewFile, removeFile, storeFile } from '#server/files.ts';
import type { Upload } from '#server/http/form.ts';
import { HttpError } from '#server/http-error.ts';
import { scaleDown } from '../pictures.ts';
import { amenitiesRepository } from './repository.ts';

const longestSide = 1_600;
type StoredFile = Pick<NewFile, 'bytes' | 'contentType'>;

/** PDF that ends where it says. @throws HttpError `invalid_file` */
async function readPdf({ path }: Upload): Promise<StoredFile> {
  const bytes = await readFile(path);
  const isPdf = bytes.toString('latin1', 0, 5) === '%PDF-' && bytes.toString('latin1', Math.max(0, bytes.length - 1_024)).includes('%%EOF');
  if (!isPdf) throw new HttpError('invalid_file');
  return { bytes, contentType: 'application/pdf' };
}

const kinds = {
  image: {
    column: amenities.imageFile,
    key: 'imageFile',
    kind: 'amenity',
    read: ({ path }: Upload): Promise<StoredFile> => scaleDown(path, longestSide),
  },
  terms_of_use: { column: amenities.termsFile, key: 'termsFile', kind: 'terms', read: readPdf },
} as const;

/** Puts a file into its place at an amenity, or takes it away; answers its address. @throws HttpError `invalid_file`, `file_not_found` */
export async function setAmenityFile(
  services: Services,
  principal: Principal,
  id: string,
  field: keyof typeof kinds,
  upload: Upload | null,
): Promise<string> {
  const { column, key, kind, read } = kinds[field];
  const attempt = { area: 'amenities', verb: 'edit', id } as const;
  const hold = (db: Services['db']) => holdRow(db, amenitiesRepository, principal, 'edit', id);
  await auditRefused(services, principal, attempt, () => hold(services.db));
  const file = upload && (await read(upload));
  return auditRefused(services, principal, attempt, () =>
    transact(services, async (tx, later) => {
      const row = await hold(tx);
      const [stored] = await tx.select({ file: column }).from(amenities).where(eq(amenities.id, id));
      const old = stored?.file ?? null;
      if (!file && !old) throw new HttpError('file_not_found');
      const made = file && (await storeFile(services, { projectId: principal.projectId, kind, ...file }, tx));
      const at = services.now();
      await tx
        .update(amenities)
        .set({ [key]: made, version: sql`${amenities.version} + 1`, updatedAt: at })
        .where(eq(amenities.id, id));
      const changes = { [field]: { before: fileAddress(old), after: fileAddress(made) } };
      await audit(tx, principal, { area: 'amenities', action: 'upload', entityId: id, entityName: String(row['name']), changes }, at);
      if (old) later(() => removeFile(services, old));
      return fileAddress(made) ?? '';
    }),
  );
}

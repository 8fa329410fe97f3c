import { eq, sql } from 'drizzle-orm';
import { audit } from '#server/audit.ts';
import type { Principal, Services } from '#server/context.ts';
import { auditRefused } from '#server/crud/trail.ts';
import { holdRow, transact } from '#server/crud/write.ts';
import type { Db } from '#server/db/database.ts';
import { users } from '#server/db/schema/index.ts';
import { fileAddress, removeFile, storeFile } from '#server/files.ts';
import type { Upload } from '#server/http/form.ts';
import { type Crop, cropSquare } from '../pictures.ts';
import { usersRepository } from './repository.ts';
import { requireManageable } from './rules.ts';

const side = 256;

/** Puts another file (or none) in the place of an avatar, within a transaction that holds the user. */
async function replace(services: Services, principal: Principal, id: string, make: (tx: Db) => Promise<string | null>): Promise<string | null> {
  return auditRefused(services, principal, { area: 'users', verb: 'edit', id }, () =>
    transact(services, async (tx, later) => {
      const row = await holdRow(tx, usersRepository, principal, 'edit', id);
      await requireManageable({ tx, principal, id });
      const [user] = await tx.select({ avatar: users.avatarFile }).from(users).where(eq(users.id, id));
      const old = user?.avatar ?? null;
      const avatarFile = await make(tx);
      if (!old && !avatarFile) return null;
      await tx
        .update(users)
        .set({ avatarFile, version: sql`${users.version} + 1`, updatedAt: services.now() })
        .where(eq(users.id, id));
      const changes = { avatar_url: { before: fileAddress(old), after: fileAddress(avatarFile) } };
      await audit(tx, principal, { area: 'users', action: 'upload', entityId: id, entityName: String(row['name']), changes }, services.now());
      if (old) later(() => removeFile(services, old));
      return fileAddress(avatarFile);
    }),
  );
}

/** Makes an avatar of a part of an uploaded picture and answers its address. @throws HttpError `invalid_file` */
export async function setAvatar(services: Services, principal: Principal, id: string, image: Upload, crop: Crop): Promise<string> {
  await auditRefused(services, principal, { area: 'users', verb: 'edit', id }, () => holdRow(services.db, usersRepository, principal, 'edit', id));
  const picture = await cropSquare(image.path, crop, side);
  const address = await replace(services, principal, id, (tx) =>
    storeFile(services, { projectId: principal.projectId, kind: 'avatar', ...picture }, tx),
  );
  return address ?? '';
}

/** Takes an avatar away; where there is none, nothing happens. */
export async function removeAvatar(services: Services, principal: Principal, id: string): Promise<void> {
  await replace(services, principal, id, () => Promise.resolve(null));
}

import { eq, sql } from 'drizzle-orm';
import { audit } from '#server/audit.ts';
import type { Principal, Services } from '#server/context.ts';
import { auditRefused } from '#server/crud/trail.ts';
import { holdRow, transact } from '#server/crud/write.ts';
import type { Db } from '#server/db/database.ts';
import { groups } from '#server/db/schema/index.ts';
import { fileAddress, removeFile, storeFile } from '#server/files.ts';
import type { Upload } from '#server/http/form.ts';
import { scaleDown } from '../pictures.ts';
import { groupsRepository } from './repository.ts';
import { requireParts } from './rules.ts';

const longest = 512;

/** Puts another file (or none) in the place of a logo, within a transaction that holds the group. */
function replace(services: Services, principal: Principal, id: string, make: (tx: Db) => Promise<string | null>): Promise<string | null> {
  return auditRefused(services, principal, { area: 'groups', verb: 'edit', id }, () =>
    transact(services, async (tx, later) => {
      const row = await holdRow(tx, groupsRepository, principal, 'edit', id);
      await requireParts(tx, principal, id, ['whitelabel']);
      const [group] = await tx.select({ logo: groups.logoFile }).from(groups).where(eq(groups.id, id));
      const old = group?.logo ?? null;
      const logoFile = await make(tx);
      if (!old && !logoFile) return null;
      await tx
        .update(groups)
        .set({ logoFile, version: sql`${groups.version} + 1`, updatedAt: services.now() })
        .where(eq(groups.id, id));
      const changes = { 'whitelabel.logo': { before: fileAddress(old), after: fileAddress(logoFile) } };
      await audit(tx, principal, { area: 'groups', action: 'upload', entityId: id, entityName: String(row['name']), changes }, services.now());
      if (old) later(() => removeFile(services, old));
      return fileAddress(logoFile);
    }),
  );
}

/** Stores an uploaded picture as a group's white-label logo and answers its address. @throws HttpError `invalid_file` */
export async function setLogo(services: Services, principal: Principal, id: string, image: Upload): Promise<string> {
  await auditRefused(services, principal, { area: 'groups', verb: 'edit', id }, () => holdRow(services.db, groupsRepository, principal, 'edit', id));
  const picture = await scaleDown(image.path, longest);
  return (
    (await replace(services, principal, id, (tx) => storeFile(services, { projectId: principal.projectId, kind: 'logo', ...picture }, tx))) ?? ''
  );
}

/** Takes a logo away; where there is none, nothing happens. */
export async function removeLogo(services: Services, principal: Principal, id: string): Promise<void> {
  await replace(services, principal, id, () => Promise.resolve(null));
}

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { and, desc, eq, lt } from 'drizzle-orm';
import { type Backup, type BackupKind, type BackupOverview, plainSchedule } from '#models/backups.ts';
import { lengthOf } from '#models/time.ts';
import { scopeOf } from '../access/scope.ts';
import { audit, type AuditActor } from '../audit.ts';
import type { Principal, Services } from '../context.ts';
import { isoTime, personThen } from '../crud/json.ts';
import { backups, backupSchedules, users } from '../db/schema/index.ts';
import { HttpError } from '../http-error.ts';
import { productVersion } from './manifest.ts';
import { type Steps, writeBackup } from './write.ts';

type BackupRow = typeof backups.$inferSelect;

const folderOf = ({ config }: Pick<Services, 'config'>): string => join(config.data, 'backups');
/** Where the archive of a backup lies. */
export const archivePath = (services: Pick<Services, 'config'>, id: string): string => join(folderOf(services), `${id}.zip`);

/** The backups of a project as somebody who may see them is told, newest first. */
export async function readBackups({ db }: Pick<Services, 'db'>, principal: Principal): Promise<BackupOverview> {
  const rows = await db
    .select({
      id: backups.id,
      name: backups.name,
      entities: backups.entities,
      state: backups.state,
      bytes: backups.bytes,
      checksum: backups.checksum,
      version: backups.productVersion,
      is_scheduled: backups.isScheduled,
      created_at: isoTime(backups.createdAt),
      created_by: personThen(scopeOf(principal), backups.createdBy, backups.createdByName),
    })
    .from(backups)
    .where(eq(backups.projectId, principal.projectId))
    .orderBy(desc(backups.createdAt));
  const [schedule] = await db.select().from(backupSchedules).where(eq(backupSchedules.projectId, principal.projectId));
  const zone = schedule ?? (await zoneOf({ db }, principal));
  return {
    backups: rows as unknown as Backup[],
    schedule: schedule ? { is_active: schedule.isActive, hour: schedule.hour, keep: schedule.keep, entities: schedule.entities } : plainSchedule,
    zone: { hours: zone.zoneHours, name: zone.zoneName },
  };
}

/** Where somebody reads the time. */
export async function zoneOf({ db }: Pick<Services, 'db'>, { id }: Pick<Principal, 'id'>) {
  const [user] = await db.select({ zoneHours: users.timeZone, zoneName: users.timeZoneName }).from(users).where(eq(users.id, id));
  if (!user) throw new HttpError('not_authorized');
  return user;
}

/** A backup of the project that is there to be used. @throws HttpError `not_found` */
export async function readyBackup({ db }: Pick<Services, 'db'>, { projectId }: Pick<Principal, 'projectId'>, id: string): Promise<BackupRow> {
  const [row] = await db
    .select()
    .from(backups)
    .where(and(eq(backups.id, id), eq(backups.projectId, projectId), eq(backups.state, 'ready')));
  if (!row) throw new HttpError('not_found');
  return row;
}

async function checksumOf(path: string): Promise<string> {
  const digest = createHash('sha256');
  for await (const chunk of createReadStream(path)) digest.update(chunk as Buffer);
  return digest.digest('hex');
}

export interface NewBackup {
  name: string;
  entities: readonly BackupKind[];
  isScheduled: boolean;
}

/** Writes the row down, then the archive; one that does not come about is said to have failed. */
export async function makeBackup(services: Services, actor: AuditActor, { name, entities, isScheduled }: NewBackup, steps: Steps): Promise<void> {
  const { db, now } = services;
  const { projectId } = actor;
  const [row] = await db
    .insert(backups)
    .values({
      projectId,
      name,
      entities: [...entities],
      productVersion: productVersion(),
      isScheduled,
      ...(!isScheduled && { createdBy: actor.id, createdByName: actor.name }),
      createdAt: now(),
    })
    .returning({ id: backups.id });
  if (!row) throw new HttpError('internal');
  const path = archivePath(services, row.id);
  const beside = `${path}.part`;
  try {
    await mkdir(folderOf(services), { recursive: true });
    await writeBackup(services, { projectId, name, entities }, beside, steps);
    await rename(beside, path);
    const { size } = await stat(path);
    const checksum = await checksumOf(path);
    await db.transaction(async (tx) => {
      await tx.update(backups).set({ state: 'ready', bytes: size, checksum }).where(eq(backups.id, row.id));
      const changes = {
        entities: { before: null, after: [...entities] },
        bytes: { before: null, after: size },
        checksum: { before: null, after: checksum },
      };
      await audit(tx, actor, { area: 'backups', action: 'create', entityId: row.id, entityName: name, changes }, now());
    });
  } catch (error) {
    await rm(beside, { force: true });
    await rm(path, { force: true });
    await db.update(backups).set({ state: 'failed' }).where(eq(backups.id, row.id));
    throw error;
  }
}

/** Takes a backup away, row and file. One that is being made is left alone. @throws HttpError `not_found` */
export async function removeBackup(services: Services, actor: AuditActor, id: string): Promise<void> {
  await services.db.transaction(async (tx) => {
    const [row] = await tx
      .delete(backups)
      .where(and(eq(backups.id, id), eq(backups.projectId, actor.projectId)))
      .returning();
    if (!row || row.state === 'making') throw new HttpError('not_found');
    await audit(tx, actor, { area: 'backups', action: 'delete', entityId: id, entityName: row.name }, services.now());
  });
  await rm(archivePath(services, id), { force: true });
}

/** No backup takes longer than an hour; of the embedded database none outlives its process. */
export async function forgetUnfinished({ db, now, config }: Services, atStart: boolean): Promise<void> {
  const before = new Date(now().getTime() - (atStart && !config.databaseUrl ? 0 : lengthOf(2, 'hour')));
  await db
    .update(backups)
    .set({ state: 'failed' })
    .where(and(eq(backups.state, 'making'), lt(backups.createdAt, before)));
}

import { rm } from 'node:fs/promises';
import { and, eq, ne, sql } from 'drizzle-orm';
import type { BackupKind } from '#models/backups.ts';
import { areaNames } from '#models/areas.ts';
import { topics } from '#models/realtime.ts';
import { audit, type AuditActor } from '../audit.ts';
import type { Services } from '../context.ts';
import { onOwnConnection } from '../db/alone.ts';
import type { Db } from '../db/database.ts';
import { devices, sessions, users } from '../db/schema/index.ts';
import { queueSynchronise } from '../devices/copies.ts';
import { storedPath } from '../files.ts';
import { HttpError } from '../http-error.ts';
import { notifyLicenceChange } from '../licences/store.ts';
import { announce, type Message, publish } from '../realtime/publish.ts';
import { openBackup } from './check.ts';
import type { Manifest } from './manifest.ts';
import { replaceRows } from './replace.ts';
import { requireRoom, dropStages, stageBackup } from './stage.ts';
import type { Steps } from './write.ts';

/** Whoever wants it, and for which project; for none when a machine is made anew. */
export interface Restoring {
  actor: Omit<AuditActor, 'projectId'>;
  projectId: string | null;
}

/** Any number; all processes of an installation use this one, so that one restores at a time. */
const restoreLock = 7_340_022;
/** People in one message of the channel. */
const atOnce = 100;

/** One restores at a time; on PostgreSQL other processes may want to as well. @throws HttpError `unavailable` */
async function requireAlone({ config }: Services, db: Db): Promise<void> {
  if (!config.databaseUrl) return;
  const { rows } = await db.execute<{ taken: boolean }>(sql`select pg_try_advisory_lock(${restoreLock}) as taken`);
  if (!rows[0]?.taken) throw new HttpError('unavailable');
}

const holdsDevices: readonly BackupKind[] = ['people', 'access', 'devices'];

/** What everybody must hear once a project is what it was: every row may be another, and whoever is signed in no longer is. */
async function notifyAll(tx: Db, project: string, signedIn: readonly string[]): Promise<void> {
  await publish(tx, project, topics.appChanges, 'ProjectRestored', {});
  await notifyLicenceChange(tx, project);
  const messages: Message[] = areaNames.map((area) => ({ project, topic: topics.area(area), name: 'RowsChanged', payload: { area, ids: [] } }));
  for (let from = 0; from < signedIn.length; from += atOnce) messages.push({ project, users: signedIn.slice(from, from + atOnce) });
  await announce(tx, messages);
}

async function notifyDevices(tx: Db, projectId: string): Promise<void> {
  const rows = await tx
    .select({ id: devices.id })
    .from(devices)
    .where(and(eq(devices.projectId, projectId), ne(devices.protocol, 'none')));
  await queueSynchronise(
    tx,
    rows.map(({ id }) => id),
  );
}

/** Everything at once, or nothing: replaces, signs out, writes it in the trail, and lets everybody know. */
function replaceAll(services: Services, db: Db, manifest: Manifest, staged: Parameters<typeof replaceRows>[1], actor: Restoring['actor']) {
  const projectId = manifest.project.id;
  return db.transaction(async (tx) => {
    const signedIn = await tx
      .selectDistinct({ id: users.id })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(eq(users.projectId, projectId));
    const free = await replaceRows(tx, staged, { projectId, entities: manifest.entities });
    const { name, entities, version, made_at } = manifest;
    const changes = Object.fromEntries(Object.entries({ entities, version, made_at }).map(([field, after]) => [field, { before: null, after }]));
    await audit(tx, { ...actor, projectId }, { area: 'backups', action: 'restore', entityName: name, changes }, services.now());
    if (manifest.entities.some((kind) => holdsDevices.includes(kind))) await notifyDevices(tx, projectId);
    await notifyAll(
      tx,
      projectId,
      signedIn.map(({ id }) => id),
    );
    return free;
  });
}

/**
 * Restores an archive: its rows are put beside the tables first, which nobody notices, and then take their place in one transaction. Whatever ends the
 * process, either the old or the new state is there.
 * @throws HttpError `invalid_data` with the reason for which it is refused, `storage_full`, `unavailable`
 */
export async function restoreBackup(services: Services, path: string, { actor, projectId }: Restoring, steps: Steps): Promise<Manifest> {
  const opened = await openBackup(path, { config: services.config, projectId });
  const { zip, manifest } = opened;
  try {
    await requireRoom(services, manifest);
    await onOwnConnection(services, async (db) => {
      await requireAlone(services, db);
      try {
        const staged = await stageBackup(services, db, opened, steps);
        steps.stopIfCancelled();
        const free = await replaceAll(services, db, manifest, staged, actor);
        for (const id of free) await rm(storedPath(services, id), { force: true });
      } finally {
        await dropStages(db).catch((error: unknown) => services.log.warn({ err: error }, 'what a restore had put aside could not be removed'));
      }
    });
    return manifest;
  } finally {
    await zip.close();
  }
}

import { and, desc, eq, isNull, ne, or, type SQL } from 'drizzle-orm';
import type { BackupOverview, BackupSchedule } from '#models/backups.ts';
import { clockAt } from '#models/zone.ts';
import { audit, changesBetween } from '../audit.ts';
import type { Principal, Services } from '../context.ts';
import { backups, backupSchedules } from '../db/schema/index.ts';
import { makeBackup, readBackups, removeBackup, zoneOf } from './store.ts';
import { unfollowed } from './write.ts';

/** Who does what nobody has pressed a button for. */
const nobody = { id: '00000000-0000-0000-0000-000000000000', name: 'Doorward', ip: '', userAgent: null };

/** Changes when backups are made by themselves; the hour is one of whoever says so. */
export async function changeSchedule(services: Services, principal: Principal, wanted: BackupSchedule): Promise<BackupOverview> {
  const { projectId } = principal;
  const { schedule: before } = await readBackups(services, principal);
  const set = {
    isActive: wanted.is_active,
    hour: wanted.hour,
    keep: wanted.keep,
    entities: wanted.entities,
    ...(await zoneOf(services, principal)),
  };
  await services.db.transaction(async (tx) => {
    await tx
      .insert(backupSchedules)
      .values({ projectId, ...set })
      .onConflictDoUpdate({ target: backupSchedules.projectId, set });
    await audit(tx, principal, { area: 'backups', action: 'update', changes: changesBetween({ ...before }, { ...wanted }) }, services.now());
  });
  return readBackups(services, principal);
}

/** The day for which a backup is due: today, once its hour has come. */
function dueFor({ hour, zoneHours, zoneName, doneFor }: typeof backupSchedules.$inferSelect, at: number): string | null {
  const clock = clockAt({ zoneHours, zoneName }, at);
  const today = clock.format('YYYY-MM-DD');
  return clock.hour() >= hour && doneFor !== today ? today : null;
}

/** Of backups that were made by themselves the newest are kept; those that people made are theirs to remove. */
async function forgetOld(services: Services, projectId: string, keep: number): Promise<void> {
  const rows = await services.db
    .select({ id: backups.id })
    .from(backups)
    .where(and(eq(backups.projectId, projectId), eq(backups.isScheduled, true), ne(backups.state, 'making')))
    .orderBy(desc(backups.createdAt))
    .offset(keep);
  for (const { id } of rows) await removeBackup(services, { ...nobody, projectId }, id);
}

/** Makes every backup that is due, each by one process alone, and lets old ones go. */
export async function makeScheduled(services: Services): Promise<void> {
  const { db, now, log } = services;
  for (const schedule of await db.select().from(backupSchedules).where(eq(backupSchedules.isActive, true))) {
    const { projectId, entities, keep, doneFor } = schedule;
    const day = dueFor(schedule, now().getTime());
    if (day === null) continue;
    const still: SQL | undefined =
      doneFor === null ? isNull(backupSchedules.doneFor) : or(isNull(backupSchedules.doneFor), eq(backupSchedules.doneFor, doneFor));
    const taken = await db
      .update(backupSchedules)
      .set({ doneFor: day })
      .where(and(eq(backupSchedules.projectId, projectId), still))
      .returning({ id: backupSchedules.projectId });
    if (taken.length === 0) continue;
    try {
      await makeBackup(services, { ...nobody, projectId }, { name: day, entities, isScheduled: true }, unfollowed);
      await forgetOld(services, projectId, keep);
    } catch (error) {
      log.error({ err: error, project: projectId }, 'the backup of the day failed');
    }
  }
}

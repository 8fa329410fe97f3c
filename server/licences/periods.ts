import { and, eq, lte, sql } from 'drizzle-orm';
import { flagsOf, nothingLicensed } from '#models/licence-info.ts';
import { audit } from '../audit.ts';
import type { Services } from '../context.ts';
import { users } from '../db/schema/index.ts';

const atOnce = 100;

/**
 * Switches off the features of people whose licence period has ended: those who registered by themselves as a type that has one. An
 * administrator who changes the features of a person takes the period away with it. @returns how many people
 */
export async function endPeriods({ db, now }: Pick<Services, 'db' | 'now'>): Promise<number> {
  const at = now();
  const due = await db.select({ id: users.id }).from(users).where(lte(users.licenceEndsAt, at)).orderBy(users.licenceEndsAt).limit(atOnce);
  let ended = 0;
  for (const { id } of due)
    await db.transaction(async (tx) => {
      const [user] = await tx
        .select()
        .from(users)
        .where(and(eq(users.id, id), lte(users.licenceEndsAt, at)))
        .for('update');
      if (!user) return;
      await tx
        .update(users)
        .set({ licenseInfo: nothingLicensed, licenceEndsAt: null, version: sql`${users.version} + 1`, updatedAt: at })
        .where(eq(users.id, id));
      const on = [...flagsOf(user.licenseInfo)].filter(([, isOn]) => isOn);
      const changes = Object.fromEntries(on.map(([flag]) => [`license_info.${flag}`, { before: true, after: false }]));
      const actor = { projectId: user.projectId, id: user.id, name: user.name, ip: '', userAgent: null };
      await audit(tx, actor, { area: 'users', action: 'update', entityId: id, entityName: user.name, changes }, at);
      ended += 1;
    });
  return ended;
}

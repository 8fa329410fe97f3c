import { eq, sql } from 'drizzle-orm';
import type { GeneralSettings, OpenKinds, ShownGeneral } from '#models/project-settings.ts';
import { hasPermission } from '#models/permissions.ts';
import { wholeHours } from '#models/zone.ts';
import type { Principal, Services } from '../context.ts';
import type { Db } from '../db/database.ts';
import { projects, type users } from '../db/schema/index.ts';
import { changeSettings, readSettings } from '../licences/settings.ts';
import { refusedField } from '../modules/roles/rules.ts';
import { blockOfProjects, changeBlock, type Patch, projectSettings, readBlock, writeTrail } from './store.ts';

/** The general settings, with the basic licence as the licences have it. */
export async function shownGeneral({ db }: Services, projectId: string): Promise<ShownGeneral> {
  const [{ general }, { basic_period_days, basic_quantity }] = await Promise.all([projectSettings(db, projectId), readSettings(db, projectId)]);
  return { ...general, basic_license: { period_days: basic_period_days, quantity: basic_quantity } };
}

/** Changes what a PATCH names. @throws HttpError `forbidden` for the basic licence of somebody who does not manage licences */
export async function setGeneral(services: Services, principal: Principal, patch: Patch<ShownGeneral>): Promise<ShownGeneral> {
  const { name, description, basic_license: basic, ...block } = patch;
  const was = await shownGeneral(services, principal.projectId);
  const isOther = basic !== undefined && JSON.stringify(basic) !== JSON.stringify(was.basic_license);
  if (isOther && !hasPermission(principal, 'can_manage_licenses')) throw refusedField('basic_license', 'not_allowed');
  await changeBlock(services, principal, 'general', block, async ({ tx }) => {
    await rename(services, tx, principal, { ...(name !== undefined && { name }), ...(description !== undefined && { description }) });
    return {};
  });
  if (isOther) await changeSettings(services, principal, { basic_period_days: basic.period_days, basic_quantity: basic.quantity });
  return shownGeneral(services, principal.projectId);
}

/** What the project is called stands with it; profiles show it and are others from then on. */
async function rename(
  services: Services,
  tx: Db,
  principal: Principal,
  patch: Partial<Pick<GeneralSettings, 'name' | 'description'>>,
): Promise<void> {
  const [before] = await tx
    .select({ name: projects.name, description: projects.description })
    .from(projects)
    .where(eq(projects.id, principal.projectId));
  if (!before || JSON.stringify({ ...before, ...patch }) === JSON.stringify(before)) return;
  await tx
    .update(projects)
    .set({ ...patch, version: sql`${projects.version} + 1`, updatedAt: services.now() })
    .where(eq(projects.id, principal.projectId));
  await writeTrail(services, tx, principal, 'general', before, { ...before, ...patch });
}

/** The columns with which a project's new users start. */
export async function newUserColumns(db: Db, projectId: string, now: Date): Promise<Partial<typeof users.$inferInsert>> {
  const { value } = await readBlock(db, projectId, 'general');
  const zone = value.time_zone_name;
  return {
    locale: value.locale,
    timeFormat: value.time_format,
    identifierFormat: value.identifier_format,
    ...(zone !== null && { timeZoneName: zone, timeZone: wholeHours(zone, now.getTime()) }),
  };
}

/** With what links in mails of a project begin. */
export async function linkBase(db: Db, { config }: Pick<Services, 'config'>, projectId: string): Promise<string> {
  const { value } = await readBlock(db, projectId, 'general');
  return (value.server_url ?? config.publicUrl).replace(/\/+$/, '');
}

/** Which kinds of registration any of the projects has open; one that set nothing has recovery alone. */
export async function openKinds({ db }: Services): Promise<OpenKinds> {
  const [all, set] = await Promise.all([db.select({ id: projects.id }).from(projects), blockOfProjects(db, 'general')]);
  const opens = [...set.values()];
  return {
    simple: opens.some(({ registration }) => registration.simple),
    self: opens.some(({ registration }) => registration.self),
    recovery: set.size < all.length || opens.some(({ password_recovery: isOpen }) => isOpen),
  };
}

import { and, eq, sql } from 'drizzle-orm';
import { featuresEnd, lifeOf, maySwitch } from '#machines/lifecycles/licence-life.machine.ts';
import type { LicencePayload } from '#models/licences.ts';
import type { AuditEvent } from '#models/audit-events.ts';
import { constants } from '#models/constants.ts';
import { topics } from '#models/realtime.ts';
import { audit } from '../audit.ts';
import type { Principal, Services } from '../context.ts';
import type { Db } from '../db/database.ts';
import { licences, projects } from '../db/schema/index.ts';
import { publish } from '../realtime/publish.ts';
import { HttpError } from '../http-error.ts';
import { secondsOf } from './features.ts';
import { openLicence } from './file.ts';
import { instanceId } from './instance.ts';
import { factsOf, readLicences, type StoredLicence, trustedKeys } from './stored.ts';

/** How people call a licence in the trail: by the beginning of its number. */
const nameOf = ({ id }: LicencePayload): string => id.slice(0, 8).toUpperCase();

/** Lets every console of a project know: the profile's version grows, and whoever listens is told. */
export async function notifyLicenceChange(tx: Db, projectId: string): Promise<void> {
  await tx
    .update(projects)
    .set({ version: sql`${projects.version} + 1` })
    .where(eq(projects.id, projectId));
  await publish(tx, projectId, topics.appChanges, 'LicenceChanged', {});
}

/** A moment as the trail tells it; none where there is no such limit. */
const shown = (at: number): string | null =>
  at === constants.unlimitedLicencePeriod.from || at === constants.unlimitedLicencePeriod.to ? null : new Date(at * 1_000).toISOString();
function summary(after: LicencePayload, before?: LicencePayload): AuditEvent['changes'] {
  const changes = (['from', 'to'] as const).map(
    (bound) => [`period_${bound}`, { before: before ? shown(before.period[bound]) : null, after: shown(after.period[bound]) }] as const,
  );
  return Object.fromEntries(changes.filter(([, change]) => change.before !== change.after));
}

/** Opens a licence file for a project. @throws HttpError `corrupted_file`, `licence_bad_signature`, `licence_not_applicable`, `licence_expired` */
async function openFor(services: Services, projectId: string, file: string): Promise<LicencePayload> {
  const { payload, isTrusted } = openLicence(file, await trustedKeys(services));
  if (!isTrusted) throw new HttpError('licence_bad_signature');
  const [project] = await services.db.select({ uid: projects.uid }).from(projects).where(eq(projects.id, projectId));
  const here = await instanceId(services.db);
  if (payload.project !== project?.uid || (payload.instance ?? here) !== here) throw new HttpError('licence_not_applicable');
  const { period, grace_days: graceDays } = payload;
  if (featuresEnd({ period, graceDays }) <= secondsOf(services.now())) throw new HttpError('licence_expired');
  return payload;
}

/** What becomes of a licence beside those that are there: it is new, or a newer edition of one. */
function placeFor(payload: LicencePayload, stored: readonly StoredLicence[]): StoredLicence | null {
  const same = stored.find(({ payload: known }) => known.id === payload.id);
  if (same && same.payload.issued_at >= payload.issued_at) throw new HttpError('licence_instance_registered');
  if (payload.type === 'extension' && !stored.some(({ payload: known }) => known.type === 'basic')) throw new HttpError('licence_not_applicable');
  return same ?? null;
}

/**
 * Adds a licence file to the principal's project, or puts a newer edition in the place of the one that is there.
 * @throws HttpError as `openFor`, and `licence_instance_registered` for one that is there already
 */
export async function addLicence(services: Services, principal: Principal, file: string, source: 'file' | 'cloud'): Promise<'added' | 'renewed'> {
  const payload = await openFor(services, principal.projectId, file);
  const at = services.now();
  return services.db.transaction(async (tx) => {
    // Two who add at once: the second waits, and then sees what the first has added.
    await tx.execute(sql`select ${projects.id} from ${projects} where ${projects.id} = ${principal.projectId} for update`);
    const same = placeFor(payload, await readLicences({ ...services, db: tx }, principal.projectId));
    const values = { file, source, updatedAt: at };
    const [row] = same
      ? await tx
          .update(licences)
          .set({ ...values, version: sql`${licences.version} + 1` })
          .where(eq(licences.id, same.id))
          .returning({ id: licences.id })
      : await tx
          .insert(licences)
          .values({ ...values, projectId: principal.projectId, number: payload.id, createdBy: principal.id, createdAt: at })
          .returning({ id: licences.id });
    const entry = { area: 'licenses', entityId: row?.id ?? null, entityName: nameOf(payload), changes: summary(payload, same?.payload) };
    await audit(tx, principal, { ...entry, action: same ? 'update' : 'create' }, at);
    await notifyLicenceChange(tx, principal.projectId);
    return same ? 'renewed' : 'added';
  });
}

/** One licence of the principal's project, held for a change. @throws HttpError `not_found` */
async function holdLicence(services: Services, tx: Db, principal: Principal, id: string): Promise<StoredLicence> {
  await tx.execute(sql`select ${licences.id} from ${licences} where ${licences.id} = ${id} for update`);
  const found = (await readLicences({ ...services, db: tx }, principal.projectId)).find((licence) => licence.id === id);
  if (!found) throw new HttpError('not_found');
  return found;
}

/** Removes a licence; what it gave is gone at once. */
export async function removeLicence(services: Services, principal: Principal, id: string): Promise<void> {
  await services.db.transaction(async (tx) => {
    const { payload } = await holdLicence(services, tx, principal, id);
    await tx.delete(licences).where(and(eq(licences.id, id), eq(licences.projectId, principal.projectId)));
    await audit(tx, principal, { area: 'licenses', action: 'delete', entityId: id, entityName: nameOf(payload) }, services.now());
    await notifyLicenceChange(tx, principal.projectId);
  });
}

/** Switches a licence on or off. @throws HttpError `licence_expired` for one that is over, `not_found` */
export async function switchLicence(services: Services, principal: Principal, id: string, isEnabled: boolean): Promise<void> {
  await services.db.transaction(async (tx) => {
    const stored = await holdLicence(services, tx, principal, id);
    if (stored.isEnabled === isEnabled) return;
    const at = services.now();
    const facts = { ...factsOf(stored, at), isEnabled: stored.isEnabled };
    if (!maySwitch(facts, isEnabled)) throw new HttpError(lifeOf(facts).status === 'expired' ? 'licence_expired' : 'licence_not_applicable');
    await tx
      .update(licences)
      .set({ isEnabled, version: sql`${licences.version} + 1`, updatedAt: at })
      .where(eq(licences.id, id));
    const changes = { is_enabled: { before: stored.isEnabled, after: isEnabled } };
    await audit(tx, principal, { area: 'licenses', action: 'update', entityId: id, entityName: nameOf(stored.payload), changes }, at);
    await notifyLicenceChange(tx, principal.projectId);
  });
}

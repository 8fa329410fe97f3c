import { sql } from 'drizzle-orm';
import { isArea, type AreaName } from '#models/areas.ts';
import { scopesOf } from '#models/permissions.ts';
import type { Topic } from '#models/realtime.ts';
import { idArray } from '../access/measures.ts';
import { seesAll, type ViewScope, scopeOf, visibleIds } from '../access/scope.ts';
import { audit } from '../audit.ts';
import type { Principal, Services } from '../context.ts';
import { ownJob } from '../jobs/store.ts';
import { mayHearOf } from '../modules/calls/queues.ts';
import { HttpError } from '../http-error.ts';

type Rules = { [K in Topic['kind']]: (services: Services, principal: Principal, topic: Extract<Topic, { kind: K }>) => boolean | Promise<boolean> };

/** The ids among these that a sight takes in; null is all of them. */
export async function seenAmong({ db }: Services, scope: ViewScope, area: AreaName, ids: readonly string[]): Promise<ReadonlySet<string> | null> {
  if (seesAll(scope, area)) return null;
  const { rows } = await db.execute<{ id: string }>(sql`select seen.id from ${visibleIds(scope, area)} seen where seen.id = any(${idArray(ids)})`);
  return new Set(rows.map(({ id }) => id));
}

async function isVisible(services: Services, principal: Principal, area: string, id: string): Promise<boolean> {
  if (!isArea(area) || scopesOf(principal, 'view', area).length === 0) return false;
  const { rows } = await services.db.execute(sql`select 1 from ${visibleIds(scopeOf(principal), area)} seen where seen.id = ${id}`);
  return rows.length > 0;
}

const whetherFound = async (reading: Promise<unknown>): Promise<boolean> => {
  try {
    await reading;
    return true;
  } catch (error) {
    if (error instanceof HttpError) return false;
    throw error;
  }
};

/** Who may listen to what. A kind of topic that has no rule here does not compile; what a rule does not allow is denied. */
const rules: Rules = {
  user: (_, principal, { id }) => id === principal.id,
  // Of role changes everybody hears only those of their own role: the hub tells each apart.
  appChanges: () => true,
  area: (_, principal, { area }) => scopesOf(principal, 'view', area).length > 0,
  device: (services, principal, { id }) => isVisible(services, principal, 'devices', id),
  editors: (services, principal, { area, id }) => isVisible(services, principal, area, id),
  editing: (services, principal, { area, id }) => isVisible(services, principal, area, id),
  job: (services, principal, { id }) => whetherFound(ownJob(services, principal, id)),
  calls: (services, principal, { number }) => mayHearOf(services, principal, number),
};

/** May the principal listen to a topic at this moment? */
export async function mayListen<K extends Topic['kind']>(
  services: Services,
  principal: Principal,
  topic: Extract<Topic, { kind: K }>,
): Promise<boolean> {
  return (rules[topic.kind as K] as Rules[K])(services, principal, topic);
}

/** The trail's word for what a topic is about. */
const areaOf = (topic: Topic): string => {
  if ('area' in topic) return topic.area;
  return { user: 'users', appChanges: 'roles', device: 'devices', job: 'jobs', calls: 'calls' }[topic.kind];
};

/** Keeps in the trail that a subscription was refused. */
export function auditRefused(services: Services, principal: Principal, topic: Topic, name: string): Promise<void> {
  const changes = { topic: { before: null, after: name } };
  return audit(
    services.db,
    principal,
    { area: areaOf(topic), action: 'refused', entityId: 'id' in topic ? topic.id : null, changes },
    services.now(),
  );
}

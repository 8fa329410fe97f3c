import { and, eq, type SQL, sql } from 'drizzle-orm';
import { accessSteps } from '#models/access-calls.ts';
import type { AccessMatrix, MatrixCell } from '#models/access-matrix.ts';
import { hasDoor } from '#models/device-models.ts';
import { scopesOf } from '#models/permissions.ts';
import { decide, type Decision, judge } from '#server/access/decide.ts';
import { worldForPage } from '#server/access/load.ts';
import { idArray } from '#server/access/measures.ts';
import { permitting, reachedBy, reaching } from '#server/access/rule-sets.ts';
import { scopeOf, viewable } from '#server/access/scope.ts';
import type { Credential, World } from '#server/access/world.ts';
import type { Principal, Services } from '#server/context.ts';
import { namesAlong } from '#server/crud/group-path.ts';
import { inNameOrder } from '#server/crud/json.ts';
import { devices, groups, identifiers, userDomains, users } from '#server/db/schema/index.ts';

/** Which people and doors of a project the table is about. */
export interface MatrixQuestion {
  people_group: string | null;
  doors_group: string | null;
  person_id: string | null;
  door_id: string | null;
  only_reached: boolean;
  person: string;
  door: string;
}
export interface Axis {
  id: string;
  name: string;
}
export interface PersonAxis extends Axis {
  group: string | null;
}
interface Part {
  limit: number;
  offset: number;
}

/** So many groups of the way down to a person's are named. */
const nearest = 3;

const containing = (name: SQL, text: string): SQL | undefined =>
  text.trim() === '' ? undefined : sql`strpos(lower(${name}), lower(${text.trim()})) > 0`;
const below = (group: string): SQL => sql`(select ${groups.id} from ${groups} where ${group}::uuid = any(${groups.path}))`;

/** The people of the table by name, among those in sight. */
export async function peopleOf(
  { db }: Services,
  principal: Principal,
  { person, people_group: group, person_id: id, door_id: door, only_reached: only }: MatrixQuestion,
  { limit, offset }: Part,
): Promise<{ rows: PersonAxis[]; total: number }> {
  const where = and(
    viewable(scopeOf(principal), 'users'),
    containing(sql`${users.name}`, person),
    id === null ? undefined : eq(users.id, id),
    only ? sql`${users.id} in ${reachedBy(permitting(door))}` : undefined,
    group === null
      ? undefined
      : sql`${users.id} in (select ${userDomains.userId} from ${userDomains} where ${userDomains.groupId} in ${below(group)})`,
  );
  const scope = scopeOf(principal);
  const { rows } = await db.execute<Axis & { path: string[] | null } & Record<string, unknown>>(sql`
    select ${users.id}, ${users.name}, (select ${namesAlong(scope, groups.path)} from ${userDomains} join ${groups} on ${groups.id} = ${userDomains.groupId}
      where ${userDomains.userId} = ${users.id} and ${viewable(scope, 'groups')} order by cardinality(${groups.path}) desc, ${groups.id} limit 1) as path
    from ${users} where ${where} order by lower(${users.name}), ${users.id} limit ${limit} offset ${offset}`);
  const people = rows.map(({ path, ...person }) => ({ ...person, group: path && path.length > 0 ? path.slice(-nearest).join(' · ') : null }));
  return { rows: people, total: await db.$count(users, where) };
}

/** The doors of the table in the order people count in, among the devices in sight. */
export async function doorsOf(
  { db }: Services,
  principal: Principal,
  { door, doors_group: group, door_id: id, person_id: person, only_reached: only }: MatrixQuestion,
): Promise<Axis[]> {
  const rows = await db
    .select({ id: devices.id, name: devices.name, type: devices.type, model: devices.model })
    .from(devices)
    .where(
      and(
        viewable(scopeOf(principal), 'devices'),
        containing(sql`${devices.name}`, door),
        id === null ? undefined : eq(devices.id, id),
        only && person !== null
          ? sql`${devices.id} in (select device_id from access_rule_devices where rule_id in ${permitting(null)} and rule_id in ${reaching(person)})`
          : undefined,
        group === null ? undefined : sql`${devices.domainId} in ${below(group)}`,
      ),
    )
    .orderBy(inNameOrder(devices.name), devices.id);
  return rows.filter(hasDoor).map(({ id, name }) => ({ id, name }));
}

/** How far a refusal came: of several the one that fails last says most. */
const failedAt = ({ steps }: Decision): number => accessSteps.indexOf(steps.find(({ outcome }) => outcome === 'failed')?.name ?? 'known');
/** To be granted later before what fails for good, and of that the later. */
const rank = (decision: Decision): number => (decision.next === null ? 0 : 100) + failedAt(decision);

/** What the identifiers of a person do at a door at a moment; the best of them is told. When a refusal ends is asked only where none opens. */
function cellOf(world: World, own: readonly Credential[], deviceId: string, at: number): MatrixCell {
  const questions = own.map(({ id }) => ({ credential: { id }, deviceId, at }));
  const opening = questions.find((question) => judge(world, question).isGranted);
  if (opening) return { state: 'granted', reason: null, identifier: opening.credential.id };
  const [best] = questions.map((question) => decide(world, question)).toSorted((one, other) => rank(other) - rank(one));
  if (!best) return { state: 'none', reason: null, identifier: null };
  return { state: best.next === null ? 'denied' : 'later', reason: best.reason, identifier: best.credentialId };
}

/** Which of these identifiers the principal may see; of the others the outcome is told, not which it is. */
async function seenAmong({ db }: Services, principal: Principal, ids: readonly string[]): Promise<Set<string>> {
  if (scopesOf(principal, 'view', 'identifiers').length === 0) return new Set();
  const rows = await db
    .select({ id: identifiers.id })
    .from(identifiers)
    .where(and(sql`${identifiers.id} = any(${idArray(ids)})`, viewable(scopeOf(principal), 'identifiers')));
  return new Set(rows.map(({ id }) => id));
}

/** The cells of some people and doors, decided by the evaluator; one world is loaded for all of them. */
export async function cellsOf(
  services: Services,
  principal: Principal,
  people: readonly Axis[],
  doors: readonly Axis[],
  at: Date,
): Promise<AccessMatrix['cells']> {
  const world = await worldForPage(services, {
    projectId: principal.projectId,
    people: people.map(({ id }) => id),
    devices: doors.map(({ id }) => id),
    at,
  });
  const owned = new Map<string | null, Credential[]>();
  for (const one of world.credentials.values()) owned.set(one.ownerId, [...(owned.get(one.ownerId) ?? []), one]);
  const seen = await seenAmong(services, principal, [...world.credentials.keys()]);
  const asShown = (cell: MatrixCell): MatrixCell => (cell.identifier === null || seen.has(cell.identifier) ? cell : { ...cell, identifier: null });
  return people.map(({ id }) => doors.map((door) => asShown(cellOf(world, owned.get(id) ?? [], door.id, at.getTime()))));
}

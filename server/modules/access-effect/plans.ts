import { and, type SQL, sql } from 'drizzle-orm';
import type { AccessChange } from '#models/access-effect.ts';
import type { AccessRule } from '#models/access-rules.ts';
import { loadDoors, loadRules, loadSchedules } from '#server/access/load.ts';
import { idArray } from '#server/access/measures.ts';
import type { Plan } from '#server/access/effect.ts';
import { scopeOf, viewable } from '#server/access/scope.ts';
import type { Door, Rule, Schedule } from '#server/access/world.ts';
import type { Principal } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { devices } from '#server/db/schema/index.ts';
import { HttpError } from '#server/http-error.ts';
import { areaScopes } from '../scopes.ts';
import { changedLinks, draftRule } from './changed-links.ts';
import { type Links, reachOf, storedLinks } from './reach.ts';

/** A change with all that its effect follows from: the doors it touches, rules and schedules before and after, and what will lead from rules to people. */
export interface Planned {
  doors: readonly { door: Door; name: string }[];
  before: Plan;
  after: Plan;
  links: Links;
}

type RuleDraft = Extract<AccessChange, { area: 'access-rules' }>['draft'];

const asRule = (draft: NonNullable<RuleDraft>): Rule => ({
  id: draftRule,
  isProhibition: draft.prohibition,
  devices: new Set(draft.devices),
  schedules: draft.time_rules,
  users: new Set(draft.users),
  identifiers: new Set(draft.identifiers),
  groups: new Set(draft.domains),
  floors: null,
});

/** A stored record that a change names must be in sight. @throws HttpError `not_found` */
async function requireSeen(db: Db, principal: Principal, { area, id }: AccessChange): Promise<void> {
  if (id === null) return;
  const { table } = areaScopes[area];
  const { rows } = await db.execute(sql`select ${table.id} from ${table} where ${table.id} = ${id} and ${viewable(scopeOf(principal), area)}`);
  if (rows.length === 0) throw new HttpError('not_found');
}

/** The stored rules that a change touches, as a list of ids. */
function touchedRules({ area, id }: AccessChange & { id: string }, links: Links): SQL {
  switch (area) {
    case 'access-rules':
      return sql`(${id}::uuid)`;
    case 'schedules':
      return sql`(select rule_id from access_rule_schedules where schedule_id = ${id})`;
    case 'users':
      return sql`(select rule_id from ${reachOf(storedLinks)} was where user_id = ${id} union select rule_id from ${reachOf(links)} will where user_id = ${id})`;
    case 'groups':
      return sql`(select rule_id from access_rule_groups where group_id in (select unnest(path) from groups where id = ${id})
        union select rule_id from ${links.byGroup} named where group_id in (select unnest(path) from ${links.tree} moved where id = ${id}))`;
  }
}

/** The devices whose rules a change touches. */
async function touchedDevices(db: Db, change: AccessChange, links: Links): Promise<string[]> {
  const drafted = change.area === 'access-rules' ? (change.draft?.devices ?? []) : [];
  if (change.id === null) return drafted;
  const { rows } = await db.execute<{ id: string }>(
    sql`select distinct device_id as id from access_rule_devices where rule_id in ${touchedRules({ ...change, id: change.id }, links)}`,
  );
  return [...new Set([...drafted, ...rows.map(({ id }) => id)])];
}

/** Of these devices those in sight, by name. */
export async function seenDoors(db: Db, principal: Principal, ids: readonly string[]): Promise<Planned['doors']> {
  const named = await db
    .select({ id: devices.id, name: devices.name })
    .from(devices)
    .where(and(sql`${devices.id} = any(${idArray(ids)})`, viewable(scopeOf(principal), 'devices')));
  const doors = await loadDoors(
    db,
    named.map(({ id }) => id),
  );
  const nameOf = new Map(named.map(({ id, name }) => [id, name]));
  return doors.map((door) => ({ door, name: nameOf.get(door.id) ?? '' })).toSorted((one, other) => one.name.localeCompare(other.name));
}

/** Schedules as they would be; a draft has every field but its id. */
const withDraft = (stored: readonly Schedule[], change: AccessChange): Schedule[] =>
  change.area === 'schedules' && change.id !== null
    ? stored.flatMap((one) => (one.id === change.id ? (change.draft ? [{ ...change.draft, id: one.id }] : []) : [one]))
    : [...stored];

/** Reads what a change is about. @throws HttpError `not_found` */
export async function planChange(db: Db, principal: Principal, change: AccessChange): Promise<Planned> {
  await requireSeen(db, principal, change);
  const links = changedLinks(principal, change);
  const doors = await seenDoors(db, principal, await touchedDevices(db, change, links));
  const stored = await loadRules(
    db,
    doors.map(({ door }) => door.id),
  );
  const drafted = change.area === 'access-rules' && change.draft ? asRule(change.draft) : null;
  const known = await loadSchedules(db, [...stored, ...(drafted ? [drafted] : [])]);
  const isReplaced = ({ id }: Pick<AccessRule, 'id'>): boolean => change.area === 'access-rules' && id === change.id;
  return {
    doors,
    before: { rules: stored, schedules: known },
    after: { rules: [...stored.filter((rule) => !isReplaced(rule)), ...(drafted ? [drafted] : [])], schedules: withDraft(known, change) },
    links,
  };
}

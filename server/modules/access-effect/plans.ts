import { type SQL, sql } from 'drizzle-orm';
import { type AccessChange, areaOfChange } from '#models/access-effect.ts';
import { loadRules, loadSchedules } from '#server/access/load.ts';
import { idArray } from '#server/access/measures.ts';
import { scopeOf, viewable } from '#server/access/scope.ts';
import type { Rule, Schedule } from '#server/access/world.ts';
import type { Principal } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { HttpError } from '#server/http-error.ts';
import { areaScopes } from '../scopes.ts';
import { changedLinks, draftRule } from './changed-links.ts';
import { seenPlaces } from './places.ts';
import type { Planned } from './planned.ts';
import { type Links, reachOf, storedLinks } from './reach.ts';
import { planRole, planUserRole } from './role-rights.ts';

type RuledChange = Exclude<AccessChange, { area: 'roles' | 'user-roles' }>;
type DraftOf<A extends RuledChange['area']> = NonNullable<Extract<RuledChange, { area: A }>['draft']>;

const asRule = (draft: DraftOf<'access-rules'>): Rule => ({
  id: draftRule,
  isProhibition: draft.prohibition,
  devices: new Set(draft.devices),
  schedules: draft.time_rules,
  users: new Set(draft.users),
  identifiers: new Set(draft.identifiers),
  groups: new Set(draft.domains),
  floors: null,
});

/** A rule for lifts, as one for each elevator. */
async function asLiftRules(db: Db, { elevators, users }: DraftOf<'elevator-access-rules'>): Promise<Rule[]> {
  const { rows } = await db.execute<{ elevator: string; device: string }>(sql`select elevator_id as elevator, device_id as device
    from elevator_controllers where elevator_id = any(${idArray(elevators.map(({ elevator }) => elevator))})`);
  return elevators.map(({ elevator, floors }) => ({
    id: draftRule,
    isProhibition: false,
    devices: new Set(rows.filter((row) => row.elevator === elevator).map(({ device }) => device)),
    schedules: [],
    users: new Set(users),
    identifiers: new Set(),
    groups: new Set(),
    floors: new Set(floors),
  }));
}

/** The rules that a change would write. */
async function draftedRules(db: Db, change: RuledChange): Promise<Rule[]> {
  if (change.area === 'access-rules') return change.draft ? [asRule(change.draft)] : [];
  return change.area === 'elevator-access-rules' && change.draft ? asLiftRules(db, change.draft) : [];
}

/** A stored record that a change names must be in sight. @throws HttpError `not_found` */
async function requireSeen(db: Db, principal: Principal, change: AccessChange): Promise<void> {
  const [about, id] = [areaOfChange(change), change.id];
  if (id === null) return;
  const { table } = areaScopes[about];
  const { rows } = await db.execute(sql`select ${table.id} from ${table} where ${table.id} = ${id} and ${viewable(scopeOf(principal), about)}`);
  if (rows.length === 0) throw new HttpError('not_found');
}

/** The stored rules that a change touches, as a list of ids. */
function touchedRules({ area, id }: RuledChange & { id: string }, links: Links): SQL {
  switch (area) {
    case 'access-rules':
    case 'elevator-access-rules':
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

/** The devices that some rules name, those for lifts by their elevators. */
export async function devicesOf(db: Db, rules: SQL): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`select device_id as id from access_rule_devices where rule_id in ${rules}
    union select device_id from elevator_controllers where elevator_id in (select elevator_id from elevator_rule_floors where rule_id in ${rules})`);
  return rows.map(({ id }) => id);
}

/** Schedules as they would be; a draft has every field but its id. */
const withDraft = (stored: readonly Schedule[], change: RuledChange): Schedule[] =>
  change.area === 'schedules' && change.id !== null
    ? stored.flatMap((one) => (one.id === change.id ? (change.draft ? [{ ...change.draft, id: one.id }] : []) : [one]))
    : [...stored];

/** Reads what a change is about. @throws HttpError `not_found` */
export async function planChange(db: Db, principal: Principal, change: AccessChange): Promise<Planned> {
  await requireSeen(db, principal, change);
  if (change.area === 'roles') return planRole(db, principal, change);
  if (change.area === 'user-roles') return planUserRole(db, principal, change);
  const links = changedLinks(principal, change);
  const drafted = await draftedRules(db, change);
  const touched = change.id === null ? [] : await devicesOf(db, touchedRules({ ...change, id: change.id }, links));
  const places = await seenPlaces(db, principal, [...new Set([...touched, ...drafted.flatMap(({ devices }) => [...devices])])]);
  const stored = await loadRules(db, [...new Set(places.map(({ door }) => door.id))]);
  const known = await loadSchedules(db, [...stored, ...drafted]);
  const isRule = change.area === 'access-rules' || change.area === 'elevator-access-rules';
  const others = stored.filter(({ id }) => !(isRule && id === change.id));
  const rights = new Set<string>();
  return {
    places,
    before: { rules: stored, schedules: known, rights, links: storedLinks },
    after: { rules: [...others, ...drafted], schedules: withDraft(known, change), rights, links },
  };
}

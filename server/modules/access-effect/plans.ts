import { and, eq, sql } from 'drizzle-orm';
import type { AccessChange } from '#models/access-effect.ts';
import type { AccessRule } from '#models/access-rules.ts';
import { loadDoors, loadRules, loadSchedules } from '#server/access/load.ts';
import { idArray } from '#server/access/measures.ts';
import type { Plan } from '#server/access/effect.ts';
import { sightOf, viewable } from '#server/access/scope.ts';
import type { Door, Rule, Schedule } from '#server/access/world.ts';
import type { Principal } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { accessRuleDevices, accessRules, accessRuleSchedules, devices, schedules } from '#server/db/schema/index.ts';
import { HttpError } from '#server/http-error.ts';

/** A rule that is not written yet has no id of its own. */
export const draftRule = 'draft';

/** A change with all that its effect follows from: the doors it touches, and rules and schedules before and after. */
export interface Planned {
  doors: readonly { door: Door; name: string }[];
  before: Plan;
  after: Plan;
  /** The stored rule that the draft stands in the place of; null where none changes. */
  replaced: string | null;
  /** Whom the draft names. */
  draft: { users: readonly string[]; identifiers: readonly string[]; groups: readonly string[] } | null;
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
async function demandSeen(db: Db, principal: Principal, { area, id }: AccessChange): Promise<void> {
  if (id === null) return;
  const table = area === 'schedules' ? schedules : accessRules;
  const [row] = await db
    .select({ id: table.id })
    .from(table)
    .where(and(eq(table.id, id), viewable(sightOf(principal), area)));
  if (!row) throw new HttpError('not_found');
}

/** The devices whose rules a change touches. */
async function touchedDevices(db: Db, change: AccessChange): Promise<string[]> {
  const drafted = change.area === 'access-rules' ? (change.draft?.devices ?? []) : [];
  if (change.id === null) return drafted;
  const rules =
    change.area === 'access-rules'
      ? sql`${accessRuleDevices.ruleId} = ${change.id}`
      : sql`${accessRuleDevices.ruleId} in (select ${accessRuleSchedules.ruleId} from ${accessRuleSchedules} where ${accessRuleSchedules.scheduleId} = ${change.id})`;
  const stored = await db.selectDistinct({ id: accessRuleDevices.deviceId }).from(accessRuleDevices).where(rules);
  return [...new Set([...drafted, ...stored.map(({ id }) => id)])];
}

/** Of these devices those in sight, by name. */
async function seenDoors(db: Db, principal: Principal, ids: readonly string[]): Promise<Planned['doors']> {
  const named = await db
    .select({ id: devices.id, name: devices.name })
    .from(devices)
    .where(and(sql`${devices.id} = any(${idArray(ids)})`, viewable(sightOf(principal), 'devices')));
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
  await demandSeen(db, principal, change);
  const doors = await seenDoors(db, principal, await touchedDevices(db, change));
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
    replaced: change.area === 'access-rules' ? change.id : null,
    draft: drafted && { users: [...drafted.users], identifiers: [...drafted.identifiers], groups: [...drafted.groups] },
  };
}

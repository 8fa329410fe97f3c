import { and, eq, ne, type SQL, sql } from 'drizzle-orm';
import type { AccessChange } from '#models/access-effect.ts';
import type { Scope } from '#models/area-rules.ts';
import { hasDoor } from '#models/device-models.ts';
import { mayAct, scopesOf } from '#models/permissions.ts';
import { loadRules, loadSchedules } from '#server/access/load.ts';
import { idArray } from '#server/access/measures.ts';
import { scopeOf, viewable } from '#server/access/scope.ts';
import type { Rule } from '#server/access/world.ts';
import type { Principal } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { devices, roles, users } from '#server/db/schema/index.ts';
import { HttpError } from '#server/http-error.ts';
import { draftRule, withPerson } from './changed-links.ts';
import { seenPlaces } from './places.ts';
import type { Planned, Side } from './planned.ts';
import { type Links, storedLinks } from './reach.ts';

type ChangeOf<A extends AccessChange['area']> = Extract<AccessChange, { area: A }>;
/** Whose doors are asked about, as a query of ids, and what leads from them to rules. */
interface Holders {
  people: SQL;
  links: Links;
}
interface Opened {
  id: string;
  domainId: string;
  createdBy: string | null;
}

/** The doors that the console opens, whoever asks. */
async function openedDoors(db: Db, { projectId }: Principal): Promise<Opened[]> {
  const rows = await db
    .select({ id: devices.id, domainId: devices.domainId, createdBy: devices.createdBy, type: devices.type, model: devices.model })
    .from(devices)
    .where(and(eq(devices.projectId, projectId), ne(devices.protocol, 'none')));
  return rows.filter(hasDoor);
}

/** A rule that opens some doors at any time; whom it reaches is said by its id. */
const always = (id: string, doors: readonly Opened[]): Rule => ({
  id,
  isProhibition: false,
  devices: new Set(doors.map((door) => door.id)),
  schedules: [],
  users: new Set(),
  identifiers: new Set(),
  groups: new Set(),
  floors: null,
});
const idsOf = (values: readonly (string | null)[]): string[] => [...new Set(values.flatMap((value) => value ?? []))];

/** The doors in sight as rules: all of them by an id of no record, those of a group by the group's, those that somebody made by theirs. */
const rightRules = (doors: readonly Opened[]): Rule[] => [
  always(draftRule, doors),
  ...idsOf(doors.map(({ domainId }) => domainId)).map((group) =>
    always(
      group,
      doors.filter(({ domainId }) => domainId === group),
    ),
  ),
  ...idsOf(doors.map(({ createdBy }) => createdBy)).map((maker) =>
    always(
      maker,
      doors.filter(({ createdBy }) => createdBy === maker),
    ),
  ),
];

/** Whom these rules reach by each scope in which devices are seen, as `rule_id, user_id`. */
const reachOfScope = ({ people, links: { tree, memberships } }: Holders): Partial<Record<Scope, SQL>> => ({
  all: sql`select ${draftRule}::uuid as rule_id, id as user_id from (${people}) holder`,
  descendants: sql`select held.id, people.user_id from ${tree} held join ${memberships} people on held.path @> array[people.group_id]`,
  domain: sql`select group_id, user_id from ${memberships} people`,
  own: sql`select id, id from users`,
});

/** An identifier of one's own by which the console opens doors. */
const hasOwn = sql`user_id in (select user_id from identifiers where owner_type = 'owner' and is_active and revoked_at is null and lost_at is null and not passes_restrict_active)`;

/** What people with these permissions open from the console: doors in sight by right, and those that their own identifiers open. */
function sideOf(permissions: readonly string[], holders: Holders, plan: Pick<Side, 'schedules'> & { rights: Rule[]; stored: Rule[] }): Side {
  const { people, links } = holders;
  const scopes = mayAct({ permissions }, 'openDoors') ? scopesOf({ permissions }, 'view', 'devices') : [];
  const reach = scopes.flatMap((scope) => reachOfScope(holders)[scope] ?? []);
  const rights = new Set(plan.rights.map(({ id }) => id));
  const isRight = sql`rule_id = any(${idArray([...rights])})`;
  return {
    rules: [...(reach.length > 0 ? plan.rights : []), ...(mayAct({ permissions }, 'openOwnDoors') ? plan.stored : [])],
    schedules: plan.schedules,
    rights,
    links: {
      ...links,
      byName: sql`(${sql.join([sql`select rule_id, user_id from ${links.byName} known`, ...reach], sql` union `)})`,
      only: sql`user_id in (${people}) and (${isRight} or ${hasOwn})`,
    },
  };
}

/** All doors in sight that the console opens, with the rules and rights that lead to them. */
async function consoleDoors(db: Db, principal: Principal) {
  const opened = await openedDoors(db, principal);
  const places = await seenPlaces(
    db,
    principal,
    opened.map((door) => door.id),
  );
  const seen = new Set(places.map(({ door }) => door.id));
  const stored = await loadRules(db, [...seen]);
  return { places, plan: { rights: rightRules(opened.filter((door) => seen.has(door.id))), stored, schedules: await loadSchedules(db, stored) } };
}

const notFound = (): never => {
  throw new HttpError('not_found');
};

/** What a change of a role is about: the doors that its holders open from the console. @throws HttpError `not_found` */
export async function planRole(db: Db, principal: Principal, { id, draft }: ChangeOf<'roles'>): Promise<Planned> {
  const [role] = await db.select({ permissions: roles.permissions }).from(roles).where(eq(roles.id, id));
  const { permissions } = role ?? notFound();
  const { places, plan } = await consoleDoors(db, principal);
  const holders = { people: sql`select id from users where role_id = ${id}`, links: storedLinks };
  return { places, before: sideOf(permissions, holders, plan), after: sideOf(draft.permissions, holders, plan) };
}

/** What another role of somebody is about: the doors that they open from the console. @throws HttpError `not_found` where they or the role are out of sight */
export async function planUserRole(db: Db, principal: Principal, { id, draft }: ChangeOf<'user-roles'>): Promise<Planned> {
  const scope = scopeOf(principal);
  const [held] = await db.select({ permissions: roles.permissions }).from(users).innerJoin(roles, eq(roles.id, users.roleId)).where(eq(users.id, id));
  const [wanted] = await db
    .select({ permissions: roles.permissions })
    .from(roles)
    .where(and(eq(roles.id, draft.role), viewable(scope, 'roles')));
  const { places, plan } = await consoleDoors(db, principal);
  const people = sql`select ${id}::uuid as id`;
  return {
    places,
    before: sideOf((held ?? notFound()).permissions, { people, links: storedLinks }, plan),
    after: sideOf((wanted ?? notFound()).permissions, { people, links: withPerson(scope, id, draft) }, plan),
  };
}

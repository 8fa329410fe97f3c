import { and, eq, sql } from 'drizzle-orm';
import type { TransferEffect } from '#models/identifier-calls.ts';
import { effectOf } from '#server/access/effect.ts';
import { loadRules, loadSchedules } from '#server/access/load.ts';
import { inVerbScope, scopeOf, viewable } from '#server/access/scope.ts';
import type { Principal, Services } from '#server/context.ts';
import { readRow } from '#server/crud/rows.ts';
import { updateRow } from '#server/crud/write.ts';
import type { Db } from '#server/db/database.ts';
import { users } from '#server/db/schema/index.ts';
import { HttpError } from '#server/http-error.ts';
import { seenPlaces } from '../access-effect/places.ts';
import { devicesOf } from '../access-effect/plans.ts';
import { reachOf, storedLinks } from '../access-effect/reach.ts';
import { identifiersRepository } from './repository.ts';

interface Named {
  id: string;
  name: string;
}
interface Transfer {
  version: number;
  from: Named;
  to: Named;
}

/** Somebody whose record the principal may change. @throws HttpError `not_found` out of sight, `forbidden` */
async function editablePerson(db: Db, principal: Principal, id: string): Promise<Named> {
  const [person] = await db
    .select({ id: users.id, name: users.name, mayEdit: sql<boolean>`coalesce(${inVerbScope(principal, 'edit', 'users')}, false)` })
    .from(users)
    .where(and(eq(users.id, id), viewable(scopeOf(principal), 'users')));
  if (!person) throw new HttpError('not_found');
  if (!person.mayEdit) throw new HttpError('forbidden');
  return { id: person.id, name: person.name };
}

/**
 * Who gives an identifier up and who gets it, for somebody who sees both and may change both.
 * @throws HttpError `not_found`, `forbidden`; `editing_prohibited` where it is a guest's, is issued to a telephone, or belongs to nobody in sight
 */
async function transferOf({ db }: Services, principal: Principal, id: string, to: string): Promise<Transfer> {
  const row = await readRow(db, identifiersRepository, scopeOf(principal), id);
  if (!row) throw new HttpError('not_found');
  const owner = row['owner'] as Named | null;
  if (!owner || row['owner_type'] !== 'owner' || row['type'] === 'ukey2') throw new HttpError('editing_prohibited');
  return { version: row.version, from: await editablePerson(db, principal, owner.id), to: await editablePerson(db, principal, to) };
}

/** No identifier leads to anybody: what is left are the rules of people and their groups. */
const byPeople = { ...storedLinks, byIdentifier: sql`(select null::uuid as rule_id, null::uuid as identifier_id where false)` };
/** The rules by which an identifier opens in somebody's hands: theirs, and its own. */
async function rulesFor(db: Db, id: string, person: string): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`select rule_id as id from ${reachOf(byPeople)} reach where user_id = ${person}
    union select rule_id from access_rule_identifiers where identifier_id = ${id}`);
  return rows.map((rule) => rule.id);
}

/** Which doors an identifier would open once it is somebody else's, which no more, and which at other times; nothing is written. @throws HttpError as `transferOf` */
export async function transferEffect(services: Services, principal: Principal, id: string, to: string): Promise<TransferEffect> {
  const { db, now } = services;
  const { from, to: next } = await transferOf(services, principal, id, to);
  const [before, after] = [await rulesFor(db, id, from.id), await rulesFor(db, id, next.id)];
  const named = sql`(select value::uuid from json_array_elements_text(${JSON.stringify([...before, ...after])}::json))`;
  const places = await seenPlaces(db, principal, await devicesOf(db, named));
  const rules = await loadRules(db, [...new Set(places.map(({ door }) => door.id))]);
  const plan = { rules, schedules: await loadSchedules(db, rules), rights: new Set<string>() };
  const classes = [{ before: new Set(before), after: new Set(after) }];
  const effects = effectOf(plan, plan, places, classes, now().getTime());
  const met = (kind: 'opens' | 'closes' | 'hours'): Named[] =>
    places.flatMap(({ id: placeId, device }) =>
      effects.some((effect) => effect.placeId === placeId && effect.classes.some((one) => one.kind === kind)) ? [device] : [],
    );
  return { from, to: next, opens: met('opens'), closes: met('closes'), hours: met('hours') };
}

/** Gives an identifier to somebody else; devices follow, the trail names both. @throws HttpError as `transferOf`; `conflict` where `from` does not have it any more */
export async function transferIdentifier(
  services: Services,
  principal: Principal,
  id: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const transfer = await transferOf(services, principal, id, to);
  if (transfer.from.id !== from) throw new HttpError('conflict', await readRow(services.db, identifiersRepository, scopeOf(principal), id));
  await updateRow(services, identifiersRepository, principal, id, { owner: to }, transfer.version);
}

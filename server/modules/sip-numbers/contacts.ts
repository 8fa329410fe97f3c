import { and, eq, ne, or, type SQL, sql } from 'drizzle-orm';
import type { CallInfo } from '#models/call.ts';
import { hasDoor } from '#models/device-models.ts';
import type { Contact } from '#models/phone-calls.ts';
import { known, scopeOf, viewable } from '#server/access/scope.ts';
import type { Principal, Services } from '#server/context.ts';
import { jsonObject, nameFor } from '#server/crud/json.ts';
import { calls, devices, roles, sipNumbers, users } from '#server/db/schema/index.ts';
import { callable } from '#server/telephony/callable.ts';
import { addressOf, groupOfNumber } from '#server/telephony/places.ts';

const { userId, deviceId } = sipNumbers;

/** Of those who sit at the desk their role is said: whom one looks for there is not a name. */
const title = sql<string | null>`(select ${roles.name} from ${users} staff join ${roles} on ${roles.id} = staff.role_id
  where staff.id = ${userId} and 'can_receive_call_as_concierge' = any(${roles.permissions}))`;

/** Everybody and everything the principal may call, in order of name; people and groups as far as they may be seen. */
export async function readContacts({ db, reachable }: Services, principal: Principal): Promise<Contact[]> {
  const scope = scopeOf(principal);
  const person = jsonObject({ id: users.id, name: users.name, description: users.description });
  const knows = known(scope, userId);
  // A number is called after whoever has it.
  const isKnown = knows && sql`(${userId} is null or ${knows})`;
  const rows = await db
    .select({
      id: sipNumbers.id,
      name: nameFor(scope, sipNumbers.name, isKnown) as SQL<string>,
      number: sipNumbers.number,
      kind: sql<Contact['kind']>`case when ${userId} is not null then 'user' when ${deviceId} is not null then 'device' else 'group' end`,
      user: sql<Contact['user']>`case when ${users.id} is null then null else ${person} end`,
      title,
      group: addressOf(scope, groupOfNumber),
    })
    .from(sipNumbers)
    .leftJoin(users, and(eq(users.id, userId), viewable(scope, 'users')))
    .where(and(callable(principal), or(sql`${userId} is null`, ne(userId, principal.id))))
    .orderBy(sql`lower(${nameFor(scope, sipNumbers.name, isKnown)})`, sipNumbers.id)
    .limit(5_000);
  return rows.map((row) => ({ ...row, is_reachable: reachable?.(row.number) ?? null }));
}

/** The principal talks with the number at this moment, whoever brought them together. */
const talksWith = ({
  id,
  projectId,
}: Principal): SQL => sql`exists (select 1 from ${calls} where ${calls.projectId} = ${projectId} and ${calls.status} = 'answered'
  and ${sipNumbers.number} in (${calls.callerNumber}, ${calls.calleeNumber}) and exists (select 1 from ${sipNumbers} own
    where own.user_id = ${id} and own.is_active and own.number in (${calls.callerNumber}, ${calls.calleeNumber}, ${calls.answeredBy})))`;

/** Where a number belongs and who has it, as far as the principal may call or see it or talks with it; nothing is said of any other. */
export async function readCallInfo({ db }: Services, principal: Principal, number: string): Promise<CallInfo> {
  const scope = scopeOf(principal);
  const person = jsonObject({ id: users.id, name: users.name });
  const [row] = await db
    .select({
      user: sql<CallInfo['user']>`case when ${users.id} is null then null else ${person} end`,
      device: devices.name,
      type: devices.type,
      model: devices.model,
      address: addressOf(scope, groupOfNumber),
    })
    .from(sipNumbers)
    .leftJoin(users, and(eq(users.id, userId), viewable(scope, 'users')))
    .leftJoin(devices, eq(devices.id, deviceId))
    .where(and(eq(sipNumbers.number, number), or(callable(principal), viewable(scope, 'sip-numbers'), talksWith(principal))));
  if (!row) return { address: null, user: null, door: false };
  return { address: [row.address, row.device].filter(Boolean).join(' · ') || null, user: row.user, door: hasDoor(row) };
}

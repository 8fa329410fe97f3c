import { and, eq, sql } from 'drizzle-orm';
import type { ForwardSettings } from '#models/groups.ts';
import type { Change } from '#server/crud/repository.ts';
import { jsonObject } from '#server/crud/json.ts';
import { groupForwardNumbers, groupForwardQueues, groups, sipNumbers, userDomains } from '#server/db/schema/index.ts';
import { invalidField } from '#server/http-error.ts';
import { fullName } from '../sip-numbers/columns.ts';

const [queues, members] = [groupForwardQueues, groupForwardNumbers];

/** The members of a queue of one kind, in their order. */
const membersOf = (what: ReturnType<typeof sql>, from: ReturnType<typeof sql>) =>
  sql`coalesce((select json_agg(${what} order by ${members.position}) from ${members} ${from} where ${members.queueId} = ${queues.id}), '[]'::json)`;

/** Whom a call to the group rings, as rows show it: all of it to whoever sees the group, so that nobody drops what they did not see. */
export const forwardSettings = jsonObject({
  is_enabled: groups.forwardEnabled,
  queues: sql`coalesce((select json_agg(${jsonObject({
    delay: queues.delay,
    numbers: membersOf(
      jsonObject({ id: sipNumbers.id, name: fullName(sipNumbers) }),
      sql`join ${sipNumbers} on ${sipNumbers.id} = ${members.numberId}`,
    ),
    phones: sql`coalesce((select json_agg(${members.phone} order by ${members.position}) from ${members} where ${and(eq(members.queueId, queues.id), sql`${members.phone} is not null`)}), '[]'::json)`,
  })} order by ${queues.position}) from ${queues} where ${queues.groupId} = ${groups.id}), '[]'::json)`,
});

/** Writes the queues of a group anew, in their order. */
export async function writeQueues({ tx, id, fields }: Change): Promise<void> {
  const settings = fields['forward_settings'] as ForwardSettings;
  await tx.delete(queues).where(eq(queues.groupId, id));
  for (const [position, { delay, numbers, phones }] of settings.queues.entries()) {
    const [queue] = await tx.insert(queues).values({ groupId: id, position, delay }).returning({ id: queues.id });
    const rows = [...numbers.map((numberId) => ({ numberId, phone: null })), ...phones.map((phone) => ({ numberId: null, phone }))];
    if (queue && rows.length > 0) await tx.insert(members).values(rows.map((row, place) => ({ ...row, queueId: queue.id, position: place })));
  }
}

/** Calls are forwarded for people: a group without any cannot have it switched on. @throws HttpError `invalid_data` */
export async function requireForwardable({ tx, id }: Change): Promise<void> {
  const [group] = await tx
    .select({ id: groups.id })
    .from(groups)
    .where(and(eq(groups.id, id), groups.forwardEnabled, sql`not exists (select 1 from ${userDomains} where ${userDomains.groupId} = ${groups.id})`));
  if (group) throw invalidField(['forward_settings', 'is_enabled'], 'forward_needs_users');
}

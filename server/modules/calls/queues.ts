import { sql } from 'drizzle-orm';
import { mayAct } from '#models/permissions.ts';
import type { PhoneSettings } from '#models/phone-calls.ts';
import { idArray } from '#server/access/measures.ts';
import type { Principal, Services } from '#server/context.ts';
import { ownNumbers } from './scope.ts';

interface QueueRow extends Record<string, unknown> {
  number: string;
  name: string;
  group: string;
}

/** The queues somebody takes calls of: general numbers of groups in sight that have a desk. */
export async function queuesOf({ db }: Pick<Services, 'db'>, principal: Principal): Promise<PhoneSettings['queues']> {
  if (!mayAct(principal, 'takeWaitingCalls')) return [];
  const { rows } = await db.execute<QueueRow>(sql`select n.number, n.name, g.name as "group" from sip_numbers n join groups g on g.id = n.domain_id
    where n.project_id = ${principal.projectId} and n.is_active and g.path && ${idArray(principal.domains)}
      and exists (select 1 from user_domains m join users u on u.id = m.user_id join roles r on r.id = u.role_id
        where m.group_id = g.id and 'can_receive_call_as_concierge' = any(r.permissions))
    order by length(n.number), n.number`);
  return rows.map(({ number, name, group }) => ({ number, name, group }));
}

/** May somebody hear of the calls of a number: their own, or a queue's whose calls they take? */
export async function mayHearOf(services: Pick<Services, 'db'>, principal: Principal, number: string): Promise<boolean> {
  if ((await ownNumbers(services, principal)).includes(number)) return true;
  return (await queuesOf(services, principal)).some((queue) => queue.number === number);
}

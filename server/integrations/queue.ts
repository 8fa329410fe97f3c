import { type SQL, sql } from 'drizzle-orm';
import type { DeliveryKind } from '#models/integrations.ts';
import type { Db } from '../db/database.ts';

/** The channel on which the senders of all server processes hear of webhooks with something to send. */
export const webhookChannel = 'doorward_webhooks';
/** Before the id of a webhook that is to be tried at once, whatever it waits for. */
export const atOnceMark = '!';

/** One thing that happened, as webhooks are told of it. `path`: the groups it concerns with all above, an array of ids. */
export interface WebhookMessage {
  projectId: string;
  path: SQL;
  kind: Exclude<DeliveryKind, 'test'>;
  event: string;
  at: Date;
  data: Record<string, unknown>;
}

const columns = { device_events: sql.raw('device_events'), alarms: sql.raw('alarms'), calls: sql.raw('calls'), access: sql.raw('access') };

/**
 * The parts of a statement that put an event into the queue of each webhook that is to hear of it. `queued` has their ids. Webhooks are
 * held until the transaction ends: what commits first stands first in the queue, so that order holds with many writers too.
 */
export const queueing = ({ projectId, path, kind, event, at, data }: WebhookMessage, condition: SQL = sql`true`): SQL => sql`
  hooks as (
    select hook.id from integrations hook,
      lateral (select array(select group_id from integration_groups served where served.integration_id = hook.id) as served) own
    where hook.project_id = ${projectId} and hook.type = 'webhook' and hook.is_active and hook.stopped_at is null and hook.${columns[kind]}
      and ${condition}
      and case when cardinality(own.served) > 0 then own.served && ${path} else hook.domain_id is null or hook.domain_id = any(${path}) end
    order by hook.id for no key update of hook
  ), queued as (
    insert into integration_deliveries (integration_id, kind, event, payload, created_at, next_at)
    select id, ${kind}, ${event}, ${JSON.stringify(data)}::jsonb, ${at.toISOString()}::timestamptz, ${at.toISOString()}::timestamptz from hooks
    returning integration_id
  )`;

/** Wakes those who send what was queued. */
export const waking = sql`select pg_notify(${webhookChannel}, integration_id::text) from queued`;

/** Queues an event for all webhooks that are to hear of it, within the change that causes it: neither is there without the other. */
export async function queueWebhook(tx: Db, webhook: WebhookMessage): Promise<void> {
  await tx.execute(sql`with ${queueing(webhook)} ${waking}`);
}

/** The groups a device stands in, from the highest down. */
export const pathOfDevice = (deviceId: string): SQL =>
  sql`coalesce((select place.path from devices standing join groups place on place.id = standing.domain_id where standing.id = ${deviceId}), '{}'::uuid[])`;

/** Groups with all above them. */
export const pathOfGroups = (ids: readonly (string | null)[]): SQL =>
  sql`array(select distinct part from groups held, unnest(held.path) part where held.id = any(${`{${ids.filter((id) => id !== null).join(',')}}`}::uuid[]))`;

/** Has a webhook tried at once, by whichever process sends. */
export async function tryAtOnce(tx: Db, id: string): Promise<void> {
  await tx.execute(sql`select pg_notify(${webhookChannel}, ${atOnceMark + id})`);
}

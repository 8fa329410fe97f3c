import { createHmac } from 'node:crypto';
import { and, eq, isNull, lt, or } from 'drizzle-orm';
import { topics } from '#models/realtime.ts';
import type { Services } from '../context.ts';
import { integrationDeliveries as deliveries, integrations } from '../db/schema/index.ts';
import { unseal } from '../devices/secrets.ts';
import { notifyStopped } from './stopped.ts';
import { publish } from '../realtime/publish.ts';
import { trustOf } from './certificate.ts';
import { Forbidden } from './guard.ts';
import { reach } from './reach.ts';
import type { Next } from './webhook.machine.ts';

type Webhook = typeof integrations.$inferSelect;
type Delivery = typeof deliveries.$inferSelect;

const seconds = 1_000;
const minute = 60 * seconds;
const hour = 60 * minute;
const day = 24 * hour;

/** How long webhooks are waited for, how they are tried again, and when they are given up; tests are quicker. */
export interface Pace {
  timeout: number;
  pauses: readonly number[];
  givenUpAfter: number;
}
export const usualPace: Pace = {
  timeout: 10 * seconds,
  pauses: [5 * seconds, 15 * seconds, minute, 5 * minute, 15 * minute, hour],
  givenUpAfter: day,
};
/** Longer than any exchange lasts: another process that had it has ended. */
const lease = minute;
const mostBytes = 64 * 1024;

const notifyRows = (tx: Services['db'], { projectId, id }: Webhook) =>
  publish(tx, projectId, topics.area('integrations'), 'RowsChanged', { area: 'integrations', ids: [id] });

/** What a webhook does next. */
export async function findNext({ db, now }: Services, integrationId: string): Promise<Next> {
  const [hook] = await db.select().from(integrations).where(eq(integrations.id, integrationId));
  if (!hook?.isActive || hook.type !== 'webhook') return { kind: 'gone' };
  if (hook.stoppedAt !== null) return { kind: 'stopped' };
  const [first] = await db
    .select()
    .from(deliveries)
    .where(and(eq(deliveries.integrationId, integrationId), isNull(deliveries.deliveredAt)))
    .orderBy(deliveries.position)
    .limit(1);
  if (!first) return { kind: 'none' };
  const at = now();
  const due = Math.max(first.nextAt.getTime(), first.claimedUntil?.getTime() ?? 0);
  if (due > at.getTime()) return { kind: 'later', wait: due - at.getTime() };
  return { kind: 'due', delivery: first.id };
}

/** Takes a message for this process; answers whether it was the first. */
async function take({ db, now }: Services, id: string): Promise<boolean> {
  const at = now();
  const taken = await db
    .update(deliveries)
    .set({ claimedUntil: new Date(at.getTime() + lease) })
    .where(and(eq(deliveries.id, id), isNull(deliveries.deliveredAt), or(isNull(deliveries.claimedUntil), lt(deliveries.claimedUntil, at))))
    .returning({ id: deliveries.id });
  return taken.length > 0;
}

/** The body of a message: the same in every try. */
const bodyOf = ({ id, kind, event, createdAt, payload }: Delivery): string =>
  JSON.stringify({ id, kind, event, created_at: createdAt.toISOString(), data: payload });

/** What the receiver checks: HMAC-SHA256 over time, id and body, so that neither an old message nor a changed one passes. */
export const signatureOf = (secret: string, timestamp: string, id: string, body: string): string =>
  `v1=${createHmac('sha256', secret).update(`${timestamp}.${id}.${body}`).digest('hex')}`;

function headersOf(services: Services, { secretCipher }: Webhook, { id, event }: Delivery, body: string): Record<string, string> {
  const timestamp = String(Math.floor(services.now().getTime() / seconds));
  return {
    'content-type': 'application/json',
    'idempotency-key': id,
    'doorward-delivery': id,
    'doorward-event': event,
    'doorward-timestamp': timestamp,
    ...(secretCipher !== null && { 'doorward-signature': signatureOf(unseal(services, secretCipher), timestamp, id, body) }),
  };
}

interface Outcome {
  status: number | null;
  error: string | null;
}
/** Why nothing was taken, in one word: what the other side says is not kept, it may be anybody's. */
const wordFor = (error: unknown): string => {
  if (error instanceof Forbidden || (error instanceof Error && error.cause instanceof Forbidden)) return 'forbidden_address';
  const { code = '', message = '' } = error as { code?: string; message?: string };
  if (message === 'no answer in time') return 'no_answer';
  if (message === 'the answer is too long') return 'too_long';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'unknown_host';
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO/i.test(code)) return 'bad_certificate';
  return 'not_reached';
};

async function attempt(services: Services, hook: Webhook, delivery: Delivery, { timeout }: Pace, signal: AbortSignal): Promise<Outcome> {
  const body = bodyOf(delivery);
  try {
    const { status } = await reach({
      url: hook.url,
      method: 'POST',
      body,
      headers: headersOf(services, hook, delivery, body),
      trust: trustOf(hook.certificateCipher === null ? null : unseal(services, hook.certificateCipher)),
      timeout,
      mostBytes,
      loopback: services.config.integrationLoopback,
      signal,
    });
    return { status, error: status >= 200 && status < 300 ? null : 'refused' };
  } catch (error) {
    if (signal.aborted) throw error;
    return { status: null, error: wordFor(error) };
  }
}

/** Sends one message and writes down how it went: taken, to be tried again after a pause, or given up for good with all behind it. */
export async function deliver(services: Services, deliveryId: string, pace: Pace, signal: AbortSignal): Promise<void> {
  const { db } = services;
  const [row] = await db
    .select({ hook: integrations, delivery: deliveries })
    .from(deliveries)
    .innerJoin(integrations, eq(integrations.id, deliveries.integrationId))
    .where(eq(deliveries.id, deliveryId));
  if (!row || !(await take(services, deliveryId))) return;
  const { hook, delivery } = row;
  const outcome = await attempt(services, hook, delivery, pace, signal);
  const at = services.now();
  const tried = { ...outcome, attempts: delivery.attempts + 1, triedAt: at, claimedUntil: null };
  await db.transaction(async (tx) => {
    if (outcome.error === null) {
      await tx
        .update(deliveries)
        .set({ ...tried, deliveredAt: at })
        .where(eq(deliveries.id, deliveryId));
      if (hook.failingSince !== null) await tx.update(integrations).set({ failingSince: null, lastError: null }).where(eq(integrations.id, hook.id));
    } else {
      const pause = pace.pauses[Math.min(delivery.attempts, pace.pauses.length - 1)] ?? 0;
      const since = hook.failingSince ?? at;
      const isOver = at.getTime() - since.getTime() >= pace.givenUpAfter;
      await tx
        .update(deliveries)
        .set({ ...tried, nextAt: new Date(at.getTime() + pause) })
        .where(eq(deliveries.id, deliveryId));
      await tx
        .update(integrations)
        .set({ failingSince: since, lastError: outcome.status === null ? outcome.error : String(outcome.status), ...(isOver && { stoppedAt: at }) })
        .where(eq(integrations.id, hook.id));
      if (isOver) await notifyStopped(tx, hook, at);
    }
    await notifyRows(tx, hook);
  });
}

/** The webhooks that have something to send. */
export async function busyWebhooks({ db }: Services): Promise<string[]> {
  const rows = await db.selectDistinct({ id: deliveries.integrationId }).from(deliveries).where(isNull(deliveries.deliveredAt));
  return rows.map(({ id }) => id);
}

/** With the embedded database nobody else sends: what a process that died had taken is free again. */
export async function freeTaken({ db, config }: Services): Promise<void> {
  if (config.databaseUrl === null) await db.update(deliveries).set({ claimedUntil: null }).where(isNull(deliveries.deliveredAt));
}

/** Removes from the log what was taken a week ago. */
export async function forgetOldDeliveries({ db, now }: Pick<Services, 'db' | 'now'>): Promise<void> {
  await db.delete(deliveries).where(lt(deliveries.deliveredAt, new Date(now().getTime() - 7 * day)));
}

import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { and, eq } from 'drizzle-orm';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Services } from '../context.ts';
import { idempotencyKeys } from '../db/schema/index.ts';
import { HttpError } from '../http-error.ts';
import { lengthOf } from '#models/time.ts';

const retention = lengthOf(1, 'day');
/** A first request that has not ended by now never will: its process died. */
const givenUpAfter = 60_000;
const waitAtMost = 5_000;

declare module 'fastify' {
  interface FastifyRequest {
    /** The key under which the answer of this request is to be kept. */
    firstUnderKey: string | null;
  }
}

/** The key that a request names; null where it names none. @throws HttpError `wrong_parameters` for one that is no such key */
export function idempotencyKeyOf(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(key))
    throw new HttpError('wrong_parameters', { parameter: 'Idempotency-Key', value: String(key).slice(0, 64) });
  return key;
}

/** What makes two requests the same one: method, address, body and files. */
function fingerprint({ method, url, input }: FastifyRequest): string {
  const hash = createHash('sha256').update(`${method} ${url}\n${JSON.stringify(input?.body ?? null)}`);
  for (const [name, file] of Object.entries(input?.files ?? {})) hash.update(name).update(file.digest);
  return hash.digest('hex');
}

type StoredAnswer = { status: number; answer: string };

/** The first answer under a key, once there is one; null when this request is the first. */
async function firstAnswer({ db, now }: Services, userId: string, key: string, request: string): Promise<StoredAnswer | null> {
  const mine = and(eq(idempotencyKeys.userId, userId), eq(idempotencyKeys.key, key));
  for (const until = performance.now() + waitAtMost; performance.now() < until; await pause(50)) {
    const taken = await db
      .insert(idempotencyKeys)
      .values({ userId, key, request, createdAt: now() })
      .onConflictDoNothing()
      .returning({ key: idempotencyKeys.key });
    if (taken.length > 0) return null;
    const [stored] = await db.select().from(idempotencyKeys).where(mine);
    if (!stored) continue;
    const age = now().getTime() - stored.createdAt.getTime();
    if (age > retention || (stored.status === null && age > givenUpAfter)) {
      await db.delete(idempotencyKeys).where(and(mine, eq(idempotencyKeys.createdAt, stored.createdAt)));
      continue;
    }
    if (stored.request !== request) throw new HttpError('key_reused');
    if (stored.status !== null) return { status: stored.status, answer: (stored.answer as { text: string }).text };
  }
  throw new HttpError('unavailable', undefined, 1);
}

/**
 * A PUT or POST with an Idempotency-Key happens once: whoever repeats it within a day gets the first answer, word for
 * word. Only success is kept; after a refusal nothing has happened, and the same key may try again.
 */
export function repeatAnswers(app: FastifyInstance, services: Services): void {
  app.decorateRequest('firstUnderKey', null);
  app.addHook('preHandler', async (request, reply) => {
    if (!request.principal || (request.method !== 'POST' && request.method !== 'PUT')) return;
    const key = idempotencyKeyOf(request);
    if (key === null) return;
    const stored = await firstAnswer(services, request.principal.id, key, fingerprint(request));
    if (stored) return reply.code(stored.status).header('idempotency-replayed', 'true').type('application/json; charset=utf-8').send(stored.answer);
    request.firstUnderKey = key;
  });
  app.addHook('onSend', async (request, reply, payload) => {
    const { firstUnderKey: key, principal } = request;
    if (key === null || !principal) return;
    request.firstUnderKey = null;
    const mine = and(eq(idempotencyKeys.userId, principal.id), eq(idempotencyKeys.key, key));
    // The text itself is kept, within an object: jsonb would put the keys of an answer into another order.
    const mayStore = reply.statusCode < 300 && typeof payload === 'string';
    const work = mayStore
      ? services.db
          .update(idempotencyKeys)
          .set({ status: reply.statusCode, answer: { text: payload } })
          .where(mine)
      : services.db.delete(idempotencyKeys).where(mine);
    await work.catch((error: unknown) => request.log.error({ err: error }, 'an answer could not be kept under its key'));
  });
}

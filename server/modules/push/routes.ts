import { createECDH } from 'node:crypto';
import { and, eq, ne } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { Counter } from 'prom-client';
import { calls } from '#models/api.ts';
import type { PushSubscriptionKeys } from '#models/push-calls.ts';
import type { Principal, Services } from '#server/context.ts';
import { pushSubscriptions } from '#server/db/schema/index.ts';
import { invalidField } from '#server/http-error.ts';
import { mayBeWritten } from '#server/integrations/guard.ts';
import { type PushOutcome, PushSender } from '#server/push/sender.ts';
import { vapidKey } from '#server/push/vapid.ts';
import { serve } from '#server/serve.ts';

const ofSession = ({ sessionId }: Principal) => eq(pushSubscriptions.sessionId, sessionId);

function isPublicKey(p256dh: string): boolean {
  try {
    const mine = createECDH('prime256v1');
    mine.generateKeys();
    mine.computeSecret(Buffer.from(p256dh, 'base64url'));
    return true;
  } catch {
    return false;
  }
}

/** Keeps where the browser of this session is reached. A browser is reached for one session: that of who signed in last. */
async function subscribe({ db, config, now }: Services, principal: Principal, { endpoint, keys }: PushSubscriptionKeys): Promise<void> {
  const loopback = config.integrationLoopback;
  if (!(endpoint.startsWith('https://') || loopback) || !mayBeWritten(endpoint, loopback, true))
    throw invalidField(['endpoint'], 'address_not_allowed');
  if (!isPublicKey(keys.p256dh)) throw invalidField(['keys', 'p256dh'], 'invalid');
  await db.transaction(async (tx) => {
    await tx.delete(pushSubscriptions).where(and(eq(pushSubscriptions.endpoint, endpoint), ne(pushSubscriptions.sessionId, principal.sessionId)));
    const set = { endpoint, ...keys };
    await tx
      .insert(pushSubscriptions)
      .values({ sessionId: principal.sessionId, ...set, createdAt: now() })
      .onConflictDoUpdate({ target: pushSubscriptions.sessionId, set });
  });
}

function countPushes({ metrics }: FastifyInstance): (outcome: PushOutcome) => void {
  const counter = new Counter({
    name: 'doorward_pushes_total',
    help: 'Web pushes by what became of them',
    labelNames: ['outcome'],
    registers: [metrics],
  });
  return (outcome) => counter.inc({ outcome });
}

/** Web Push: one's own subscription, and what is sent while the server runs. */
export function servePush(app: FastifyInstance, services: Services): void {
  const sender = new PushSender(services, countPushes(app));
  app.addHook('onReady', () => sender.open());
  app.addHook('preClose', () => sender.close());
  serve(app, services, calls.push, async ({ principal }) => {
    const [stored] = await services.db.select({ endpoint: pushSubscriptions.endpoint }).from(pushSubscriptions).where(ofSession(principal));
    return { endpoint: stored?.endpoint ?? null };
  });
  serve(app, services, calls.pushKey, async () => ({ public_key: (await vapidKey(services)).publicKey }));
  serve(app, services, calls.savePush, ({ principal, body }) => subscribe(services, principal, body));
  serve(app, services, calls.removePush, async ({ principal }) => {
    await services.db.delete(pushSubscriptions).where(ofSession(principal));
  });
}

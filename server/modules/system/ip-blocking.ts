import { asc, inArray } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { calls } from '#models/api.ts';
import type { IpBlocking } from '#models/ip-blocking.ts';
import { requireOperator } from '#server/access/operator.ts';
import { scopeOf } from '#server/access/scope.ts';
import { audit } from '#server/audit.ts';
import { blocksOf, followBlocks, liftBlocks, notifyWhitelist } from '#server/blocks.ts';
import type { Principal, Services } from '#server/context.ts';
import { isoTime, personThen } from '#server/crud/json.ts';
import { ipWhitelist } from '#server/db/schema/index.ts';
import { serve } from '#server/serve.ts';

async function readBlocking(services: Services, principal: Principal): Promise<IpBlocking> {
  await requireOperator(services, principal);
  const { ip, createdAt, createdBy, createdByName } = ipWhitelist;
  const whitelist = await services.db
    .select({ ip, created_at: isoTime(createdAt), created_by: personThen(scopeOf(principal), createdBy, createdByName) })
    .from(ipWhitelist)
    .orderBy(asc(createdAt), asc(ip));
  return { banned: blocksOf(services).banned(), whitelist: whitelist as unknown as IpBlocking['whitelist'] };
}

/** Blocked addresses and the whitelist (SETT-14 to 17). */
export function serveIpBlocking(app: FastifyInstance, services: Services): void {
  const { db, now } = services;
  const unban = async (principal: Principal, ips: readonly string[] | null): Promise<IpBlocking> => {
    await requireOperator(services, principal);
    const lifted = [
      ...new Set(
        blocksOf(services)
          .banned()
          .map(({ ip }) => ip),
      ),
    ].filter((ip) => ips === null || ips.includes(ip));
    await liftBlocks(services, ips);
    await audit(db, principal, { area: 'system', action: 'update', changes: { banned: { before: lifted, after: [] } } }, now());
    return readBlocking(services, principal);
  };
  serve(app, services, calls.ipBlockingStatus, async ({ principal }) => {
    const { banned, whitelist } = await readBlocking(services, principal);
    return { is_active: true, banned: banned.length, whitelisted: whitelist.length };
  });
  serve(app, services, calls.ipBlocking, ({ principal }) => readBlocking(services, principal));
  serve(app, services, calls.unbanIps, ({ principal, body }) => unban(principal, body.ips));
  serve(app, services, calls.unbanAll, ({ principal }) => unban(principal, null));
  serveWhitelist(app, services);
  let stop: (() => Promise<void>) | undefined;
  app.addHook('onReady', async () => {
    stop = await followBlocks(services);
  });
  app.addHook('onClose', () => stop?.());
}

/** Addresses and ranges that are never blocked. */
function serveWhitelist(app: FastifyInstance, services: Services): void {
  const { db, now } = services;
  serve(app, services, calls.addToWhitelist, async ({ principal, body: { ips } }) => {
    await requireOperator(services, principal);
    await db.transaction(async (tx) => {
      const added = await tx
        .insert(ipWhitelist)
        .values([...new Set(ips)].map((ip) => ({ ip, createdBy: principal.id, createdByName: principal.name, createdAt: now() })))
        .onConflictDoNothing()
        .returning({ ip: ipWhitelist.ip });
      const after = added.map(({ ip }) => ip);
      if (after.length > 0) await audit(tx, principal, { area: 'system', action: 'update', changes: { whitelist: { before: [], after } } }, now());
    });
    await notifyWhitelist(services);
    // Whoever is let in from now on has nothing to wait for.
    const { banned } = await readBlocking(services, principal);
    const free = banned.map(({ ip }) => ip).filter((ip) => blocksOf(services).isTrusted(ip));
    if (free.length > 0) await liftBlocks(services, free);
    return readBlocking(services, principal);
  });
  serve(app, services, calls.removeFromWhitelist, async ({ principal, body: { ips } }) => {
    await requireOperator(services, principal);
    await db.transaction(async (tx) => {
      const gone = await tx.delete(ipWhitelist).where(inArray(ipWhitelist.ip, ips)).returning({ ip: ipWhitelist.ip });
      const before = gone.map(({ ip }) => ip);
      if (before.length > 0) await audit(tx, principal, { area: 'system', action: 'update', changes: { whitelist: { before, after: [] } } }, now());
    });
    await notifyWhitelist(services);
    return readBlocking(services, principal);
  });
}

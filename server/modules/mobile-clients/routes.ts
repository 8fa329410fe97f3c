import { and, eq, sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { calls } from '#models/api.ts';
import { apiKeyHeader, type MobileClientBody } from '#models/mobile.ts';
import type { Principal, Services } from '#server/context.ts';
import { mobileClients } from '#server/db/schema/index.ts';
import { requireAppSeat } from '#server/licences/app-seats.ts';
import { serve } from '#server/serve.ts';
import { requireApiKey } from '#server/settings/mobile.ts';

/** An app is one person's: that of who signed in to it last. */
async function register(services: Services, { id: userId, projectId, sessionId }: Principal, body: MobileClientBody): Promise<void> {
  await services.db.transaction(async (tx) => {
    // Two apps that take the last seat at once are let in one after the other.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`mobile_app ${projectId}`}, 0))`);
    const [known] = await tx
      .select({ id: mobileClients.id })
      .from(mobileClients)
      .where(and(eq(mobileClients.userId, userId), eq(mobileClients.clientId, body.client_id)))
      .limit(1);
    const columns = { platform: body.platform, info: body.info, vendorId: body.vendor_id, authTime: services.now(), sessionId };
    if (known) return void (await tx.update(mobileClients).set(columns).where(eq(mobileClients.id, known.id)));
    await tx.execute(sql`delete from ${mobileClients} where ${mobileClients.clientId} = ${body.client_id}
      and ${mobileClients.userId} in (select id from users where project_id = ${projectId})`);
    await tx.insert(mobileClients).values({ userId, clientId: body.client_id, ...columns });
    await requireAppSeat(services, tx, { projectId, userId });
  });
}

/** Mobile apps as they make themselves known; people see theirs, and those of others, with the user. */
export function serveMobileClients(app: FastifyInstance, services: Services): void {
  serve(app, services, calls.registerMobileClient, async ({ principal, body, request }) => {
    await requireApiKey(services, principal.projectId, request.headers[apiKeyHeader]);
    await register(services, principal, body);
  });
  serve(app, services, calls.removeMobileClient, async ({ principal, params }) => {
    await services.db.delete(mobileClients).where(and(eq(mobileClients.userId, principal.id), eq(mobileClients.clientId, params.client_id)));
  });
}

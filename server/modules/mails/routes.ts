import { desc, eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { calls, type Mail } from '#models/api.ts';
import { holds } from '#models/permissions.ts';
import type { Services } from '#server/context.ts';
import { mails } from '#server/db/schema/index.ts';
import { Refusal } from '#server/refusal.ts';
import { serve } from '#server/serve.ts';

const atMost = 50;

async function lastMails({ db }: Services, projectId: string): Promise<Mail[]> {
  const { id, recipient, subject, body, createdAt } = mails;
  const rows = await db
    .select({ id, recipient, subject, body, createdAt })
    .from(mails)
    .where(eq(mails.projectId, projectId))
    .orderBy(desc(mails.createdAt), desc(mails.id))
    .limit(atMost);
  return rows.map(({ createdAt: at, ...mail }) => ({ ...mail, created_at: at.toISOString() }));
}

/** What the demo wrote to people. Mails carry links that open accounts, so without the demo this is not there for anybody. */
export function serveMails(app: FastifyInstance, services: Services): void {
  serve(app, services, calls.mails, ({ asker }) => {
    if (!services.config.demo || !holds(asker, 'can_view_system_info')) throw new Refusal('not_found');
    return lastMails(services, asker.projectId);
  });
}

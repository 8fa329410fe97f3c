import { eq, sql } from 'drizzle-orm';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { calls } from '#models/api.ts';
import { originOf } from '#server/access/principal.ts';
import { scopeOf, visibleIds } from '#server/access/scope.ts';
import type { Principal, Services } from '#server/context.ts';
import { projects } from '#server/db/schema/index.ts';
import { HttpError, unknownRelated } from '#server/http-error.ts';
import { serve, serveToAnyone } from '#server/serve.ts';
import { readGuestLimits } from '../identifiers/guest-limits.ts';
import { moveIdentifier } from '../identifiers/life.ts';
import { guestIdentifiersRepository } from './repository.ts';
import { mailGuest } from './letter.ts';
import { openAsGuest } from './open.ts';
import { readGuestPage } from './page.ts';
import { sharedRules } from './shared-rules.ts';

/** The group that is asked about, if it may be seen. @throws HttpError `invalid_related` */
async function groupAsked({ db }: Services, principal: Principal, domain: string | undefined): Promise<string | null> {
  if (!domain) return null;
  const { rows } = await db.execute(sql`select from groups where id = ${domain} and id in ${visibleIds(scopeOf(principal), 'groups')}`);
  if (rows.length === 0) throw unknownRelated([domain]);
  return domain;
}

/** What a stranger reads is kept by nobody on the way and found by no search. */
const secretly = (reply: FastifyReply): void => void reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex, nofollow');

/** The keys of guests: what their hosts do besides the plain calls, and the page on which guests open doors. */
export function serveGuests(app: FastifyInstance, services: Services): void {
  serve(app, services, calls.availableAccessRules, async ({ principal, query }) =>
    sharedRules(services.db, principal, await groupAsked(services, principal, query['domain'])),
  );
  serve(app, services, calls.guestLimits, async ({ principal, query }) => {
    const group = (await groupAsked(services, principal, query['domain'])) ?? principal.domains[0];
    return readGuestLimits(services.db, principal.projectId, group ? [group] : []);
  });
  serve(app, services, calls.revokeGuest, ({ principal, params }) =>
    moveIdentifier(services, principal, params.id, 'revoke', { repository: guestIdentifiersRepository, verb: 'edit' }),
  );
  serve(app, services, calls.mailGuest, async ({ principal, params, body }) => {
    const [project] = await services.db.select({ name: projects.name }).from(projects).where(eq(projects.id, principal.projectId));
    if (!project) throw new HttpError('not_found');
    await mailGuest(services, principal, params.id, { ...body, project: project.name });
  });
  serveToAnyone(app, services, calls.guestPage, ({ params, request, reply }) => {
    secretly(reply);
    return readGuestPage(services, params.key, request.ip);
  });
  serveToAnyone(app, services, calls.openAsGuest, ({ params, body, request, reply }) => {
    secretly(reply);
    return openAsGuest(services, params.key, body.device, originOf(request));
  });
}

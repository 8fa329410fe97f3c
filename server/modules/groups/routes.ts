import { eq, sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { calls } from '#models/api.ts';
import type { GeneratedGroup } from '#models/groups.ts';
import { scopeOf } from '#server/access/scope.ts';
import type { Principal, Services } from '#server/context.ts';
import { seenRow } from '#server/crud/routes.ts';
import { auditRefused } from '#server/crud/trail.ts';
import { groups, groupTypes } from '#server/db/schema/index.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import { HttpError } from '#server/http-error.ts';
import { serve } from '#server/serve.ts';
import { groupsRepository } from './repository.ts';
import { generate, measure } from './generate.ts';
import { removeLogo, setLogo } from './logo.ts';
import { requireTypes, saveGenerated } from './save-generated.ts';
import { readChildren, readFloors, readTree } from './tree.ts';
import { requirePlace } from './tree-moves.ts';

/** Ten thousand groups as JSON. */
const largeBody = 8 * 1024 * 1024;

/** May the principal make groups below this one? @throws HttpError `not_found`, `forbidden` */
async function requireParent(services: Services, principal: Principal, id: string, levels: number): Promise<void> {
  await auditRefused(services, principal, { area: 'groups', verb: 'create', id }, async () => {
    await seenRow(services, groupsRepository, principal, id);
    await requirePlace(services.db, principal, id, levels);
  });
}

function serveGenerating(app: FastifyInstance, services: Services, jobs: Jobs): void {
  const { db } = services;
  serve(app, services, calls.generateGroups, async ({ principal, params, body: { levels } }) => {
    await requireParent(services, principal, params.id, levels.length);
    await requireTypes(
      db,
      principal,
      levels.map(({ id }) => id),
    );
    const types = await db
      .select({ id: groupTypes.id })
      .from(groupTypes)
      .where(sql`${groupTypes.hasLogicAddress} and ${groupTypes.projectId} = ${principal.projectId}`);
    const [parent] = await db.select({ logicAddress: groups.logicAddress }).from(groups).where(eq(groups.id, params.id));
    const proposal = generate(levels, parent ?? { logicAddress: null }, new Set(types.map(({ id }) => id)));
    return { count: measure(proposal).size, groups: proposal };
  });
  serve(app, services, { ...calls.saveGeneratedGroups, bodyLimit: largeBody }, async ({ principal, params, body }) => {
    const proposal = body.groups as GeneratedGroup[];
    await requireParent(services, principal, params.id, measure(proposal).levels);
    return jobs.start(principal, 'generate_groups', saveGenerated(services, principal, params.id, proposal));
  });
}

/** What people do with groups besides the plain calls. */
export function serveGroups(app: FastifyInstance, services: Services, jobs: Jobs): void {
  const { db } = services;
  serve(app, services, calls.groupTree, ({ principal }) => readTree(db, scopeOf(principal)));
  serve(app, services, calls.groupChildren, async ({ principal, params }) => {
    await seenRow(services, groupsRepository, principal, params.id);
    return readChildren(db, scopeOf(principal), params.id);
  });
  serve(app, services, calls.floorsAndApartments, async ({ principal, params }) => {
    await seenRow(services, groupsRepository, principal, params.id);
    return readFloors(db, scopeOf(principal), params.id);
  });
  serveGenerating(app, services, jobs);
  serve(app, services, { ...calls.setGroupLogo, body: z.strictObject({}) }, async ({ principal, params, files: { image } }) => {
    if (!image) throw new HttpError('invalid_file');
    return { logo: await setLogo(services, principal, params.id, image) };
  });
  serve(app, services, calls.removeGroupLogo, ({ principal, params }) => removeLogo(services, principal, params.id));
}

import { eq, sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { calls } from '#models/api.ts';
import type { GeneratedGroup } from '#models/groups.ts';
import { sightOf } from '#server/access/scope.ts';
import type { Asker, Services } from '#server/context.ts';
import { seenRow } from '#server/crud/routes.ts';
import { auditingRefusals } from '#server/crud/trail.ts';
import { groups, groupTypes } from '#server/db/schema/index.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import { Refusal } from '#server/refusal.ts';
import { serve } from '#server/serve.ts';
import { groupsBinding } from './binding.ts';
import { generate, measure } from './generate.ts';
import { removeLogo, setLogo } from './logo.ts';
import { demandTypes, saveGenerated } from './save-generated.ts';
import { readChildren, readFloors, readTree } from './tree.ts';
import { demandPlace } from './tree-moves.ts';

/** Ten thousand groups as JSON. */
const largeBody = 8 * 1024 * 1024;

/** May the asker make groups below this one? @throws Refusal `not_found`, `forbidden` */
async function demandParent(services: Services, asker: Asker, id: string, levels: number): Promise<void> {
  await auditingRefusals(services, asker, { area: 'groups', verb: 'create', id }, async () => {
    await seenRow(services, groupsBinding, asker, id);
    await demandPlace(services.db, asker, id, levels);
  });
}

function serveGenerating(app: FastifyInstance, services: Services, jobs: Jobs): void {
  const { db } = services;
  serve(app, services, calls.generateGroups, async ({ asker, params, body: { levels } }) => {
    await demandParent(services, asker, params.id, levels.length);
    await demandTypes(
      db,
      asker,
      levels.map(({ id }) => id),
    );
    const types = await db
      .select({ id: groupTypes.id })
      .from(groupTypes)
      .where(sql`${groupTypes.hasLogicAddress} and ${groupTypes.projectId} = ${asker.projectId}`);
    const [parent] = await db.select({ logicAddress: groups.logicAddress }).from(groups).where(eq(groups.id, params.id));
    const proposal = generate(levels, parent ?? { logicAddress: null }, new Set(types.map(({ id }) => id)));
    return { count: measure(proposal).size, groups: proposal };
  });
  serve(app, services, { ...calls.saveGeneratedGroups, bodyLimit: largeBody }, async ({ asker, params, body }) => {
    const proposal = body.groups as GeneratedGroup[];
    await demandParent(services, asker, params.id, measure(proposal).levels);
    return jobs.start(asker, 'generate_groups', saveGenerated(services, asker, params.id, proposal));
  });
}

/** What people do with groups besides the plain calls. */
export function serveGroups(app: FastifyInstance, services: Services, jobs: Jobs): void {
  const { db } = services;
  serve(app, services, calls.groupTree, ({ asker }) => readTree(db, sightOf(asker)));
  serve(app, services, calls.groupChildren, async ({ asker, params }) => {
    await seenRow(services, groupsBinding, asker, params.id);
    return readChildren(db, sightOf(asker), params.id);
  });
  serve(app, services, calls.floorsAndApartments, async ({ asker, params }) => {
    await seenRow(services, groupsBinding, asker, params.id);
    return readFloors(db, sightOf(asker), params.id);
  });
  serveGenerating(app, services, jobs);
  serve(app, services, { ...calls.setGroupLogo, body: z.strictObject({}) }, async ({ asker, params, files: { image } }) => {
    if (!image) throw new Refusal('invalid_file');
    return { logo: await setLogo(services, asker, params.id, image) };
  });
  serve(app, services, calls.removeGroupLogo, ({ asker, params }) => removeLogo(services, asker, params.id));
}

import { open } from 'node:fs/promises';
import { eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { calls } from '#models/api.ts';
import { sightOf } from '#server/access/scope.ts';
import type { Services } from '#server/context.ts';
import { seenRow } from '#server/crud/routes.ts';
import { userDomains } from '#server/db/schema/index.ts';
import { addFromCloud } from '#server/licences/cloud.ts';
import { featuresFor, featuresOf } from '#server/licences/features.ts';
import { readAllowance } from '#server/licences/allowance.ts';
import { readOutlook } from '#server/licences/outlook.ts';
import { readOverview } from '#server/licences/overview.ts';
import { readHolders } from '#server/licences/seats.ts';
import { addLicence, removeLicence, switchLicence } from '#server/licences/store.ts';
import { changeSettings } from '#server/licences/settings.ts';
import { Refusal } from '#server/refusal.ts';
import { serve } from '#server/serve.ts';
import { groupsBinding } from '../groups/binding.ts';
import { usersBinding } from '../users/binding.ts';

const longest = 200_000;

/** A licence is a short text; of anything longer, its beginning is enough to say that it is none. */
async function readText(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(longest), 0, longest, 0);
    return buffer.toString('utf8', 0, bytesRead).trim();
  } finally {
    await file.close();
  }
}

/** The licences of a project: what it has, adding and removing, who holds seats, what runs out. */
export function serveLicences(app: FastifyInstance, services: Services): void {
  serve(app, services, calls.licences, ({ asker }) => readOverview(services, asker));
  serve(app, services, calls.features, ({ asker }) => featuresOf(services, asker.projectId, services.now()));
  serve(app, services, calls.licenceOutlook, ({ asker }) => readOutlook(services, asker));
  serve(app, services, { ...calls.addLicenceFile, body: z.strictObject({}) }, async ({ asker, files: { licence } }) => {
    if (!licence) throw new Refusal('invalid_file');
    await addLicence(services, asker, await readText(licence.path), 'file');
    return readOverview(services, asker);
  });
  serve(app, services, calls.addLicenceCloud, async ({ asker }) => {
    const count = await addFromCloud(services, asker);
    return { ...count, overview: await readOverview(services, asker) };
  });
  serve(app, services, calls.switchLicence, async ({ asker, params, body }) => {
    await switchLicence(services, asker, params.id, body.is_enabled);
    return readOverview(services, asker);
  });
  serve(app, services, calls.removeLicence, async ({ asker, params }) => {
    await removeLicence(services, asker, params.id);
    return readOverview(services, asker);
  });
  serve(app, services, calls.licenceSettings, async ({ asker, body }) => {
    await changeSettings(services, asker, body);
    return readOverview(services, asker);
  });
  serveSeats(app, services);
}

/** Who holds seats of the licences, and who may. */
function serveSeats(app: FastifyInstance, services: Services): void {
  const { db, now } = services;
  serve(app, services, calls.licenceSeats, ({ asker, params }) => readHolders(db, sightOf(asker), params.feature, null));
  serve(app, services, calls.groupSeats, async ({ asker, params }) => {
    await seenRow(services, groupsBinding, asker, params.id);
    return readHolders(db, sightOf(asker), params.feature, params.id);
  });
  serve(app, services, calls.userLicence, async ({ asker, params }) => {
    await seenRow(services, usersBinding, asker, params.id);
    const domains = await db.select({ id: userDomains.groupId }).from(userDomains).where(eq(userDomains.userId, params.id));
    return featuresFor(services, { projectId: asker.projectId, domains: domains.map(({ id }) => id) }, now());
  });
  serve(app, services, calls.groupAllowance, async ({ asker, params }) => {
    await seenRow(services, groupsBinding, asker, params.id);
    return readAllowance(services, asker, params.id);
  });
}

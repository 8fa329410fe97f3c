import { open } from 'node:fs/promises';
import { eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { calls } from '#models/api.ts';
import { scopeOf } from '#server/access/scope.ts';
import type { Services } from '#server/context.ts';
import { seenRow } from '#server/crud/routes.ts';
import { userDomains } from '#server/db/schema/index.ts';
import { addFromCloud } from '#server/licences/cloud.ts';
import { featuresFor, featuresOf } from '#server/licences/features.ts';
import { readAllowance } from '#server/licences/allowance.ts';
import { readLicenceStatus } from '#server/licences/status.ts';
import { readOverview } from '#server/licences/overview.ts';
import { readHolders } from '#server/licences/seats.ts';
import { addLicence, removeLicence, switchLicence } from '#server/licences/store.ts';
import { changeSettings } from '#server/licences/settings.ts';
import { HttpError } from '#server/http-error.ts';
import { serve } from '#server/serve.ts';
import { groupsRepository } from '../groups/repository.ts';
import { usersRepository } from '../users/repository.ts';

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
  serve(app, services, calls.licences, ({ principal }) => readOverview(services, principal));
  serve(app, services, calls.features, ({ principal }) => featuresOf(services, principal.projectId, services.now()));
  serve(app, services, calls.licenceStatusReport, ({ principal }) => readLicenceStatus(services, principal));
  serve(app, services, { ...calls.addLicenceFile, body: z.strictObject({}) }, async ({ principal, files: { licence } }) => {
    if (!licence) throw new HttpError('invalid_file');
    await addLicence(services, principal, await readText(licence.path), 'file');
    return readOverview(services, principal);
  });
  serve(app, services, calls.addLicenceCloud, async ({ principal }) => {
    const count = await addFromCloud(services, principal);
    return { ...count, overview: await readOverview(services, principal) };
  });
  serve(app, services, calls.switchLicence, async ({ principal, params, body }) => {
    await switchLicence(services, principal, params.id, body.is_enabled);
    return readOverview(services, principal);
  });
  serve(app, services, calls.removeLicence, async ({ principal, params }) => {
    await removeLicence(services, principal, params.id);
    return readOverview(services, principal);
  });
  serve(app, services, calls.licenceSettings, async ({ principal, body }) => {
    await changeSettings(services, principal, body);
    return readOverview(services, principal);
  });
  serveSeats(app, services);
}

/** Who holds seats of the licences, and who may. */
function serveSeats(app: FastifyInstance, services: Services): void {
  const { db, now } = services;
  serve(app, services, calls.licenceSeats, ({ principal, params }) => readHolders(db, scopeOf(principal), params.feature, null));
  serve(app, services, calls.groupSeats, async ({ principal, params }) => {
    await seenRow(services, groupsRepository, principal, params.id);
    return readHolders(db, scopeOf(principal), params.feature, params.id);
  });
  serve(app, services, calls.userLicence, async ({ principal, params }) => {
    await seenRow(services, usersRepository, principal, params.id);
    const domains = await db.select({ id: userDomains.groupId }).from(userDomains).where(eq(userDomains.userId, params.id));
    return featuresFor(services, { projectId: principal.projectId, domains: domains.map(({ id }) => id) }, now());
  });
  serve(app, services, calls.groupAllowance, async ({ principal, params }) => {
    await seenRow(services, groupsRepository, principal, params.id);
    return readAllowance(services, principal, params.id);
  });
}

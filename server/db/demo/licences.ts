import type { Services } from '#server/context.ts';
import { issueLicence, payloadFor } from '#server/licences/issuer.ts';
import { licences } from '../schema/index.ts';
import { soldLicences } from './licence-plans.ts';
import { lengthOf } from '#models/time.ts';

const day = lengthOf(1, 'day');

/** Gives a project of the demo its signed licences. */
export async function seedLicences(services: Pick<Services, 'db' | 'now'>, project: { id: string; uid: string }): Promise<void> {
  const now = services.now();
  const at = Math.floor(now.getTime() / 1_000);
  for (const [index, given] of soldLicences(project.uid, at).entries()) {
    const payload = await payloadFor(services, project.uid, given);
    const createdAt = new Date(now.getTime() - (400 - index * 100) * day);
    const file = await issueLicence(services.db, payload);
    await services.db.insert(licences).values({ projectId: project.id, number: given.id, file, source: 'file', createdAt, updatedAt: createdAt });
  }
}

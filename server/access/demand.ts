import type { FastifyRequest } from 'fastify';
import type { Access } from '#models/define-call.ts';
import type { Feature } from '#models/licence-info.ts';
import { holds, scopesOf } from '#models/permissions.ts';
import { audit } from '../audit.ts';
import type { Asker, Services } from '../context.ts';
import { demandFeature } from '../licences/features.ts';
import { Refusal } from '../refusal.ts';
import { originOf, sessionOfToken, tokenOf } from './asker.ts';

/** Lets a request through if its sender may make the call; a refusal of somebody signed in goes into the audit trail. */
export async function demandAccess(request: FastifyRequest, services: Services, access: Access): Promise<void> {
  if (access === 'anyone') return;
  const token = tokenOf(request);
  const session = token ? await sessionOfToken(services, token, originOf(request)) : null;
  if (!session) throw new Refusal('not_authorized');
  const { asker } = session;
  request.asker = asker;
  request.server.limitUser(request);
  if (access === 'signedIn') return;
  const [allowed, area, verb] =
    'codes' in access
      ? [holds(asker, ...access.codes), access.about, request.method]
      : [scopesOf(asker, access.verb, access.area).length > 0, access.area, access.verb];
  if (allowed) return;
  await audit(services.db, asker, { area, action: 'refused', changes: { verb: { before: null, after: verb } } }, services.now());
  throw new Refusal('forbidden');
}

/** Lets a request through if the feature it belongs to is licensed for its sender; a refusal goes into the audit trail. */
export async function demandLicensed(services: Services, asker: Asker, feature: Feature, about: string): Promise<void> {
  try {
    await demandFeature(services, asker, feature);
  } catch (error) {
    const changes = { feature: { before: null, after: feature } };
    if (error instanceof Refusal) await audit(services.db, asker, { area: about, action: 'refused', changes }, services.now());
    throw error;
  }
}

import type { FastifyRequest } from 'fastify';
import type { Access } from '#models/api.ts';
import { scopesOf } from '#models/permissions.ts';
import { audit } from '../audit.ts';
import type { Services } from '../context.ts';
import { Refusal } from '../refusal.ts';
import { askerOf, tokenOf } from './asker.ts';

/** Lets a request through if its sender may make the call; a refusal of somebody signed in goes into the audit trail. */
export async function demandAccess(request: FastifyRequest, services: Services, access: Access): Promise<void> {
  if (access === 'anyone') return;
  const token = tokenOf(request);
  const asker = token ? await askerOf(services, token, request) : null;
  if (!asker) throw new Refusal('not_authorized');
  request.asker = asker;
  request.server.limitUser(request);
  if (access === 'signedIn' || scopesOf(asker, access.verb, access.area).length > 0) return;
  const entry = { area: access.area, action: 'refused', changes: { verb: { before: null, after: access.verb } } } as const;
  await audit(services.db, asker, entry, services.now());
  throw new Refusal('forbidden');
}

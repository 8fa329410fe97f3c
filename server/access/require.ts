import type { FastifyRequest } from 'fastify';
import type { Access, Call } from '#models/define-call.ts';
import type { Feature } from '#models/licence-info.ts';
import type { RuledArea, Verb } from '#models/area-rules.ts';
import { hasPermission, scopesOf } from '#models/permissions.ts';
import type { WireCode } from '#models/problem.ts';
import { audit } from '../audit.ts';
import type { Principal, Services } from '../context.ts';
import { requireFeature } from '../licences/features.ts';
import { HttpError } from '../http-error.ts';
import { originOf, sessionOfToken, tokenOf } from './principal.ts';

/** What nobody may do whatever their role; whoever may view such rows is answered why. */
const impossible: Partial<Record<RuledArea, Partial<Record<Verb, WireCode>>>> = { ukey2: { delete: 'ukey2_not_deletable' } };

/** How a call is refused to a principal. */
function denialOf(principal: Principal, access: Exclude<Access, string>): WireCode {
  if ('codes' in access || scopesOf(principal, 'view', access.area).length === 0) return 'forbidden';
  return impossible[access.area]?.[access.verb] ?? 'forbidden';
}

/** Lets a request through if its sender may make the call; a refusal of somebody signed in goes into the audit trail. */
export async function requireAccess(
  request: FastifyRequest,
  services: Services,
  access: Access,
  { enrols }: Pick<Call, 'enrols'> = {},
): Promise<void> {
  if (access === 'anyone') return;
  const token = tokenOf(request);
  const session = token ? await sessionOfToken(services, token, originOf(request)) : null;
  if (!session) throw new HttpError('not_authorized');
  const { principal } = session;
  request.principal = principal;
  request.server.limitUser(request);
  if (principal.mustEnrol && !enrols) throw new HttpError('second_factor_required');
  if (access === 'signedIn') return;
  const [allowed, area, verb] =
    'codes' in access
      ? [hasPermission(principal, ...access.codes), access.about, request.method]
      : [scopesOf(principal, access.verb, access.area).length > 0, access.area, access.verb];
  if (allowed) return;
  await audit(services.db, principal, { area, action: 'refused', changes: { verb: { before: null, after: verb } } }, services.now());
  throw new HttpError(denialOf(principal, access));
}

/** Lets a request through if the feature it belongs to is licensed for its sender; a refusal goes into the audit trail. */
export async function requireLicensed(services: Services, principal: Principal, feature: Feature, about: string): Promise<void> {
  try {
    await requireFeature(services, principal, feature);
  } catch (error) {
    const changes = { feature: { before: null, after: feature } };
    if (error instanceof HttpError) await audit(services.db, principal, { area: about, action: 'refused', changes }, services.now());
    throw error;
  }
}

import { and, sql } from 'drizzle-orm';
import { scopesOf } from '#models/permissions.ts';
import { idArray } from '#server/access/measures.ts';
import { inScope } from '#server/access/scope.ts';
import { audit } from '#server/audit.ts';
import type { Change } from '#server/crud/repository.ts';
import { groups } from '#server/db/schema/index.ts';
import { seal } from '#server/devices/secrets.ts';
import { invalidField } from '#server/http-error.ts';
import { mayBeNamed } from '#server/integrations/guard.ts';
import { trunkPlace, withScheme } from '#server/telephony/sip/trunk.ts';
import { refusedField } from '../roles/rules.ts';

/** A trunk is given to groups within the reach of one's permission: merely seeing a group is not enough. */
async function requireGroups({ tx, principal, verb, fields, before }: Change): Promise<void> {
  const wanted = fields['groups'] as string[] | undefined;
  if (!wanted) return;
  const scopes = scopesOf(principal, verb === 'create' ? 'create' : 'edit', 'sip-trunks');
  if (scopes.includes('all')) return;
  const had = new Set(((before?.['groups'] ?? []) as { id: string }[]).map(({ id }) => id));
  const fresh = wanted.filter((id) => !had.has(id));
  const reach = inScope(
    principal,
    scopes.includes('domain') && !scopes.includes('descendants') && !scopes.includes('own') ? 'domain' : 'descendants',
    'groups',
  );
  const found = await tx
    .select({ id: groups.id })
    .from(groups)
    .where(and(sql`${groups.id} = any(${idArray(fresh)})`, reach));
  if (found.length < fresh.length) throw refusedField('groups', 'not_allowed');
}

/** A provider's server may stand in the house, but not be this machine (fault V22). */
function requireAllowed({ services, fields }: Change): void {
  const { termination_uri: uri } = fields;
  if (typeof uri !== 'string') return;
  const place = trunkPlace(withScheme(uri));
  if (place && !mayBeNamed(place.host, services.config.integrationLoopback)) throw invalidField(['termination_uri'], 'address_not_allowed');
}

/** The rules of a trunk before it is made or changed; answers the columns that follow. */
export async function prepareTrunk(change: Change): Promise<Record<string, unknown>> {
  requireAllowed(change);
  await requireGroups(change);
  const { password } = change.fields;
  return typeof password === 'string' ? { passwordCipher: seal(change.services, password) } : {};
}

/** A changed password is on record, never which. */
export async function settleTrunk({ tx, principal, at, verb, id, fields, before }: Change): Promise<void> {
  if (verb !== 'edit' || typeof fields['password'] !== 'string') return;
  await audit(
    tx,
    principal,
    { area: 'sip-trunks', action: 'password_change', entityId: id, entityName: String(fields['name'] ?? before?.['name']) },
    at,
  );
}

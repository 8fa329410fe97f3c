import { and, eq, or, sql } from 'drizzle-orm';
import { type DeliveryKind, deliveryKinds, type IntegrationCamera } from '#models/integrations.ts';
import { modelOf } from '#models/index.ts';
import type { PermissionCode } from '#models/permission-catalogue.ts';
import { hasPermission, scopesOf } from '#models/permissions.ts';
import { idArray } from '#server/access/measures.ts';
import { inVerbScope, inScope } from '#server/access/scope.ts';
import { audit } from '#server/audit.ts';
import type { Change } from '#server/crud/repository.ts';
import { groups, integrationDeliveries, integrationGroups, integrations } from '#server/db/schema/index.ts';
import { seal } from '#server/devices/secrets.ts';
import { HttpError, invalidField } from '#server/http-error.ts';
import { certificateInfo } from '#server/integrations/certificate.ts';
import { mayBeWritten } from '#server/integrations/guard.ts';
import { tryAtOnce } from '#server/integrations/queue.ts';
import { refusedField } from '../roles/rules.ts';
import { settleStopped } from '../notifications/notify.ts';

type Fields = Record<string, unknown>;

/** The integration as it will be. */
function whole({ before, fields }: Change): Fields {
  const model = modelOf('integrations');
  return { ...(before && model.toWire(model.fromRow(before))), ...fields };
}

/** An integration is made for, or moved to, what the principal may change themselves: the project, or a group (fault P5). */
async function requirePlace({ tx, principal, verb, fields }: Change, { domain_id: place, domains }: Fields): Promise<void> {
  const group = typeof place === 'string' ? place : null;
  if (verb === 'create' || 'domain_id' in fields) {
    const scopes = scopesOf(principal, 'create', 'integrations');
    if (group === null) {
      if (!scopes.includes('project')) throw refusedField('domain_id', 'not_allowed');
    } else if (!scopes.includes('grouped')) {
      const own = scopes.flatMap((scope) => (scope === 'domain' || scope === 'below' ? [inScope(principal, scope, 'groups')] : []));
      const [found] = await tx
        .select({ id: groups.id })
        .from(groups)
        .where(and(eq(groups.id, group), or(...own) ?? sql`false`));
      if (!found) throw refusedField('domain_id', 'not_allowed');
    }
  }
  const chosen = (domains ?? []) as string[];
  if (!group || chosen.length === 0) return;
  const below = await tx
    .select({ id: groups.id })
    .from(groups)
    .where(sql`${groups.id} = any(${idArray(chosen)}) and ${group}::uuid = any(${groups.path})`);
  if (below.length < chosen.length) throw invalidField(['domains'], 'not_below');
}

const viewCodes: Record<Exclude<DeliveryKind, 'test'>, readonly PermissionCode[]> = {
  device_events: ['can_view_device_events'],
  alarms: ['can_view_device_alarms'],
  calls: ['can_view_descendant_calls', 'can_view_all_calls'],
  access: ['can_view_access_control_events'],
};
/** What decides what is told, and to whom. */
const widensDelivery: ReadonlySet<string> = new Set(['type', 'is_active', 'domain_id', 'domains', 'url', 'events']);

/** Nobody has another system told of what they may not see themselves. */
function requireMayNotify({ principal, fields }: Change, { type, events }: Fields): void {
  if (type !== 'webhook' || !Object.keys(fields).some((field) => widensDelivery.has(field))) return;
  const notifiedEvents = events as Record<Exclude<DeliveryKind, 'test'>, boolean>;
  const hidden = deliveryKinds.find((kind) => notifiedEvents[kind] && !hasPermission(principal, ...viewCodes[kind]));
  if (hidden) throw refusedField(`events.${hidden}`, 'not_allowed');
}

/** What each kind needs to work, and where it may reach. */
function requireComplete({ services, fields, before }: Change, { type, url, secret, cameras }: Fields): void {
  if ('url' in fields && !mayBeWritten(String(url), services.config.integrationLoopback)) throw invalidField(['url'], 'address_not_allowed');
  if (type === 'webhook' && !secret && before?.['has_secret'] !== true) throw invalidField(['secret'], 'required');
  if (type === 'camera' && ((cameras ?? []) as IntegrationCamera[]).length === 0) throw invalidField(['cameras'], 'required');
}

/** A stored password goes to the server it was typed for: who gives another address types it again. */
function requirePassword({ fields, before }: Change): void {
  if (!('url' in fields) || before?.['has_password'] !== true || typeof fields['password'] === 'string') return;
  const [was, is] = [new URL(String(before['url'])), new URL(String(fields['url']))];
  if (was.origin !== is.origin) throw invalidField(['password'], 'password_again');
}

/** The columns of secrets that were sent, sealed; a secret that was not sent stays. */
function sealed({ services, fields }: Change): Fields {
  const { secret, password, certificate } = fields;
  return {
    ...(typeof secret === 'string' && { secretCipher: seal(services, secret) }),
    ...(typeof password === 'string' && { passwordCipher: seal(services, password) }),
    ...(typeof certificate === 'string' && { certificateCipher: seal(services, certificate), certificateInfo: certificateInfo(certificate) }),
    ...(certificate === null && { certificateCipher: null, certificateInfo: null }),
  };
}

/** What may mend a webhook that fails. */
const mends: ReadonlySet<string> = new Set(['type', 'is_active', 'url', 'secret', 'certificate']);
const isMended = ({ verb, fields }: Change): boolean => verb === 'edit' && Object.keys(fields).some((field) => mends.has(field));

/** The rules of an integration before it is made or changed; answers the columns that follow. */
export async function prepareIntegration(change: Change): Promise<Fields> {
  const integration = whole(change);
  await requirePlace(change, integration);
  requireMayNotify(change, integration);
  requireComplete(change, integration);
  requirePassword(change);
  return { ...sealed(change), ...(isMended(change) && { failingSince: null, stoppedAt: null, lastError: null }) };
}

/** A changed secret is on record, never which; what waits is tried at once where that may help. */
export async function settleIntegration(change: Change): Promise<void> {
  const { tx, principal, at, verb, id, fields, before } = change;
  const entityName = String(fields['name'] ?? before?.['name']);
  if (verb === 'edit' && ['secret', 'password'].some((field) => typeof fields[field] === 'string'))
    await audit(tx, principal, { area: 'integrations', action: 'password_change', entityId: id, entityName }, at);
  if (!isMended(change)) return;
  await settleStopped(tx, principal.projectId, id, at);
  await tx
    .update(integrationDeliveries)
    .set({ nextAt: at })
    .where(sql`${integrationDeliveries.integrationId} = ${id} and ${integrationDeliveries.deliveredAt} is null`);
  await tryAtOnce(tx, id);
}

/** Whoever sends to it learns that it is gone. */
export async function beforeIntegrationDelete({ tx, principal, id, at }: Change): Promise<void> {
  await settleStopped(tx, principal.projectId, id, at);
  await tryAtOnce(tx, id);
}

const idsOf = (value: unknown): string[] => ((value ?? []) as { id: string }[]).map(({ id }) => id);

/**
 * From the side of a group: it is given, or loses, integrations that the principal may edit: a group more or less changes who is told what.
 * @throws HttpError `integration_not_for_user`
 */
export async function requireMayLinkIntegrations({ tx, principal, before, fields }: Change): Promise<void> {
  const wanted = fields['integrations'] as string[] | undefined;
  if (!wanted) return;
  const had = idsOf(before?.['integrations']);
  const touched = [...wanted.filter((id) => !had.includes(id)), ...had.filter((id) => !wanted.includes(id))];
  if (touched.length === 0) return;
  const found = await tx
    .select({ id: integrations.id })
    .from(integrations)
    .where(and(sql`${integrations.id} = any(${idArray(touched)})`, inVerbScope(principal, 'edit', 'integrations')));
  if (found.length < touched.length) throw new HttpError('integration_not_for_user');
}

/** An integration of a group serves nothing beside it. */
export async function requireIntegrationsBelow({ tx, id, fields }: Change): Promise<void> {
  if (!('integrations' in fields)) return;
  const { rows } =
    await tx.execute(sql`select 1 from ${integrationGroups} join ${integrations} on ${integrations.id} = ${integrationGroups.integrationId}
    join ${groups} on ${groups.id} = ${integrationGroups.groupId}
    where ${integrationGroups.groupId} = ${id} and ${integrations.domainId} is not null and not ${integrations.domainId} = any(${groups.path})`);
  if (rows.length > 0) throw invalidField(['integrations'], 'not_below');
}

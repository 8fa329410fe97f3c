import { and, eq, or, sql } from 'drizzle-orm';
import { modelOf } from '#models/index.ts';
import { templateIssues } from '#models/mail-templates.ts';
import { scopesOf } from '#models/permissions.ts';
import { inScope } from '#server/access/scope.ts';
import type { Principal } from '#server/context.ts';
import type { Change } from '#server/crud/repository.ts';
import type { Db } from '#server/db/database.ts';
import { groups } from '#server/db/schema/index.ts';
import { HttpError } from '#server/http-error.ts';
import { refusedField } from '../roles/rules.ts';

/** A template is made for, or moved to, what the principal may change themselves: the project, or a group (PERM-08, PERM-09). */
export async function requireTemplatePlace(tx: Db, principal: Principal, group: string | null): Promise<void> {
  const scopes = scopesOf(principal, 'create', 'mail-templates');
  if (group === null) {
    if (!scopes.includes('project')) throw refusedField('domain_id', 'not_allowed');
    return;
  }
  const own = scopes.flatMap((scope) => (scope === 'domain' || scope === 'below' ? [inScope(principal, scope, 'groups')] : []));
  const mine = scopes.includes('grouped') ? eq(groups.projectId, principal.projectId) : (or(...own) ?? sql`false`);
  const [found] = await tx
    .select({ id: groups.id })
    .from(groups)
    .where(and(eq(groups.id, group), mine));
  if (!found) throw refusedField('domain_id', 'not_allowed');
}

/** The rules of a template before it is made or changed. @throws HttpError `forbidden`, `invalid_data` */
export async function prepareTemplate({ tx, principal, verb, fields, before }: Change): Promise<void> {
  const model = modelOf('mail-templates');
  const whole = { ...(before && model.toWire(model.fromRow(before))), ...fields };
  if (verb === 'create' || 'domain_id' in fields)
    await requireTemplatePlace(tx, principal, (whole['domain_id'] as string | null | undefined) ?? null);
  const issues = templateIssues(whole);
  if (issues.length > 0) throw new HttpError('invalid_data', { issues });
}

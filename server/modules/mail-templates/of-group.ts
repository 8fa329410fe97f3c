import { and, eq, sql } from 'drizzle-orm';
import { topics } from '#models/realtime.ts';
import { idArray } from '#server/access/measures.ts';
import { inVerbScope } from '#server/access/scope.ts';
import type { Change } from '#server/crud/repository.ts';
import { mailTemplates } from '#server/db/schema/index.ts';
import { publish } from '#server/realtime/publish.ts';
import { refusedField } from '../roles/rules.ts';
import { requireTemplatePlace } from './rules.ts';

/**
 * Brings the mail templates that a group's form names into the group; those it names no longer become the project's. Only templates that
 * the principal may edit, and to the project only for those who change its templates. A place has one template of a type and language.
 */
export async function takeTemplates({ tx, principal, id, at, fields, before }: Change): Promise<void> {
  const wanted = (fields['mail_templates'] ?? []) as string[];
  const were = ((before?.['mail_templates'] ?? []) as { id: string }[]).map((template) => template.id);
  const left = were.filter((template) => !wanted.includes(template));
  const taken = wanted.filter((template) => !were.includes(template));
  if (left.length > 0) await requireTemplatePlace(tx, principal, null);
  for (const [ids, domainId] of [
    [left, null],
    [taken, id],
  ] as const) {
    if (ids.length === 0) continue;
    const moved = await tx
      .update(mailTemplates)
      .set({ domainId, version: sql`${mailTemplates.version} + 1`, updatedAt: at })
      .where(
        and(
          sql`${mailTemplates.id} = any(${idArray(ids)})`,
          eq(mailTemplates.projectId, principal.projectId),
          inVerbScope(principal, 'edit', 'mail-templates'),
        ),
      )
      .returning({ id: mailTemplates.id });
    if (moved.length < ids.length) throw refusedField('mail_templates', 'not_allowed');
    const movedIds = moved.map((template) => template.id);
    await publish(tx, principal.projectId, topics.area('mail-templates'), 'RowsChanged', { area: 'mail-templates', ids: movedIds });
  }
}

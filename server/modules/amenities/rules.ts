import { and, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { hasDoor } from '#models/device-models.ts';
import { idArray } from '#server/access/measures.ts';
import { inScope } from '#server/access/scope.ts';
import { scopesOf } from '#models/permissions.ts';
import type { Change } from '#server/crud/repository.ts';
import { amenities, amenityReservations } from '#server/db/schema/index.ts';
import { removeFile } from '#server/files.ts';
import { HttpError } from '#server/http-error.ts';
import { requireMayGive } from '../access-rules/rules.ts';

interface Door extends Record<string, unknown> {
  rule: string;
  type: string;
  model: string;
}

/** A rule without a door opens nothing to whoever reserves. */
async function requireDoors({ tx, fields }: Change): Promise<void> {
  const rules = fields['accessRules'] as string[] | undefined;
  if (!rules || rules.length === 0) return;
  const { rows } = await tx.execute<Door>(
    sql`select rule_id as rule, type, model from access_rule_devices join devices on devices.id = device_id where rule_id = any(${idArray(rules)})`,
  );
  const opening = new Set(rows.filter((door) => hasDoor(door as never)).map(({ rule }) => rule));
  if (rules.some((rule) => !opening.has(rule))) throw new HttpError('rule_with_unsupported_devices');
}

/** Whoever reserves is given the rules: they are put here by those who may give them. */
export async function prepareAmenity(change: Change): Promise<void> {
  const { fields, before } = change;
  if (!('accessRules' in fields)) return;
  await requireMayGive({
    ...change,
    fields: { access_rules: fields['accessRules'] },
    before: before && { ...before, access_rules: before['accessRules'] },
  });
  await requireDoors(change);
}

/** An amenity is made and moved within what one's permission reaches: for groups of one's own, for those below, for all. */
export async function settleAmenity({ tx, principal, verb, id, fields }: Change): Promise<void> {
  if (verb === 'delete' || !('domains' in fields)) return;
  const reach = scopesOf(principal, verb, 'amenities').filter((scope) => verb === 'edit' || scope !== 'own');
  if (reach.includes('all') || (verb === 'create' && reach.length === 0)) return;
  const [found] = await tx
    .select({ id: amenities.id })
    .from(amenities)
    .where(and(eq(amenities.id, id), or(...reach.map((scope) => inScope(principal, scope, 'amenities')))));
  if (!found) throw new HttpError('amenity_not_allowed');
}

/** What somebody has reserved is not taken away under them (AMEN-06). */
export async function beforeAmenityDelete({ services, tx, id, at, later }: Change): Promise<void> {
  const [row] = await tx.select({ image: amenities.imageFile, terms: amenities.termsFile }).from(amenities).where(eq(amenities.id, id)).for('update');
  const [open] = await tx
    .select({ id: amenityReservations.id })
    .from(amenityReservations)
    .where(and(eq(amenityReservations.amenityId, id), isNull(amenityReservations.canceledAt), gt(amenityReservations.endsAt, at)))
    .limit(1);
  if (open) throw new HttpError('active_reservations');
  for (const file of [row?.image, row?.terms]) if (file) later(() => removeFile(services, file));
}

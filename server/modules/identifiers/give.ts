import { and, eq, isNull, ne, type SQL, sql } from 'drizzle-orm';
import { topics } from '#models/realtime.ts';
import { idArray } from '#server/access/measures.ts';
import type { ViewScope } from '#server/access/scope.ts';
import type { Change } from '#server/crud/repository.ts';
import { inNameOrder, jsonObject, onlySeen } from '#server/crud/json.ts';
import { identifiers, userDomains, users } from '#server/db/schema/index.ts';
import { HttpError } from '#server/http-error.ts';
import { publish } from '#server/realtime/publish.ts';

/** The identifiers of a person that one may see; a ukey2 belongs to their telephone and is issued there. */
export const identifiersOf = (scope: ViewScope): SQL =>
  sql`(select coalesce(json_agg(${jsonObject({ id: identifiers.id, name: identifiers.name })} order by ${inNameOrder(identifiers.name)}, ${identifiers.id}), '[]'::json)
    from ${identifiers} where ${and(eq(identifiers.userId, users.id), ne(identifiers.type, 'ukey2'), onlySeen(scope, 'identifiers', identifiers.id))})`;

const idsIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value : []).map((item: unknown) => (typeof item === 'string' ? item : (item as { id: string }).id));

/** Takes hold of identifiers that nobody has. @throws HttpError `invalid_data` where somebody has one of them by now */
async function holdFree({ tx, principal }: Change, ids: readonly string[]): Promise<void> {
  const free = await tx
    .select({ id: identifiers.id })
    .from(identifiers)
    .where(
      and(
        sql`${identifiers.id} = any(${idArray(ids)})`,
        eq(identifiers.projectId, principal.projectId),
        isNull(identifiers.userId),
        ne(identifiers.type, 'ukey2'),
      ),
    )
    .orderBy(identifiers.id)
    .for('update');
  if (free.length < ids.length) throw new HttpError('invalid_data', { issues: [{ path: ['identifiers'], rule: 'identifier_taken', params: {} }] });
}

/** Makes the identifiers that a person's form names theirs; those it no longer names stay in their group, without an owner. */
export async function giveIdentifiers(change: Change): Promise<void> {
  const { tx, principal, id, at, fields, before } = change;
  const [were, wanted] = [idsIn(before?.['identifiers']), idsIn(fields['identifiers'])];
  const [taken, left] = [wanted.filter((one) => !were.includes(one)), were.filter((one) => !wanted.includes(one))];
  if (taken.length + left.length === 0) return;
  await holdFree(change, taken);
  const ownGroup = sql`(select ${userDomains.groupId} from ${userDomains} where ${userDomains.userId} = ${id} order by 1 limit 1)`;
  const set = (ids: readonly string[], owner: { userId: string | null; domainId?: SQL }) =>
    tx
      .update(identifiers)
      .set({ ...owner, version: sql`${identifiers.version} + 1`, updatedAt: at })
      .where(sql`${identifiers.id} = any(${idArray(ids)})`);
  if (left.length > 0) await set(left, { userId: null, domainId: sql`coalesce(${identifiers.domainId}, ${ownGroup})` });
  if (taken.length > 0) await set(taken, { userId: id });
  await publish(tx, principal.projectId, topics.area('identifiers'), 'RowsChanged', { area: 'identifiers', ids: [...taken, ...left].toSorted() });
}

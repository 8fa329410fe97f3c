import type { Change } from '#server/crud/repository.ts';
import { ukey2Activations } from '#server/db/schema/index.ts';
import { requireKeySeat } from '#server/licences/key-seats.ts';
import { makeKey } from '../identifiers/rules.ts';

/** A key that is issued is of its type; what it holds until a phone takes it nobody knows. */
export const prepareUkey2 = ({ verb }: Change): Promise<Record<string, unknown>> =>
  Promise.resolve(verb === 'create' ? { type: 'ukey2', value: makeKey() } : {});

/** A key that was issued has a seat of its own. */
export async function settleUkey2({ services, tx, principal, verb, id, fields, at }: Change): Promise<void> {
  if (verb !== 'create') return;
  await tx.insert(ukey2Activations).values({ identifierId: id });
  await requireKeySeat(services, tx, { projectId: principal.projectId, userId: String(fields['owner']), at });
}

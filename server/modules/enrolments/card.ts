import { and, eq, sql } from 'drizzle-orm';
import type { PresentedCard } from '#models/enrolment.ts';
import { storedNumber } from '#models/identifier-value.ts';
import { scopeOf, viewable } from '#server/access/scope.ts';
import type { Principal, Services } from '#server/context.ts';
import { deviceEvents, identifiers } from '#server/db/schema/index.ts';
import { unseal } from '#server/devices/secrets.ts';
import { HttpError, invalidField } from '#server/http-error.ts';
import { ownerOf } from '../identifiers/columns.ts';

/** A card by its number, and whose it is by now, as far as somebody may be told. */
export async function presentedCard(
  { db }: Services,
  principal: Principal,
  { type, value }: Pick<PresentedCard, 'type' | 'value'>,
): Promise<PresentedCard> {
  const scope = scopeOf(principal);
  const [found] = await db
    .select({
      id: identifiers.id,
      name: identifiers.name,
      owner: sql<{ id: string; name: string } | null>`${ownerOf(scope)}`,
      isSeen: sql<boolean>`coalesce(${viewable(scope, 'identifiers')}, false)`,
    })
    .from(identifiers)
    .where(and(eq(identifiers.projectId, principal.projectId), eq(identifiers.type, type), eq(identifiers.value, value)));
  if (!found) return { type, value, known: null };
  const { id, name, owner, isSeen } = found;
  return { type, value, known: isSeen ? { identifier: { id, name }, owner } : { identifier: null, owner: null } };
}

/** A number that somebody types. @throws HttpError `invalid_data` for what is none */
export function lookUpCard(services: Services, principal: Principal, { type, value }: Pick<PresentedCard, 'type' | 'value'>): Promise<PresentedCard> {
  const number = storedNumber(value, 'hex');
  if (number === null) throw invalidField(['value'], 'number_or_hex');
  return presentedCard(services, principal, { type, value: number });
}

/** The unknown card of an access event. @throws HttpError `not_found` for an event out of sight, or one without an unknown card */
export async function unknownCard(services: Services, principal: Principal, eventId: string): Promise<PresentedCard> {
  const [event] = await services.db
    .select({ type: deviceEvents.identifierType, sealed: sql<string | null>`${deviceEvents.data} ->> 'sealed'` })
    .from(deviceEvents)
    .where(and(eq(deviceEvents.id, eventId), viewable(scopeOf(principal), 'access-control-events')));
  if (!event?.sealed || (event.type !== 'card' && event.type !== 'ukey')) throw new HttpError('not_found');
  return presentedCard(services, principal, { type: event.type, value: unseal(services, event.sealed) });
}

import { answererOf, type ServerCall } from '#models/call.ts';
import { hiddenName } from '#models/hidden-name.ts';
import { holds } from '#models/permissions.ts';
import type { Asker } from '../context.ts';
import type { Announced, Caller } from './publish.ts';

const sharesGroup = ({ domains }: Asker, ids: readonly string[]): boolean => ids.some((id) => domains.includes(id));

/** The way down to the caller, from the first group that the asker may see. */
function placeFor(asker: Asker, place: Caller['place']): string | null {
  const first = holds(asker, 'can_view_all_groups') ? 0 : place.findIndex(({ id }) => asker.domains.includes(id));
  const seen = first < 0 ? [] : place.slice(first);
  return seen.map(({ name }) => name).join(' · ') || null;
}

/** A person whom the asker may see, as `known` says of rows. */
const knows = (asker: Asker, userId: string, paths: readonly string[]): boolean =>
  userId === asker.id || holds(asker, 'can_view_all_users') || sharesGroup(asker, paths);

/** A call as somebody may know it who is no end of it: who calls and from where, and who took it, by what they may see of rows. */
export function callFor(asker: Asker, call: ServerCall, { caller, taker }: NonNullable<Announced['ends']>): ServerCall {
  const isKnown = caller.userId === null || knows(asker, caller.userId, caller.paths);
  // Whatever was called and is no person has answered itself.
  const isTakerKnown = taker.userId === null ? answererOf(call.answered_by) === call.callee : knows(asker, taker.userId, taker.paths);
  const group = placeFor(asker, caller.place);
  return {
    ...call,
    group,
    answered_by_name: isTakerKnown ? call.answered_by_name : null,
    info: { ...call.info, address: group, user: isKnown ? (call.info?.user ?? null) : null },
    caller_name: isKnown || call.caller_name === null ? call.caller_name : hiddenName[asker.locale],
  };
}

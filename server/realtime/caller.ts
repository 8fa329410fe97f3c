import { answererOf, type ServerCall } from '#models/call.ts';
import { hiddenName } from '#models/hidden-name.ts';
import { hasPermission } from '#models/permissions.ts';
import type { Principal } from '../context.ts';
import type { Announced, Caller } from './publish.ts';

const sharesGroup = ({ domains }: Principal, ids: readonly string[]): boolean => ids.some((id) => domains.includes(id));

/** The way down to the caller, from the first group that the principal may see. */
function placeFor(principal: Principal, place: Caller['place']): string | null {
  const first = hasPermission(principal, 'can_view_all_groups') ? 0 : place.findIndex(({ id }) => principal.domains.includes(id));
  const seen = first < 0 ? [] : place.slice(first);
  return seen.map(({ name }) => name).join(' · ') || null;
}

/** A person whom the principal may see, as `known` says of rows. */
const knows = (principal: Principal, userId: string, paths: readonly string[]): boolean =>
  userId === principal.id || hasPermission(principal, 'can_view_all_users') || sharesGroup(principal, paths);

/** A call as somebody may know it who is no end of it: who calls and from where, and who took it, by what they may see of rows. */
export function callFor(principal: Principal, call: ServerCall, { caller, taker }: NonNullable<Announced['ends']>): ServerCall {
  const isKnown = caller.userId === null || knows(principal, caller.userId, caller.paths);
  // Whatever was called and is no person has answered itself.
  const isTakerKnown = taker.userId === null ? answererOf(call.answered_by) === call.callee : knows(principal, taker.userId, taker.paths);
  const group = placeFor(principal, caller.place);
  return {
    ...call,
    group,
    answered_by_name: isTakerKnown ? call.answered_by_name : null,
    info: { ...call.info, address: group, user: isKnown ? (call.info?.user ?? null) : null },
    caller_name: isKnown || call.caller_name === null ? call.caller_name : hiddenName[principal.locale],
  };
}

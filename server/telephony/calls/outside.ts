import type { SipLeg } from '../sip/leg.ts';
import type { Trunk } from '../sip/trunk.ts';
import type { Found } from './found.ts';
import type { Ring } from './types.ts';

/** What stands at the far side of a leg, as far as the rules of outside calls ask. */
export interface FarSide {
  /** The line it goes or came by, of one outside. */
  trunk: Trunk | null;
  /** Of a device with a door its groups, from the highest down. */
  door: readonly string[] | null;
  /** Known by its address alone: until its ACK nothing shows that what is sent there arrives. */
  byAddress: boolean;
}
/** Somebody of ours, who stands at no door. */
export const inside: FarSide = { trunk: null, door: null, byAddress: false };

/** One end of a call: what stands there, and who called whom. */
export interface End {
  far: FarSide;
  leg: Pick<SipLeg, 'direction'>;
}

const isOf = ({ groups }: Trunk, door: readonly string[]): boolean => groups.some((id) => door.includes(id));

/** May one outside and a door talk? Where the panel has called and the call went out, or where the trunk says so. */
function mayTalk(outside: End, panel: End): boolean {
  const { trunk } = outside.far;
  const { door } = panel.far;
  if (!trunk || !door) return true;
  if (outside.leg.direction === 'outgoing' && panel.leg.direction === 'incoming') return true;
  return trunk.panelCalls && isOf(trunk, door);
}

/** May these two be joined? */
export const mayMeet = (one: End, other: End): boolean => mayTalk(one, other) && mayTalk(other, one);

/** Do keys pressed at one end reach the other? From outside they reach a door only where the trunk says so, for they open it. */
export function passesKeys({ far: { trunk } }: End, { far: { door } }: End): boolean {
  return !trunk || !door || (trunk.panelKeys && isOf(trunk, door));
}

/** Somebody of ours who is rung, as one end of the call to be. */
const rungAs = ({ door }: Ring): End => ({ far: { ...inside, door }, leg: { direction: 'outgoing' } });

/** A route without the doors that who calls may not reach; one that leads nowhere else is refused. */
export function withinReach(found: Found, caller: End): Found {
  const { route } = found;
  if (route.kind === 'refused' || !caller.far.trunk) return found;
  const stages = route.stages
    .map((stage) => ({ ...stage, rings: stage.rings.filter((ring) => mayMeet(caller, rungAs(ring))) }))
    .filter(({ rings }) => rings.length > 0);
  if (stages.length === 0 && route.stages.length > 0 && !route.queue)
    return { ...found, route: { kind: 'refused', status: 403, reason: 'forbidden' } };
  return { ...found, route: { ...route, stages } };
}

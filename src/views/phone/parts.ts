import { useSelector } from '@xstate/react';
import { mayAct } from '#models/permissions.ts';
import type { PhoneActor } from '#machines/phone/phone.machine.ts';
import { actorOf, useProfile } from '../profile-of.ts';

/** What the panel shows below the calls; settings have their own button. */
export type Part = 'keypad' | 'contacts' | 'recents' | 'doors' | 'interception' | 'settings';

export const partIcons: Record<Part, `pi-${string}`> = {
  keypad: 'pi-th-large',
  contacts: 'pi-users',
  recents: 'pi-history',
  doors: 'pi-lock-open',
  interception: 'pi-share-alt',
  settings: 'pi-cog',
};

/** The parts this person has: doors and interception only with their permissions (clauses DIAL-20, DIAL-25). */
export function usePartNames(phone: PhoneActor): readonly Part[] {
  const actor = actorOf(useProfile());
  const isThere = useSelector(phone, ({ children }) => children.interception !== undefined);
  return [
    ...(['keypad', 'contacts', 'recents'] as const),
    ...(mayAct(actor, 'haveDoors') ? (['doors'] as const) : []),
    ...(mayAct(actor, 'intercept') && isThere ? (['interception'] as const) : []),
  ];
}

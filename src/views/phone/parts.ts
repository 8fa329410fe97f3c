import { useSelector } from '@xstate/react';
import type { PhoneActor } from '#machines/phone/phone.machine.ts';
import { useProfile } from '../profile-of.ts';

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

/** The parts this person has: interception only with its permission (clause DIAL-25). */
export function usePartNames(phone: PhoneActor): readonly Part[] {
  const mayIntercept = useProfile().role?.permissions.includes('can_intercept_call_like_concierge') ?? false;
  const isThere = useSelector(phone, ({ children }) => children.interception !== undefined);
  return ['keypad', 'contacts', 'recents', 'doors', ...(mayIntercept && isThere ? (['interception'] as const) : [])];
}

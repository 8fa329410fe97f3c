import { licensed } from '#models/licence-info.ts';
import { mayAct } from '#models/permissions.ts';
import type { Profile } from '#models/profile.ts';

/** What the phone needs to know of its person. */
export interface PhonePerson {
  number: string;
  name: string;
  /** Takes calls of queues or groups: there are waiting calls to read. */
  isDesk: boolean;
  mayIntercept: boolean;
}

/** A person without a phone. */
export const nobody: PhonePerson = { number: '', name: '', isDesk: false, mayIntercept: false };

/** The phone this person may have: both licensed features and a number (clause DIAL-01); null where one is missing. */
export function phoneOf({ features, license_info, profile: { sip_number }, role }: Profile): PhonePerson | null {
  const isLicensed = licensed('sip', features, license_info) && licensed('webDialer', features, license_info);
  if (!isLicensed || !sip_number) return null;
  const actor = { permissions: role?.permissions ?? [] };
  return {
    number: sip_number.number,
    name: sip_number.name,
    isDesk: mayAct(actor, 'takeWaitingCalls'),
    mayIntercept: mayAct(actor, 'intercept'),
  };
}

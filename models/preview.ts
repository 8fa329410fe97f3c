import { type Feature, inBoth, type LicenceInfo } from './licence-info.ts';
import type { Profile } from './profile.ts';

/** What a person views the console as: a role, and what would be licensed. */
export interface Viewpoint {
  role: { id: string; name: string; permissions: readonly string[]; available_roles: readonly string[] };
  licences: LicenceInfo;
}

const shared = (own: readonly string[], theirs: readonly string[]): string[] => own.filter((one) => theirs.includes(one));

/** A person with the rights of a role: no more than both have, licensed for no more than both are. */
export const viewedAs = (own: Profile, { role, licences }: Viewpoint): Profile => ({
  ...own,
  role: {
    id: role.id,
    name: role.name,
    permissions: shared(own.role?.permissions ?? [], role.permissions),
    available_roles: shared(own.role?.available_roles ?? [], role.available_roles),
  },
  features: inBoth(own.features, licences),
});

/** How many permissions of a role somebody lacks: what these open cannot be shown to them. */
export const beyondOwn = (own: Pick<Profile, 'role'>, role: Pick<Viewpoint['role'], 'permissions'>): number =>
  role.permissions.filter((code) => !own.role?.permissions.includes(code)).length;

/** Licensed features that a preview can do without, each with the flag that decides it. */
const flags = {
  sip: ['sip', 'is_enabled'],
  sipTrunks: ['sip', 'is_sip_trunks_enabled'],
  webDialer: ['sip', 'is_web_dialer_enabled'],
  mobileApp: ['mobile_app', 'is_enabled'],
  whiteLabel: ['mobile_app', 'is_white_label_enabled'],
  guests: ['identifier', 'is_guest_enabled'],
  guestFaces: ['face_id', 'is_enabled_for_guests'],
  ukey2: ['ukey2', 'is_enabled'],
  licensePlate: ['license_plate', 'is_enabled'],
  elevator: ['elevator', 'is_enabled'],
  amenity: ['amenity', 'is_enabled'],
} as const satisfies Record<Feature, readonly [keyof LicenceInfo, string]>;
export const previewFeatures = Object.keys(flags) as Feature[];

/** A set of licences with one feature switched on or off. */
export function withFeature(licences: LicenceInfo, feature: Feature, on: boolean): LicenceInfo {
  const [block, flag] = flags[feature];
  return { ...licences, [block]: { ...licences[block], [flag]: on } };
}
/** Whether the flag of a feature is set, whatever it depends on. */
export function hasFeature(licences: LicenceInfo, feature: Feature): boolean {
  const [block, flag] = flags[feature];
  return (licences[block] as Record<string, unknown>)[flag] === true;
}

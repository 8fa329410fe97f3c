import { allLicensed } from '#models/licence-info.ts';
import type { Profile } from '#models/profile.ts';

/** A uuid that reads as the number it was made from. */
export const uuid = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** A signed-in person for tests of machines. */
export const anna: Profile = {
  id: uuid(1),
  login: 'anna',
  email: 'anna@example.org',
  name: 'Anna',
  locale: 'en',
  is_verified: true,
  avatar_url: null,
  is_invited: false,
  must_enrol: false,
  role: { id: uuid(2), name: 'Manager', permissions: ['can_view_all_users', 'can_edit_profile'], available_roles: [] },
  domains: [{ id: uuid(3), name: 'Riverside' }],
  project: { id: uuid(4), uid: 'riverside', name: 'Riverside', description: null },
  profile: {
    address: null,
    phone: null,
    time_zone: 2,
    time_zone_name: null,
    time_format: 'DD-MM-YYYY',
    identifier_format: 'dec',
    sip_number: null,
    is_app_popup_active: false,
    notification_settings: {},
  },
  license_info: allLicensed,
  features: allLicensed,
  app_url: null,
  version: '1',
};
/** The same person with a number of her own: she has a phone. */
export const withNumber: Profile = { ...anna, profile: { ...anna.profile, sip_number: { number: '1001', name: 'Anna' } } };
export const riverside = { id: uuid(4), uid: 'riverside', name: 'Riverside' };
export const harbour = { id: uuid(5), uid: 'harbour', name: 'Harbour' };

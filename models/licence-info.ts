import { z } from 'zod';
import { flag, limit } from './rules.ts';

const count = limit(0, 1_000_000);
/** Which licensed features a project, a group or a user has (spec A3). */
export const licenceInfo = z.strictObject({
  sip: z.strictObject({ is_enabled: flag(), is_sip_trunks_enabled: flag(), is_web_dialer_enabled: flag(), license_count: count }),
  mobile_app: z.strictObject({
    is_enabled: flag(),
    license_count: count,
    is_domain_forward_rule_enabled: flag(),
    is_white_label_enabled: flag(),
    is_remote_open_enabled: flag(),
    is_siri_enabled: flag(),
    is_apple_watch_enabled: flag(),
    is_family_events_enabled: flag(),
  }),
  elevator: z.strictObject({ is_enabled: flag() }),
  license_plate: z.strictObject({ is_enabled: flag() }),
  face_id: z.strictObject({ is_enabled_for_guests: flag() }),
  amenity: z.strictObject({ is_enabled: flag() }),
  ukey2: z.strictObject({ is_enabled: flag(), license_count: count }),
  identifier: z.strictObject({ is_guest_enabled: flag() }),
});
export type LicenceInfo = z.infer<typeof licenceInfo>;

const every = (on: boolean): LicenceInfo => ({
  sip: { is_enabled: on, is_sip_trunks_enabled: on, is_web_dialer_enabled: on, license_count: null },
  mobile_app: {
    is_enabled: on,
    license_count: null,
    is_domain_forward_rule_enabled: on,
    is_white_label_enabled: on,
    is_remote_open_enabled: on,
    is_siri_enabled: on,
    is_apple_watch_enabled: on,
    is_family_events_enabled: on,
  },
  elevator: { is_enabled: on },
  license_plate: { is_enabled: on },
  face_id: { is_enabled_for_guests: on },
  amenity: { is_enabled: on },
  ukey2: { is_enabled: on, license_count: null },
  identifier: { is_guest_enabled: on },
});
export const allLicensed = every(true);
export const nothingLicensed = every(false);

/** The licensed features menu and actions ask for, each with the flag that decides it. */
const features = {
  sip: (info: LicenceInfo) => info.sip.is_enabled,
  sipTrunks: (info: LicenceInfo) => info.sip.is_enabled && info.sip.is_sip_trunks_enabled,
  webDialer: (info: LicenceInfo) => info.sip.is_enabled && info.sip.is_web_dialer_enabled,
  mobileApp: (info: LicenceInfo) => info.mobile_app.is_enabled,
  whiteLabel: (info: LicenceInfo) => info.mobile_app.is_enabled && info.mobile_app.is_white_label_enabled,
  elevator: (info: LicenceInfo) => info.elevator.is_enabled,
  licensePlate: (info: LicenceInfo) => info.license_plate.is_enabled,
  guestFaces: (info: LicenceInfo) => info.face_id.is_enabled_for_guests,
  amenity: (info: LicenceInfo) => info.amenity.is_enabled,
  ukey2: (info: LicenceInfo) => info.ukey2.is_enabled,
  guests: (info: LicenceInfo) => info.identifier.is_guest_enabled,
} as const;
export type Feature = keyof typeof features;

/** A licensed feature needs the server's licence and the user's own flag. */
export const licensed = (feature: Feature, server: LicenceInfo, user: LicenceInfo): boolean => features[feature](server) && features[feature](user);

type Block = Record<string, boolean | number | null>;
type Join = { flag: (one: boolean, other: boolean) => boolean; count: (one: number | null, other: number | null) => number | null };

/** Two licences put together, flag by flag and count by count. */
function joined(one: LicenceInfo, other: LicenceInfo, { flag: join, count: add }: Join): LicenceInfo {
  const block = (own: Block, theirs: Block): Block =>
    Object.fromEntries(
      Object.entries(own).map(([key, value]) => {
        const second = theirs[key] ?? null;
        return [key, typeof value === 'boolean' ? join(value, second === true) : add(value, typeof second === 'boolean' ? null : second)];
      }),
    );
  const names = Object.keys(one) as (keyof LicenceInfo)[];
  return Object.fromEntries(names.map((name) => [name, block(one[name], other[name])])) as LicenceInfo;
}

const least = (one: number | null, other: number | null): number | null => (one === null ? other : other === null ? one : Math.min(one, other));
const most = (one: number | null, other: number | null): number | null => (one === null || other === null ? null : Math.max(one, other));

/** What both have: a flag only where both have it, the smaller of two counts (null is no limit). */
export const inBoth = (one: LicenceInfo, other: LicenceInfo): LicenceInfo => joined(one, other, { flag: (a, b) => a && b, count: least });
/** What either has: a flag where one has it, the greater of two counts (null is no limit). */
export const inEither = (one: LicenceInfo, other: LicenceInfo): LicenceInfo => joined(one, other, { flag: (a, b) => a || b, count: most });

/** Every flag as `block.flag`, for comparing two licences and for naming what differs. */
export const flagsOf = (info: LicenceInfo): Map<string, boolean> =>
  new Map(
    Object.entries(info).flatMap(([block, values]) =>
      Object.entries(values as Block).flatMap(([key, value]) => (typeof value === 'boolean' ? [[`${block}.${key}`, value] as const] : [])),
    ),
  );

import { z } from 'zod';
import { type ConsistencyItem, consistencyTypes, licenceTypes } from './consistency.ts';
import { constants, reminderModes } from './constants.ts';
import { named } from './define-model.ts';
import { allLicensed, licenceInfo } from './licence-info.ts';
import { countedFeatures, type SeatCount } from './seats.ts';
import { choice, flag, limit, rule, wholeNumber } from './rules.ts';

/** How a licence file stands (spec A4.1). */
export const licenceStatuses = ['pending', 'active', 'expired', 'disabled'] as const;
export type LicenceStatus = (typeof licenceStatuses)[number];
/** How what a licence gives stands (spec A4.1): in use, in use but ending soon or in grace, not in use. */
export const licenceStates = ['active', 'ending', 'disabled'] as const;
export type LicenceState = (typeof licenceStates)[number];
/** What the warning machine can say (spec A4.3). */
export const licenceWarnings = ['normal', 'no_license', 'will_expire', 'already_expired'] as const;
export type LicenceWarningStatus = (typeof licenceWarnings)[number];

const { unlimitedLicencePeriod } = constants;
const second = () => wholeNumber(unlimitedLicencePeriod.from, unlimitedLicencePeriod.to).meta({ kind: 'seconds' });
/** From when to when, in seconds since 1970; 0 … 999999999999 is unlimited. */
export const licencePeriod = z
  .strictObject({ from: second(), to: second() })
  .refine(({ from, to }) => from < to, { ...rule('period_order'), path: ['to'] })
  .meta({ kind: 'period' });
export type LicencePeriod = z.infer<typeof licencePeriod>;

/** What the vendor signs. `instance` binds it to one installation; after the period all goes on for `grace_days`. */
export const licencePayload = z.strictObject({
  id: z.uuid(),
  project: z.string().min(1).max(64),
  instance: z.uuid().nullable(),
  issued_at: second(),
  type: z.enum(licenceTypes),
  period: licencePeriod,
  grace_days: wholeNumber(0, 365),
  features: licenceInfo,
  reminder: z.strictObject({ mode: z.enum(reminderModes), notify_before: wholeNumber(0, 365) }),
});
export type LicencePayload = z.infer<typeof licencePayload>;
/** A licence file: the payload's JSON as base64url, and the Ed25519 signature of exactly those characters. */
export const licenceFile = z.strictObject({ payload: z.string().min(2).max(100_000), signature: z.string().min(40).max(200) });

/** A licence as the project's people see it. */
export const licence = z.strictObject({
  id: z.uuid(),
  type: z.enum(licenceTypes),
  /** The number of the licence as the vendor has it. */
  number: z.uuid(),
  status: z.enum(licenceStatuses),
  state: z.enum(licenceStates),
  period: licencePeriod,
  grace_days: z.int(),
  issued_at: z.int(),
  is_enabled: z.boolean(),
  /** False when the key it was signed with is not believed any more; it then gives nothing. */
  is_trusted: z.boolean(),
  source: z.enum(['file', 'cloud']),
  features: licenceInfo,
  reminder: licencePayload.shape.reminder,
  created_at: z.iso.datetime(),
});
export type Licence = z.infer<typeof licence>;

/** How many seats of a counted feature are taken; `available` null is no limit. */
const seatCount = z.strictObject({ feature: z.enum(countedFeatures), used: z.int(), available: z.int().nullable() }) satisfies z.ZodType<SeatCount>;

/** Somebody who holds a seat, and by what; without a person it is a number of a device or a group. */
export const seatHolder = z.strictObject({ id: z.string(), user: named.nullable(), by: z.string() });
export type SeatHolder = z.infer<typeof seatHolder>;

/** One finding of the cascade as the wire has it (spec A3). */
export const consistencyItem = z.strictObject({
  type: z.enum(consistencyTypes),
  feature: z.string().nullable(),
  license_type: z.enum(licenceTypes).nullable(),
  relation: z.strictObject({ parent: named.nullable(), child: named.nullable() }),
  period: z.strictObject({ from: z.int(), to: z.int() }).nullable(),
  qty: z.strictObject({ target: z.int(), available: z.int() }).nullable(),
}) satisfies z.ZodType<ConsistencyItem>;

/** What a new top group starts with: a basic licence of so many days with so many of everything counted; empty is no limit. */
export const licenceSettings = z.strictObject({ basic_period_days: limit(1, 36_500), basic_quantity: limit(0, 1_000_000) });
export type LicenceSettings = z.infer<typeof licenceSettings>;

/** The licences of a project, all in one: what there is, what counts, who is over it. */
export const licenceOverview = z.strictObject({
  instance_id: z.uuid(),
  licenses: z.array(licence),
  /** Ids of those that give something now. */
  active: z.array(z.uuid()),
  /** Whether licences are asked for at all: without a vendor's key everything is licensed. */
  is_required: z.boolean(),
  has_cloud: z.boolean(),
  features: licenceInfo,
  seats: z.array(seatCount),
  settings: licenceSettings,
  /** Groups that count on more than the project has now. */
  consistency: z.array(consistencyItem),
});
export type LicenceOverview = z.infer<typeof licenceOverview>;

/** Something the person must be reminded of. `features_end_at`: when what is licensed goes off; times in seconds since 1970. */
export const licenceReminder = z.strictObject({
  /** The group that ends; null is the project itself. */
  group: named.nullable(),
  status: z.enum(['will_expire', 'already_expired']),
  ends_at: z.int(),
  features_end_at: z.int(),
  mode: z.enum(reminderModes),
});
export type LicenceReminder = z.infer<typeof licenceReminder>;
export const licenceStatusReport = z.strictObject({
  /** The server's present moment in seconds since 1970. */
  at: z.int(),
  status: z.enum(licenceWarnings),
  /** Empty for those who may not manage what ends. */
  reminders: z.array(licenceReminder),
  /** When any of this changes by itself; null is never. */
  changes_at: z.int().nullable(),
});
export type LicenceStatusReport = z.infer<typeof licenceStatusReport>;

/** The licence block of a group: what of the parent's it draws on, how many, how long, and what is reminded of. */
export const groupLicence = z.strictObject({
  isEnabled: flag(),
  notifications: z.strictObject({ period: choice([...reminderModes, 'never']), notify_before: wholeNumber(0, 365) }),
  licenses: z
    .array(z.strictObject({ type: z.enum(['basic', 'extension']), is_active: flag() }))
    .length(2)
    .refine((list) => new Set(list.map(({ type }) => type)).size === list.length, rule('unique'))
    .meta({ kind: 'licence-types' }),
  is_device_license_enabled: flag(),
  restrict_period: flag(),
  /** Counts only while `restrict_period` is on. */
  period: licencePeriod,
  info: licenceInfo,
});
export type GroupLicence = z.infer<typeof groupLicence>;
/** What a group starts with: all that its parent has, as long as its parent has it. */
export const initialGroupLicence: GroupLicence = {
  isEnabled: true,
  notifications: { period: constants.licenceNotifications.mode, notify_before: constants.licenceNotifications.notifyBeforeDays },
  licenses: [
    { type: 'basic', is_active: true },
    { type: 'extension', is_active: true },
  ],
  is_device_license_enabled: true,
  restrict_period: false,
  period: unlimitedLicencePeriod,
  info: allLicensed,
};

/** What a group may be given, and what its people use: for the form. */
export const groupAllowance = z.strictObject({
  /** The flags and counts the parent (or the project) has; null counts are no limit. */
  features: licenceInfo,
  types: z.array(z.enum(licenceTypes)),
  period: z.strictObject({ from: z.int(), to: z.int() }),
  parent: named.nullable(),
  seats: z.array(seatCount),
  state: z.enum(licenceStates),
  status: z.enum(licenceStatuses),
});
export type GroupAllowance = z.infer<typeof groupAllowance>;

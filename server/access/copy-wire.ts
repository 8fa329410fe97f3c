import { z } from 'zod';
import { accessFeatures } from '#models/access-calls.ts';
import { identifierTypes } from '#models/device-events.ts';
import { holidayModes, repeatModes } from '#models/schedule-times.ts';
import type { CopiedCredential, CopyChange, DeviceCopy } from './device-copy.ts';

// The copy of a device as it is sent and kept: what is as usual is left out, for a device may be sent thousands of identifiers.

const moment = z.number().nullable();
const usual = { isGuest: false, isActive: true, isRevoked: false, isLost: false, isBarredFromLifts: false, ownerIsActive: true } as const;

const credential = z.object({
  id: z.string(),
  type: z.enum(identifierTypes),
  value: z.string(),
  isGuest: z.boolean().default(usual.isGuest),
  isActive: z.boolean().default(usual.isActive),
  isRevoked: z.boolean().default(usual.isRevoked),
  isLost: z.boolean().default(usual.isLost),
  isBarredFromLifts: z.boolean().default(usual.isBarredFromLifts),
  ownerIsActive: z.boolean().nullable().default(usual.ownerIsActive),
  period: z.object({ from: moment, to: moment }).nullable().default(null),
  passes: z.object({ count: z.int(), max: z.int() }).nullable().default(null),
  locks: z.array(z.int()).default([]),
  licences: z.array(z.object({ feature: z.enum(accessFeatures), from: moment, until: moment })).default([]),
  rules: z.array(z.string()),
});
const rule = z.object({ id: z.string(), isProhibition: z.boolean(), schedules: z.array(z.string()), floors: z.array(z.int()).nullable() });
const schedule = z.object({
  id: z.string(),
  days: z.object({
    mon: z.boolean(),
    tue: z.boolean(),
    wed: z.boolean(),
    thu: z.boolean(),
    fri: z.boolean(),
    sat: z.boolean(),
    sun: z.boolean(),
  }),
  from: z.int(),
  to: z.int(),
  valid_from: z.string().nullable(),
  valid_to: z.string().nullable(),
  is_all_day: z.boolean(),
  repeat_mode: z.enum(repeatModes),
  holiday_mode: z.enum(holidayModes),
  holiday_from: z.int(),
  holiday_to: z.int(),
  span: z.object({ from: z.number(), to: z.number() }).optional(),
});
const door = z.object({
  id: z.string(),
  isLift: z.boolean(),
  zone: z.object({ zoneHours: z.number(), zoneName: z.string().nullable() }),
  holidays: z.array(z.string()),
  antiPassback: z.object({ area: z.string(), way: z.enum(['in', 'out']), forgivenAfter: moment }).nullable(),
});
const ids = z.array(z.string());

/** A whole copy as it is sent. */
export const sentCopy = z.object({
  version: z.string(),
  door,
  rules: z.array(rule),
  schedules: z.array(schedule),
  credentials: z.array(credential),
}) satisfies z.ZodType<DeviceCopy>;
/** A difference as it is sent. */
export const sentChange = z.object({
  from: z.string(),
  to: z.string(),
  removed: z.object({ credentials: ids, rules: ids, schedules: ids }),
  put: z.object({ credentials: z.array(credential), rules: z.array(rule), schedules: z.array(schedule) }),
  order: ids,
  door,
}) satisfies z.ZodType<CopyChange>;

const isUsual = (name: string, value: unknown): boolean =>
  value === null || value === usual[name as keyof typeof usual] || (Array.isArray(value) && value.length === 0 && name !== 'rules');
/** An owner of nobody's identifier is null, which is not usual. */
const terse = (one: CopiedCredential): Record<string, unknown> =>
  Object.fromEntries(Object.entries(one).filter(([name, value]) => (name === 'ownerIsActive' && value === null) || !isUsual(name, value)));

/** A copy without what is as usual; `sentCopy` reads it. */
export const terseCopy = ({ credentials, ...rest }: DeviceCopy): Record<string, unknown> => ({ ...rest, credentials: credentials.map(terse) });
/** A difference without what is as usual; `sentChange` reads it. */
export const terseChange = ({ put, ...rest }: CopyChange): Record<string, unknown> => ({
  ...rest,
  put: { ...put, credentials: put.credentials.map(terse) },
});

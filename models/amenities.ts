import { z } from 'zod';
import { slotIssues, type AmenitySlots } from './amenity-slots.ts';
import { constants } from './constants.ts';
import { defineModel, named, picture, placedGroup, type RowOf } from './define-model.ts';
import type { Issue } from './issues.ts';
import { flag, name, optionalText, refs, rule, timeOfDay, wholeNumber } from './rules.ts';
import { secondsIn } from './time.ts';

const { min, max } = constants.persons;
const persons = () =>
  z
    .int({ error: ({ input }) => (input === undefined || input === null ? 'required' : 'number') })
    .refine((count) => count >= min && count <= max, rule('persons', { min, max }))
    .meta({ kind: 'number', min, max });

const days = z.strictObject({ mon: flag(), tue: flag(), wed: flag(), thu: flag(), fri: flag(), sat: flag(), sun: flag() }).meta({ kind: 'weekdays' });
const everyDay = { mon: true, tue: true, wed: true, thu: true, fri: true, sat: true, sun: true };
/** A slot lasts from five minutes to a day. */
const durations = { min: secondsIn(5, 'minute'), max: secondsIn(1, 'day') };

const timeSlots = z
  .strictObject({
    duration: wholeNumber(durations.min, durations.max),
    items: z
      .array(z.strictObject({ days, from: timeOfDay(), to: timeOfDay() }))
      .max(50)
      .refine((items) => items.length > 0, rule('amenity_needs_slot')),
  })
  .meta({ kind: 'amenity-slots' });

/** What a house lends to its people by the hour: rooms, courts, the pool (spec FIELD-44). */
export const amenities = defineModel({
  name: 'amenities',
  fields: {
    name: name(),
    address: optionalText(),
    description: optionalText(1_000),
    is_active: flag(),
    domains: refs('groups', 1, 'amenity_needs_group'),
    /** What opens to somebody while their reservation runs. */
    accessRules: refs('access-rules', 1, 'amenity_needs_rule'),
    numberOfPersons: z.strictObject({ min: persons(), max: persons() }),
    timeSlots,
  },
  shown: {
    domains: z.array(placedGroup),
    accessRules: z.array(named),
    image: picture.nullable(),
    terms_of_use: picture.nullable(),
    /** By whose clock the slots are meant: of its group, else of the project; null is UTC. */
    time_zone_name: z.string().nullable(),
    created_by: z.uuid().nullable(),
  },
  initial: {
    name: '',
    address: '',
    description: '',
    is_active: true,
    domains: [],
    accessRules: [],
    numberOfPersons: { min, max },
    timeSlots: {
      duration: constants.slotDurationSeconds,
      items: [{ days: everyDay, from: secondsIn(9, 'hour'), to: secondsIn(21, 'hour') }],
    } satisfies AmenitySlots,
  },
  filters: {
    name: 'text',
    address: 'text',
    description: 'text',
    is_active: 'flag',
    domains: 'refs',
    accessRules: 'refs',
    created_at: 'time',
  },
  sorts: ['name', 'address', 'is_active', 'created_at', 'updated_at'],
  refine: amenityIssues,
  feature: 'amenity',
});
export type Amenity = RowOf<typeof amenities>;

/** At least as many people as at most, and slots that follow the rules. */
function amenityIssues({ numberOfPersons, timeSlots: slots }: Record<string, unknown>): Issue[] {
  const { min: least = min, max: most = max } = (numberOfPersons ?? {}) as Partial<Amenity['numberOfPersons']>;
  return [
    ...(least > most ? [{ path: ['numberOfPersons', 'max'], rule: 'persons', params: { min: least, max } }] : []),
    ...slotIssues(slots as Partial<AmenitySlots> | undefined),
  ];
}

import { z } from 'zod';
import { byId, call } from './define-call.ts';
import { picture } from './define-model.ts';
import { calendarDate } from './rules.ts';

/** A slot of a date with the moments it stands for (ISO 8601 UTC), and how many people it still takes: none once it is taken or over. */
const slotState = z.strictObject({
  from: z.int(),
  to: z.int(),
  starts_at: z.iso.datetime(),
  ends_at: z.iso.datetime(),
  places: z.int(),
  is_taken: z.boolean(),
});
export const amenityState = z.strictObject({
  date: z.iso.date(),
  /** By whose clock; null is UTC. */
  time_zone_name: z.string().nullable(),
  slots: z.array(slotState),
});
export type AmenityState = z.infer<typeof amenityState>;

const edit = { access: { area: 'amenities', verb: 'edit' }, feature: 'amenity', params: byId } as const;

/** What is done with amenities besides keeping them (AMEN-01). */
export const amenityCalls = {
  amenityState: call({
    method: 'GET',
    path: '/amenities/{id}/state',
    access: { area: 'amenities', verb: 'view' },
    feature: 'amenity',
    summary: 'The slots of an amenity on a date, with the free places of each',
    params: byId,
    query: z.strictObject({ date: calendarDate() }),
    answer: amenityState,
  }),
  setAmenityImage: call({
    method: 'POST',
    path: '/amenities/{id}/image',
    ...edit,
    summary: 'Upload the image of an amenity',
    files: ['image'],
    answer: z.strictObject({ image: picture }),
  }),
  removeAmenityImage: call({ method: 'DELETE', path: '/amenities/{id}/image', ...edit, summary: 'Delete the image of an amenity' }),
  setAmenityTerms: call({
    method: 'POST',
    path: '/amenities/{id}/terms-of-use',
    ...edit,
    summary: 'Upload the terms of use of an amenity, as PDF',
    files: ['terms'],
    answer: z.strictObject({ terms_of_use: picture }),
  }),
  removeAmenityTerms: call({
    method: 'DELETE',
    path: '/amenities/{id}/terms-of-use',
    ...edit,
    summary: 'Delete the terms of use of an amenity',
  }),
} as const;

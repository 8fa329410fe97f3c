import { z } from 'zod';
import { call } from './define-call.ts';
import { isStorable } from './rules.ts';

/** Areas whose rows are found by name from anywhere. */
export const searchAreas = ['users', 'groups', 'devices', 'sip-numbers'] as const;
export type SearchArea = (typeof searchAreas)[number];
export const longestSearch = 100;
export const mostRecent = 20;

/** A row that was found; `detail` tells namesakes apart: its place, or the phone number or email address it was found by. */
export const found = z.strictObject({ area: z.enum(searchAreas), id: z.uuid(), name: z.string(), detail: z.string().nullable() });
export type Found = z.infer<typeof found>;

/** The search over all areas at once. */
export const searchCalls = {
  search: call({
    method: 'GET',
    path: '/search',
    access: 'signedIn',
    summary:
      'Users, groups, devices and virtual numbers the user can view, by name, number, phone or email; best matches first, a few of each. Without q, the rows in recent',
    query: z
      .strictObject({
        q: z.string().max(longestSearch).refine(isStorable).describe('What was typed; also tried as typed in the other keyboard layout.'),
        recent: z.string().max(1_000).describe(`Ids of rows used lately, separated by commas, at most ${mostRecent}; they come first.`),
      })
      .partial(),
    answer: z.array(found),
  }),
} as const;

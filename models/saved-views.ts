import { z } from 'zod';
import { byId, call } from './define-call.ts';
import { named } from './define-model.ts';
import { areaNames } from './areas.ts';
import { ref, requiredText } from './rules.ts';

/** So many views somebody keeps of their own, at most. */
export const mostViews = 100;
/** As long as addresses go everywhere. */
const longest = 4_000;

/** A list as somebody has arranged it: `query` is what stands behind the question mark of its address, without the page. */
export const savedView = z.strictObject({
  id: z.uuid(),
  /** The area whose list it shows. */
  area: z.enum(areaNames),
  name: z.string(),
  query: z.string(),
  /** Stands in the side menu, for everybody who has the view. */
  is_pinned: z.boolean(),
  /** Whose holders have it too; null: private. */
  role: named.nullable(),
  is_own: z.boolean(),
});
export type SavedView = z.infer<typeof savedView>;

/** A view as its owner writes it. */
export const writtenView = z.strictObject({
  area: z.enum(areaNames),
  name: requiredText(31),
  query: z.string().max(longest),
  is_pinned: z.boolean(),
  role: ref('roles').nullable(),
});

/** Views that people keep of lists. */
export const savedViewCalls = {
  savedViews: call({
    method: 'GET',
    path: '/saved-views',
    access: 'signedIn',
    summary: 'Own views of lists, and those shared with the role of the user, by name',
    answer: z.array(savedView),
  }),
  saveView: call({
    method: 'PUT',
    path: '/saved-views',
    access: 'signedIn',
    summary: 'Keep a view of a list; sharing it with a role requires the right to edit that role',
    body: writtenView,
    answer: z.uuid(),
  }),
  changeView: call({
    method: 'PATCH',
    path: '/saved-views/{id}',
    access: 'signedIn',
    summary: 'Change an own view',
    params: byId,
    body: writtenView.omit({ area: true }).partial(),
  }),
  removeView: call({
    method: 'DELETE',
    path: '/saved-views/{id}',
    access: 'signedIn',
    summary: 'Delete an own view, or one shared with a role that the user may edit',
    params: byId,
  }),
} as const;

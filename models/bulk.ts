import { z } from 'zod';
import { byId, call } from './define-call.ts';
import { job } from './job.ts';
import { filters } from './query.ts';

/** What can be done to many rows at once, besides exporting them. */
export const bulkActions = [
  'role',
  'groups_add',
  'groups_remove',
  'markers_add',
  'markers_remove',
  'registration_link',
  'activate',
  'deactivate',
  'delete',
] as const;
export type BulkAction = (typeof bulkActions)[number];
const action = z.enum(bulkActions);

/** Areas whose rows more can be done to at once than to be deleted. */
const further: Readonly<Record<string, readonly BulkAction[]>> = {
  users: ['role', 'groups_add', 'groups_remove', 'markers_add', 'markers_remove', 'registration_link'],
  'sip-numbers': ['activate', 'deactivate'],
};
/** What can be done to many rows of an area at once. */
export const bulkActionsOf = ({ name, readOnly }: { name: string; readOnly: boolean }): readonly BulkAction[] =>
  readOnly ? [] : [...(further[name] ?? []), 'delete'];

/** The field that an action changes, and the area whose rows it takes as its value. */
export const bulkValues = {
  role: { field: 'role', area: 'roles' },
  groups_add: { field: 'domains', area: 'groups' },
  groups_remove: { field: 'domains', area: 'groups' },
  markers_add: { field: 'markers', area: 'markers' },
  markers_remove: { field: 'markers', area: 'markers' },
} as const satisfies Partial<Record<BulkAction, { field: string; area: string }>>;
export type ValuedAction = keyof typeof bulkValues;
/** Whether an action asks for rows of another area. */
export const takesValue = (one: BulkAction): one is ValuedAction => Object.hasOwn(bulkValues, one);
/** What can be taken back afterwards. */
export const isUndoable = (one: BulkAction): boolean => takesValue(one) || one === 'activate' || one === 'deactivate';

const value = z.array(z.uuid()).max(50).default([]);
const items = z.array(z.uuid()).min(1).max(500);
/** What is to be done to which rows: those named, or all that match. */
const selection = z.union([z.strictObject({ action, value, items }), z.strictObject({ action, value, filters })]);
const total = z.int().min(1);

/** What somebody should know before they do it. */
export const bulkFindings = z.strictObject({
  total: z.int(),
  /** Whether they themselves are among the users. */
  yourself: z.boolean(),
  /** How many of the users may administer the project. */
  administrators: z.int(),
  /** Rows of other areas that use these rows, which cannot be deleted while they do. */
  uses: z.array(z.strictObject({ area: z.string(), total: z.int() })),
});
export type BulkFindings = z.infer<typeof bulkFindings>;

/** From so many rows on a word is typed before it begins. */
export const bulkWordFrom = 51;

const params = z.strictObject({ area: z.string() });
/** Doing one thing to many rows. */
export const bulkCalls = {
  checkBulk: call({
    method: 'POST',
    path: '/{area}/bulk/check',
    access: 'signedIn',
    reads: true,
    summary: 'How many rows an action would concern, who is among them and what uses them; nothing is written',
    params,
    body: selection,
    answer: bulkFindings,
  }),
  startBulk: call({
    method: 'POST',
    path: '/{area}/bulk',
    access: 'signedIn',
    summary: 'Do something to the rows in items, or to all that match, as a job; refused when their number is not `total` any more',
    params,
    body: z.union([z.strictObject({ action, value, items, total }), z.strictObject({ action, value, filters, total })]),
    answer: job,
    success: [202],
  }),
  undoJob: call({
    method: 'POST',
    path: '/jobs/{id}/undo',
    access: 'signedIn',
    summary: 'Give the rows of a bulk job their former values back, as a job; those that were changed since are left as they are',
    params: byId,
    answer: job,
    success: [202],
  }),
} as const;

import { z } from 'zod';
import { call } from './define-call.ts';
import { named } from './define-model.ts';
import { denialReasons } from './device-events.ts';
import { job } from './job.ts';

/** Rows and columns of one page. */
export const matrixPage = { people: 25, doors: 20 } as const;
/** The most that one file holds. */
export const matrixFileLimits = { people: 2_000, doors: 200 } as const;

/** What is asked of the matrix, as its address and the call have it. */
const question = {
  /** People of this group and of those below it; doors of that one. */
  people_group: z.uuid().nullable(),
  doors_group: z.uuid().nullable(),
  /** This person alone, this door alone. */
  person_id: z.uuid().nullable(),
  door_id: z.uuid().nullable(),
  /** Only people and doors that some rule brings together: who can open the door, where the person can go. */
  only_reached: z.boolean(),
  /** Part of a person's or a door's name. */
  person: z.string().max(64),
  door: z.string().max(64),
  /** The moment that is decided for; null is now. */
  at: z.iso.datetime().nullable(),
};

/**
 * What an identifier of a person does at a door. `later`: not at this moment, but at another within 400 days. `none`: they have no identifier that could.
 */
export const matrixStates = ['granted', 'later', 'denied', 'none'] as const;
export const matrixCell = z.strictObject({
  state: z.enum(matrixStates),
  reason: z.enum(denialReasons).nullable(),
  /** The identifier that was decided for: the one that comes furthest. */
  identifier: z.uuid().nullable(),
});
export type MatrixCell = z.infer<typeof matrixCell>;

export const accessMatrix = z.strictObject({
  at: z.iso.datetime(),
  people: z.array(z.strictObject({ ...named.shape, group: z.string().nullable() })),
  people_total: z.int(),
  doors: z.array(named),
  doors_total: z.int(),
  /** A row for each person, a cell for each door. */
  cells: z.array(z.array(matrixCell)),
});
export type AccessMatrix = z.infer<typeof accessMatrix>;

const access = { codes: ['can_view_access_rules'], about: 'access-rules' } as const;

/** Who may pass which doors, as a table. */
export const accessMatrixCalls = {
  accessMatrix: call({
    method: 'POST',
    reads: true,
    path: '/access/matrix',
    access,
    summary:
      'People × doors: whether an identifier of the person opens the door at a moment; 25 people and 20 doors at a time, those the user can view',
    body: z.strictObject({ ...question, people_page: z.int().min(1).max(100_000), doors_page: z.int().min(1).max(100_000) }),
    answer: accessMatrix,
  }),
  accessMatrixFile: call({
    method: 'POST',
    path: '/access/matrix/export',
    access,
    summary: 'The whole table as a file, written by a job; at most 2,000 people and 200 doors, 413 `too_large` beyond that',
    body: z.strictObject({ ...question, format: z.enum(['csv', 'xlsx']) }),
    answer: job,
    success: [202],
  }),
} as const;

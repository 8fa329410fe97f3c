import { z } from 'zod';
import { importResult } from './import.ts';

/** The life of long work: it may be cancelled while it waits or runs. */
export const jobStates = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
export const exportFormats = ['csv', 'xlsx', 'json'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** What became of one row of bulk work. */
export const rowOutcome = z.strictObject({
  id: z.uuid(),
  name: z.string().nullable(),
  ok: z.boolean(),
  /** Why not: the problem's code and wire message, and the rule of the field that stood in the way. */
  problem: z.strictObject({ code: z.string(), message: z.string(), rule: z.string().optional() }).optional(),
});
export type RowOutcome = z.infer<typeof rowOutcome>;

/** Long work on the server: `done` of `total` units, a file when it makes one, and the rows that failed. */
export const job = z.strictObject({
  id: z.uuid(),
  kind: z.enum([
    'export',
    'bulk_delete',
    'generate_groups',
    'generate_numbers',
    'import',
    'import_check',
    'import_file',
    'bulk',
    'bulk_undo',
    'backup',
    'restore',
  ]),
  state: z.enum(jobStates),
  done: z.int(),
  total: z.int(),
  file_name: z.string().nullable(),
  failures: z.array(rowOutcome),
  problem: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
  /** What became of the rows of an import. */
  import: importResult.optional(),
  /** Of a bulk job: what it does, and whether that can be taken back now. */
  bulk: z.strictObject({ action: z.string(), can_undo: z.boolean() }).optional(),
  created_at: z.iso.datetime(),
});
export type Job = z.infer<typeof job>;
/** Whether a job has come to its end, whatever that was. */
export const isOver = ({ state }: Pick<Job, 'state'>): boolean => state === 'completed' || state === 'failed' || state === 'cancelled';

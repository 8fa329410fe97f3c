import { z } from 'zod';
import type { Issue } from './issues.ts';

/** Areas whose rows are read from files. */
export const importAreas = ['identifiers', 'users', 'devices'] as const;
export type ImportArea = (typeof importAreas)[number];
/** What becomes of rows that exist already and differ: they stay as they are, or take over what the file says. */
export const importActions = ['leave', 'overwrite'] as const;
export type ImportAction = (typeof importActions)[number];
/** What may be in a file; more is refused. */
export const importLimits = { rows: 50_000, columns: 60, samples: 3, issues: 500 } as const;

/** Which column of the file (from 0) gives a field. */
const mapping = z.record(
  z.string().max(64),
  z
    .int()
    .min(0)
    .max(importLimits.columns - 1),
);
/** What a field is in all rows for which no column gives it. */
const constants = z.record(z.string().max(64), z.string().max(64));

/** How a file is to be read. The file path is what the attempt answered; without a mapping its columns are those the attempt guessed (IDENT-11). */
const plan = z.strictObject({ filepath: z.uuid(), mapping: mapping.optional(), constants: constants.default({}) });
export type SentImportPlan = z.output<typeof plan>;
export interface ImportPlan extends SentImportPlan {
  mapping: z.output<typeof mapping>;
}
export const importCheck = plan;
export const importContinue = plan.extend({ action: z.enum(importActions) });

/** What a file holds, before it is said what it means. */
export const importAttempt = z.strictObject({
  filepath: z.uuid(),
  file_name: z.string(),
  rows: z.int(),
  columns: z.array(z.strictObject({ heading: z.string(), samples: z.array(z.string()) })),
  /** The columns guessed by their headings. */
  mapping,
});
export type ImportAttempt = z.infer<typeof importAttempt>;

/** What is wrong with one row: its number as a spreadsheet counts, the heading of the column, and the rule it breaks or the code of the refusal. */
const importIssue = z.strictObject({
  row: z.int(),
  column: z.string().nullable(),
  field: z.string().nullable(),
  rule: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
});
export type ImportIssue = z.infer<typeof importIssue> & Pick<Issue, 'rule' | 'params'>;

const counts = z.strictObject({ new: z.int(), same: z.int(), changed: z.int(), bad: z.int() });
export type ImportCounts = z.infer<typeof counts>;

/** How far an import has come: what became of the rows up to the last one that is settled, and what is wrong with the first of the bad ones. */
export const importResult = z.strictObject({
  /** Null for a check, which changes nothing. */
  action: z.enum(importActions).nullable(),
  counts,
  /** The number of the last row that is settled; 0 before the first. */
  last_row: z.int(),
  issues: z.array(importIssue),
});
export type ImportResult = z.infer<typeof importResult>;

import { defineForm } from '../define-form.ts';
import { importColumns } from '../import-columns.ts';
import type { ImportAction, ImportArea, ImportAttempt } from '../import.ts';
import type { Issue } from '../issues.ts';

interface ImportGiven {
  area: ImportArea;
  attempt: ImportAttempt;
}
interface ImportPlanDraft {
  /** The column of each field in the file; null where it has none. */
  mapping: Readonly<Record<string, number | null>>;
  /** What a field is in all rows, where no column says it. */
  constants: Readonly<Record<string, string>>;
  /** What becomes of rows that exist already and differ. */
  action: ImportAction;
}

/** The plan of a draft as the contract wants it. */
export function planOf({ attempt: { filepath } }: Pick<ImportGiven, 'attempt'>, { mapping, constants }: ImportPlanDraft) {
  const chosen = Object.entries(mapping).flatMap(([field, at]): [string, number][] => (at === null ? [] : [[field, at]]));
  const said = Object.entries(constants).filter(([, value]) => value !== '');
  return { filepath, mapping: Object.fromEntries(chosen), constants: Object.fromEntries(said) };
}

/** Which column of a file holds what; saving it checks the file. */
export const importPlanForm = defineForm({
  name: 'import-plan',
  call: 'checkImport',
  start: ({ area, attempt }: ImportGiven): ImportPlanDraft => ({
    mapping: Object.fromEntries(importColumns[area].map(({ field }) => [field, attempt.mapping[field] ?? null])),
    constants: Object.fromEntries(importColumns[area].flatMap(({ field, constant, options = [] }) => (constant ? [[field, options[0] ?? '']] : []))),
    action: 'leave',
  }),
  read: (draft, _base, given) => {
    const { mapping, constants, filepath } = planOf(given, draft);
    const missing = importColumns[given.area].filter(({ field, required }) => required && mapping[field] === undefined && !constants[field]);
    const issues = missing.map(({ field }): Issue => ({ path: ['mapping', field], rule: 'required', params: {} }));
    return issues.length > 0 ? { issues } : { input: { params: { area: given.area }, body: { filepath, mapping, constants } } };
  },
});

import type { Path } from './draft.ts';
import { type EditorContext, savedOf, keyOf, type PickerChosen } from './editor.setup.ts';

type Failed = { event: { error: unknown } };
/** Keeps what went wrong, as a problem. */
export const rememberFailure = { type: 'rememberProblem', params: ({ event }: Failed) => event } as const;
/** Keeps the draft as it stands, for a later visit. */
export const saveDraft = {
  type: 'saveDraft',
  params: ({ context }: { context: EditorContext }) => ({ key: keyOf(context), saved: savedOf(context) }),
} as const;
/** Drops the kept draft: it is stored, or no longer wanted. */
export const forgetDraft = { type: 'forgetDraft', params: ({ context }: { context: EditorContext }) => keyOf(context) } as const;
/** Puts what was typed into the draft. */
export const changeValue = { type: 'changeDraft', params: ({ event }: { event: { path: Path; value: unknown } }) => event } as const;
/** Puts what was chosen in a picker into the draft: the rows, or the one row. */
export const changeChosen = {
  type: 'changeDraft',
  params: ({ event }: { event: PickerChosen }) => ({ path: event.path, value: event.multiple ? event.rows : (event.rows[0] ?? null) }),
} as const;

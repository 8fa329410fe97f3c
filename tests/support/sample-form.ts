import { z } from 'zod';
import { defineDraft, defineForm } from '#models/define-form.ts';
import { toIssues } from '#models/issues.ts';

const comment = z.string().min(1, 'required').max(9);

/** A form that asks before it is left and says in the alerts area how it went; a comment of one to nine letters. */
export const sampleForm = defineForm({
  name: 'sample',
  call: 'processAlarm',
  start: ({ id, text }: { id: string; text: string }) => ({ comment: text, id }),
  read: (draft) => {
    const read = comment.safeParse(draft.comment.trim());
    return read.success
      ? { input: { params: { alarm_id: draft.id }, body: { comment: read.data } } }
      : { issues: toIssues(read.error).map((issue) => ({ ...issue, path: ['comment'] })) };
  },
  leave: { text: 'interface.leave_question', approve: 'interface.leave' },
  saved: 'interface.done',
  announces: ['issues', 'problems'],
});

/** A form that goes without a word, whatever was typed. */
export const quietForm = defineForm({
  name: 'quiet',
  call: 'deleteAccount',
  start: () => ({ password: '' }),
  read: ({ password }) => (password ? { input: { body: { password } } } : { issues: [{ path: ['password'], rule: 'required', params: {} }] }),
});

/** A form without a call: a number is handed over. */
export const numberDraft = defineDraft({
  name: 'number',
  start: () => ({ comment: 'Cat' }),
  read: ({ comment }) => (comment ? { value: comment.length } : { issues: [{ path: ['comment'], rule: 'required', params: {} }] }),
});

import { defineForm } from '../define-form.ts';

/** What a call was about; an empty note is none. */
export const callNoteForm = defineForm({
  name: 'call-note',
  call: 'noteCall',
  start: ({ note }: { speechId: string; note: string }) => ({ text: note }),
  read: ({ text }, _base, { speechId }) => ({ input: { params: { speechId }, body: { note: text.trim() || null } } }),
});

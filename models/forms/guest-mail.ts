import { defineForm } from '../define-form.ts';
import { guestCalls } from '../guest-access.ts';
import { toIssues } from '../issues.ts';

/** The address to which the link of a guest's key is sent, in the language of whoever sends it. */
export const guestMailForm = defineForm({
  name: 'guest-mail',
  call: 'mailGuest',
  start: () => ({ email: '' }),
  read: (draft, _base, { id, locale }: { id: string; locale: string }) => {
    const read = guestCalls.mailGuest.body.safeParse({ ...draft, locale });
    return read.success ? { input: { params: { id }, body: read.data } } : { issues: toIssues(read.error) };
  },
});

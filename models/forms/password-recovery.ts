import { defineForm } from '../define-form.ts';
import { recoveryBody } from '../entry-calls.ts';
import { toIssues } from '../issues.ts';

/** The address to which a link for a new password is mailed. */
export const passwordRecoveryForm = defineForm({
  name: 'password-recovery',
  call: 'recoverPassword',
  start: () => ({ email: '' }),
  read: (draft) => {
    const read = recoveryBody.safeParse(draft);
    return read.success ? { input: { body: read.data } } : { issues: toIssues(read.error) };
  },
});

import { defineForm } from '../define-form.ts';
import { toIssues } from '../issues.ts';
import { accountRemoval } from '../profile.ts';

/** Deleting one's own account, asked for with the password. */
export const accountRemovalForm = defineForm({
  name: 'account-removal',
  call: 'deleteAccount',
  start: () => ({ password: '' }),
  read: (body) => {
    const read = accountRemoval.safeParse(body);
    return read.success ? { input: { body } } : { issues: toIssues(read.error) };
  },
});

import { defineForm } from '../define-form.ts';
import { passwordIssues, type PasswordTwice } from './password-twice.ts';

/** Another person's password, typed twice. */
export const userPasswordForm = defineForm({
  name: 'user-password',
  call: 'userPassword',
  start: (): PasswordTwice => ({ password: '', repeat: '' }),
  read: (draft, _base, { id }: { id: string }) => {
    const issues = passwordIssues(draft);
    return issues.length > 0 ? { issues } : { input: { params: { id }, body: { new_password: draft.password } } };
  },
  saved: 'interface.done',
});

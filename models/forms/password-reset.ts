import { defineForm } from '../define-form.ts';
import { passwordIssues, type PasswordTwice } from './password-twice.ts';

/** A new password, typed twice by who came by a recovery link. */
export const passwordResetForm = defineForm({
  name: 'password-reset',
  call: 'resetPassword',
  start: (): PasswordTwice => ({ password: '', repeat: '' }),
  read: (draft, _base, { code }: { code: string }) => {
    const issues = passwordIssues(draft);
    return issues.length > 0 ? { issues } : { input: { body: { code, password: draft.password } } };
  },
});

import { defineForm } from '../define-form.ts';
import { passwordIssues, type PasswordTwice } from './password-twice.ts';

/** One's first password, typed twice by who came by a registration link. */
export const registrationForm = defineForm({
  name: 'registration',
  call: 'register',
  start: (): PasswordTwice => ({ password: '', repeat: '' }),
  read: (draft, _base, { token }: { token: string }) => {
    const issues = passwordIssues(draft);
    return issues.length > 0 ? { issues } : { input: { params: { token }, body: { password: draft.password } } };
  },
});

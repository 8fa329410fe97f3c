import { defineForm } from '../define-form.ts';
import { type Issue, toIssues } from '../issues.ts';
import { registrationBody } from '../registration-calls.ts';
import { passwordIssues } from './password-twice.ts';

/** An account by name and login; the project where there are several. */
export const simpleRegistrationForm = defineForm({
  name: 'register-simply',
  call: 'simpleRegistration',
  start: () => ({ project: '', name: '', login: '', password: '', repeat: '' }),
  read: (draft) => {
    const { project, name, login, password } = draft;
    const body = { name, login, password, ...(project !== '' && { project }) };
    const read = registrationBody.safeParse(body);
    const found: Issue[] = read.success ? [] : toIssues(read.error).filter(({ path }) => path[0] !== 'password');
    const issues = [...found, ...passwordIssues(draft)];
    return issues.length > 0 ? { issues } : { input: { body } };
  },
});

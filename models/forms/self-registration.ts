import { defineForm } from '../define-form.ts';
import { type Issue, toIssues } from '../issues.ts';
import { confirmationBody, selfRegistrationBody } from '../registration-calls.ts';
import { passwordIssues } from './password-twice.ts';

/** An account by oneself: who one is, as what, and where one lives. */
export const selfRegistrationForm = defineForm({
  name: 'register-oneself',
  call: 'selfRegistration',
  start: ({ project, type }: { project: string; type: string }) => ({
    project,
    user_name: '',
    user_email: '',
    user_type: type,
    object_name: '',
    password: '',
    repeat: '',
  }),
  read: (draft) => {
    const { project, password, repeat: _, object_name: object, ...person } = draft;
    const body = { ...person, object_name: object.trim() === '' ? null : object, user_password: password, ...(project !== '' && { project }) };
    const read = selfRegistrationBody.safeParse(body);
    const found: Issue[] = read.success ? [] : toIssues(read.error).filter(({ path }) => path[0] !== 'user_password');
    const issues = [...found, ...passwordIssues(draft)];
    return issues.length > 0 ? { issues } : { input: { body } };
  },
});

/** The code that was mailed. */
export const confirmationForm = defineForm({
  name: 'registration-confirmation',
  call: 'confirmSelfRegistration',
  start: () => ({ code: '' }),
  read: (draft, _base, { registration }: { registration: string }) => {
    const read = confirmationBody.safeParse({ registration, code: draft.code.replaceAll(/\s/g, '') });
    return read.success ? { input: { body: read.data } } : { issues: toIssues(read.error).filter(({ path }) => path[0] === 'code') };
  },
});

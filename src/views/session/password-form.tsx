import { type FormEvent, useEffect } from 'react';
import type { PasswordTwice } from '#models/forms/password-twice.ts';
import { Button } from '#src/components/button.tsx';
import { useText } from '#src/components/text.ts';
import { type FormView, issueOf } from '../use-form.ts';
import { NewPassword } from './session-inputs.tsx';
import { SessionProblem } from './session-problem.tsx';

const fields = ['password', 'repeat'] as const;

interface PasswordFormProps {
  login: string;
  submit: string;
  form: FormView<null, PasswordTwice>;
}

/** One's own login to read, and a new password to type twice; nothing leaves before both are right. */
export function PasswordForm({ login, submit: label, form }: PasswordFormProps) {
  const { t } = useText();
  const { draft, problem } = form;
  const sending = form.running || form.done;
  useEffect(() => document.getElementById('new-password')?.focus(), []);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (sending) return;
    const first = fields.find((field) => issueOf(form.wrong, field));
    if (first) document.getElementById(`new-${first}`)?.focus();
    form.save();
  };
  return (
    <form onSubmit={submit} noValidate aria-busy={sending}>
      <SessionProblem problem={problem} />
      <div className="session-field">
        <label htmlFor="login">{t('interface.registration.login')}</label>
        <input id="login" className="p-inputtext p-component" value={login} readOnly autoComplete="username" />
      </div>
      <NewPassword draft={draft} issueOf={(field) => issueOf(form.issues, field)} disabled={sending} onChange={form.change} />
      <Button type="submit" label={label} loading={sending} />
    </form>
  );
}

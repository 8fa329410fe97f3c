import { type FormEvent, useEffect } from 'react';
import type { registrationForm } from '#models/forms/registration.ts';
import { Button } from '#src/components/button.tsx';
import { PasswordInput } from '#src/components/password-input.tsx';
import { ProblemText } from '#src/components/problem-text.tsx';
import { sayIssue, useText } from '#src/components/text.ts';
import { type FormOf, issueOf } from '../use-form.ts';

const fields = ['password', 'repeat'] as const;

interface RegistrationFormProps {
  login: string;
  form: FormOf<typeof registrationForm>;
}

/** One's own login to read, and a new password to type twice; nothing leaves before both are right. */
export function RegistrationForm({ login, form }: RegistrationFormProps) {
  const words = useText();
  const { t } = words;
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
      {problem && (
        <div className="session-note session-note-bad" role="alert">
          <i className="pi pi-times-circle" aria-hidden="true" />
          <div>
            <ProblemText problem={problem} />
          </div>
        </div>
      )}
      <div className="session-field">
        <label htmlFor="login">{t('interface.registration.login')}</label>
        <input id="login" className="p-inputtext p-component" value={login} readOnly autoComplete="username" />
      </div>
      {fields.map((field) => {
        const id = `new-${field}`;
        const issue = issueOf(form.issues, field);
        return (
          <div key={field} className="session-field">
            <label htmlFor={id}>{t(`interface.registration.${field}`)}</label>
            <PasswordInput
              id={id}
              value={draft[field]}
              autoComplete="new-password"
              disabled={sending}
              invalid={issue !== undefined}
              describedBy={`${id}-error ${id}-hint`}
              onChange={(value) => form.change({ [field]: value })}
            />
            {field === 'password' && (
              <p id={`${id}-hint`} className="quiet small">
                {t('interface.profile.new_password_hint')}
              </p>
            )}
            <p id={`${id}-error`} className="session-error" hidden={!issue}>
              {issue && sayIssue(words, issue)}
            </p>
          </div>
        );
      })}
      <Button type="submit" label={t('interface.registration.submit')} loading={sending} />
    </form>
  );
}

import { type FormEvent, useEffect, useState } from 'react';
import { z } from 'zod';
import { type Issue, toIssues } from '#models/issues.ts';
import type { Problem } from '#models/problem.ts';
import { mustMatch, password } from '#models/rules.ts';
import { Button } from '#src/components/button.tsx';
import { PasswordInput } from '#src/components/password-input.tsx';
import { ProblemText } from '#src/components/problem-text.tsx';
import { sayIssue, useText } from '#src/components/text.ts';

const fields = ['password', 'repeat'] as const;
type Field = (typeof fields)[number];
type Values = Record<Field, string>;

const match = mustMatch('password', 'repeat');
const chosen = z.object({ password: password(), repeat: z.string() }).refine(match.check, match.issue);

/** The first finding of each field. */
function findings(values: Values): Partial<Record<Field, Issue>> {
  const result = chosen.safeParse(values);
  return result.success ? {} : Object.fromEntries(toIssues(result.error).map((issue) => [issue.path[0], issue]));
}

interface RegistrationFormProps {
  login: string;
  /** Why the last try failed. */
  problem: Problem | null;
  sending: boolean;
  onChosen: (password: string) => void;
}

/** One's own login to read, and a new password to type twice; nothing leaves before both are right. */
export function RegistrationForm({ login, problem, sending, onChosen }: RegistrationFormProps) {
  const words = useText();
  const { t } = words;
  const [values, setValues] = useState<Values>({ password: '', repeat: '' });
  const [checked, setChecked] = useState(false);
  const wrong = findings(values);
  useEffect(() => document.getElementById('new-password')?.focus(), []);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (sending) return;
    setChecked(true);
    const first = fields.find((field) => wrong[field]);
    if (first) document.getElementById(`new-${first}`)?.focus();
    else onChosen(values.password);
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
        const issue = checked ? wrong[field] : undefined;
        return (
          <div key={field} className="session-field">
            <label htmlFor={id}>{t(`interface.registration.${field}`)}</label>
            <PasswordInput
              id={id}
              value={values[field]}
              autoComplete="new-password"
              disabled={sending}
              invalid={issue !== undefined}
              describedBy={`${id}-error ${id}-hint`}
              onChange={(value) => setValues({ ...values, [field]: value })}
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

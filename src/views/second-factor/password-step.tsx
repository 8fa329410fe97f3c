import type { FormEvent } from 'react';
import { Button } from '#src/components/button.tsx';
import { PasswordInput } from '#src/components/password-input.tsx';
import { useText } from '#src/components/text.ts';
import { SessionField } from '../session/session-field.tsx';
import { SessionProblem } from '../session/session-problem.tsx';
import { type FormView, issueOf } from '../use-form.ts';

interface PasswordStepProps {
  text: string;
  submit: string;
  danger?: boolean;
  form: FormView<unknown, { password: string }>;
}

/** What follows is asked for with the password. */
export function PasswordStep({ text, submit: label, danger = false, form }: PasswordStepProps) {
  const { t } = useText();
  const issue = issueOf(form.issues, 'password');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (form.running) return;
    if (form.wrong.length > 0) document.getElementById('own-password')?.focus();
    form.save();
  };
  return (
    <form className="second-step" onSubmit={submit} noValidate aria-busy={form.running}>
      <p>{text}</p>
      <SessionProblem problem={form.problem} />
      <SessionField id="own-password" label={t('interface.profile.old_password')} issue={issue}>
        {(described) => (
          <PasswordInput
            id="own-password"
            value={form.draft.password}
            autoComplete="current-password"
            invalid={issue !== undefined}
            disabled={form.running}
            describedBy={described}
            onChange={(password) => form.change({ password })}
          />
        )}
      </SessionField>
      <Button type="submit" label={label} loading={form.running} {...(danger && { tone: 'danger' as const })} />
    </form>
  );
}

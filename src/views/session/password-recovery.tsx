import { type FormEvent, useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { passwordRecoveryForm } from '#models/forms/password-recovery.ts';
import { Button } from '#src/components/button.tsx';
import { sayIssue, useText } from '#src/components/text.ts';
import { type FormOf, issueOf, useForm } from '../use-form.ts';
import { SessionFrame } from './session-frame.tsx';
import { SessionProblem } from './session-problem.tsx';

/** The same for every address: whether somebody has it is nobody's business. */
function Sent({ form }: { form: FormOf<typeof passwordRecoveryForm> }) {
  const { t } = useText();
  const note = useRef<HTMLDivElement>(null);
  useEffect(() => note.current?.focus(), []);
  return (
    <SessionFrame title={t('entry.recovery.sent_title')}>
      <div className="session-note" role="status" tabIndex={-1} ref={note}>
        <i className="pi pi-envelope" aria-hidden="true" />
        <div>{t('entry.recovery.sent', { email: form.draft.email.trim() })}</div>
      </div>
      <p className="quiet">{t('entry.recovery.sent_advice')}</p>
      <p className="session-links">
        <Link to="/login">{t('entry.recovery.to_login')}</Link>
        <button type="button" className="link-button" onClick={form.reset}>
          {t('entry.recovery.again')}
        </button>
      </p>
    </SessionFrame>
  );
}

/** A forgotten password: where to send the link for a new one. */
export function PasswordRecovery() {
  const words = useText();
  const { t } = words;
  const form = useForm(passwordRecoveryForm, null);
  const { draft, running } = form;
  const issue = issueOf(form.issues, 'email');
  if (form.done) return <Sent form={form} />;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (running) return;
    if (form.wrong.length > 0) document.getElementById('email')?.focus();
    form.save();
  };
  return (
    <SessionFrame title={t('entry.recovery.title')} lead={t('entry.recovery.lead')}>
      <form onSubmit={submit} noValidate aria-busy={running}>
        <SessionProblem problem={form.problem} />
        <div className="session-field">
          <label htmlFor="email">{t('entry.recovery.email')}</label>
          <input
            id="email"
            type="email"
            inputMode="email"
            className={issue ? 'p-inputtext p-component p-invalid' : 'p-inputtext p-component'}
            value={draft.email}
            autoFocus
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
            disabled={running}
            aria-invalid={issue !== undefined}
            aria-describedby="email-error"
            onChange={(event) => form.change({ email: event.target.value })}
          />
          <p id="email-error" className="session-error" hidden={!issue}>
            {issue && sayIssue(words, issue)}
          </p>
        </div>
        <Button type="submit" label={t('entry.recovery.submit')} loading={running} />
      </form>
      <p className="session-links">
        <Link to="/login">{t('entry.recovery.to_login')}</Link>
      </p>
    </SessionFrame>
  );
}

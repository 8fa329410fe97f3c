import { type FormEvent, useEffect } from 'react';
import { Link } from 'react-router-dom';
import { passwordRecoveryForm } from '#models/forms/password-recovery.ts';
import { Button } from '#src/components/button.tsx';
import { useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';
import { type FormOf, issueOf, useForm } from '../use-form.ts';
import { ClosedRegistration } from './closed-registration.tsx';
import { SentNote } from './sent-note.tsx';
import { SessionFrame } from './session-frame.tsx';
import { SessionLine } from './session-inputs.tsx';
import { SessionProblem } from './session-problem.tsx';

/** The same for every address: whether somebody has it is nobody's business. */
function Sent({ form }: { form: FormOf<typeof passwordRecoveryForm> }) {
  const { t } = useText();
  return (
    <SessionFrame title={t('entry.recovery.sent_title')}>
      <SentNote text={t('entry.recovery.sent', { email: form.draft.email.trim() })} />
      <p className="quiet">{t('entry.recovery.sent_advice')}</p>
      <p className="session-links">
        <Link to="/login">{t('entry.to_login')}</Link>
        <button type="button" className="link-button" onClick={form.reset}>
          {t('entry.recovery.again')}
        </button>
      </p>
    </SessionFrame>
  );
}

/** A forgotten password: where to send the link for a new one, unless every project has that closed. */
export function PasswordRecovery() {
  const { t } = useText();
  const { answer, run } = useRequest('openRegistration');
  useEffect(() => run({}), [run]);
  if (answer?.recovery === false) return <ClosedRegistration title={t('entry.recovery.title')} text={t('entry.recovery.closed')} />;
  return <RecoveryForm />;
}

function RecoveryForm() {
  const { t } = useText();
  const form = useForm(passwordRecoveryForm, null);
  const { draft, running } = form;
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
        <SessionLine
          id="email"
          type="email"
          label={t('entry.recovery.email')}
          issue={issueOf(form.issues, 'email')}
          value={draft.email}
          autoFocus
          autoComplete="email"
          inputMode="email"
          disabled={running}
          onText={(email) => form.change({ email })}
        />
        <Button type="submit" label={t('entry.recovery.submit')} loading={running} />
      </form>
      <p className="session-links">
        <Link to="/login">{t('entry.to_login')}</Link>
      </p>
    </SessionFrame>
  );
}

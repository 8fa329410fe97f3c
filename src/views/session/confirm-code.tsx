import type { FormEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { confirmationForm } from '#models/forms/self-registration.ts';
import { Button } from '#src/components/button.tsx';
import { useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';
import { useAlerts } from '../system.ts';
import { issueOf, useForm } from '../use-form.ts';
import { SentNote } from './sent-note.tsx';
import { SessionFrame } from './session-frame.tsx';
import { SessionLine } from './session-inputs.tsx';
import { SessionProblem } from './session-problem.tsx';

interface ConfirmCodeProps {
  registration: string;
  email: string;
  onBack: () => void;
}

/** The code that was mailed; another one on demand. */
export function ConfirmCode({ registration, email, onBack }: ConfirmCodeProps) {
  const { t } = useText();
  const alerts = useAlerts();
  const navigate = useNavigate();
  const form = useForm(confirmationForm, { registration }, ({ login }) => void navigate('/login', { replace: true, state: { registered: login } }));
  const again = useRequest('resendConfirmation', {
    done: () => alerts.send({ type: 'alert.show', alert: { kind: 'success', key: 'entry.confirm.sent_again' } }),
  });
  const sending = form.running || form.done;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (sending) return;
    if (form.wrong.length > 0) document.getElementById('code')?.focus();
    form.save();
  };
  return (
    <SessionFrame title={t('entry.confirm.title')}>
      <SentNote text={t('entry.confirm.sent', { email })} />
      <form onSubmit={submit} noValidate aria-busy={sending}>
        <SessionProblem problem={form.problem ?? again.problem} />
        <SessionLine
          id="code"
          label={t('entry.confirm.code')}
          issue={issueOf(form.issues, 'code')}
          value={form.draft.code}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={12}
          disabled={sending}
          onText={(code) => form.change({ code })}
        />
        <Button type="submit" label={t('entry.confirm.submit')} loading={sending} />
      </form>
      <p className="session-links">
        <button type="button" className="link-button" disabled={again.running} onClick={() => again.run({ body: { registration } })}>
          {t('entry.confirm.again')}
        </button>
        <button type="button" className="link-button" onClick={onBack}>
          {t('entry.confirm.back')}
        </button>
      </p>
    </SessionFrame>
  );
}

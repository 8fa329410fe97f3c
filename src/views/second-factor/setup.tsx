import type { FormEvent } from 'react';
import { beginSecondFactorForm, confirmSecondFactorForm } from '#models/forms/second-factor.ts';
import { Button } from '#src/components/button.tsx';
import { QrCode } from '#src/components/qr-code.tsx';
import { Steps } from '#src/components/steps.tsx';
import { useText } from '#src/components/text.ts';
import { SessionLine } from '../session/session-inputs.tsx';
import { SessionProblem } from '../session/session-problem.tsx';
import { issueOf, useForm } from '../use-form.ts';
import { PasswordStep } from './password-step.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import '../session/session.css';
import './second-factor.css';

/** How far it has come: 0 the password, 1 the app, 2 the recovery codes. */
function SetupSteps({ at }: { at: 0 | 1 | 2 }) {
  const { t } = useText();
  return <Steps label={t('entry.second.title')} steps={[t('entry.second.password'), t('entry.second.app'), t('entry.second.codes')]} at={at} />;
}

function Scan({ uri, secret, onCodes }: { uri: string; secret: string; onCodes: () => void }) {
  const { t } = useText();
  const form = useForm(confirmSecondFactorForm, null);
  if (form.done && form.answer)
    return (
      <>
        <SetupSteps at={2} />
        <RecoveryCodes codes={form.answer.recovery_codes} onDone={onCodes} />
      </>
    );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (form.running) return;
    if (form.wrong.length > 0) document.getElementById('app-code')?.focus();
    form.save();
  };
  return (
    <form className="second-step" onSubmit={submit} noValidate aria-busy={form.running}>
      <SetupSteps at={1} />
      <p>{t('entry.second.scan')}</p>
      <QrCode text={uri} label={t('entry.second.qr')} />
      <p className="quiet small">
        {t('entry.second.by_hand')} <code className="second-secret">{secret.match(/.{1,4}/g)?.join(' ')}</code>
      </p>
      <SessionProblem problem={form.problem} />
      <SessionLine
        id="app-code"
        label={t('entry.second.code')}
        issue={issueOf(form.issues, 'code')}
        value={form.draft.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        disabled={form.running}
        onText={(code) => form.change({ code })}
      />
      <Button type="submit" label={t('entry.second.turn_on')} loading={form.running} />
    </form>
  );
}

/** Setting up an authenticator app: the password, a first code of the app, and recovery codes. */
export function SecondFactorSetup({ onDone }: { onDone: () => void }) {
  const { t } = useText();
  const form = useForm(beginSecondFactorForm, null);
  if (form.done && form.answer) return <Scan {...form.answer} onCodes={onDone} />;
  return (
    <>
      <SetupSteps at={0} />
      <PasswordStep text={t('entry.second.begin')} submit={t('entry.second.next')} form={form} />
    </>
  );
}

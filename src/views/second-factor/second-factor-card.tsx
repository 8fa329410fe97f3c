import { useCallback, useEffect, useState } from 'react';
import { removeSecondFactorForm, renewRecoveryCodesForm } from '#models/forms/second-factor.ts';
import { Button } from '#src/components/button.tsx';
import { Modal } from '#src/components/modal.tsx';
import { Failure } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';
import { useForm } from '../use-form.ts';
import { PasswordStep } from './password-step.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { SecondFactorSetup } from './setup.tsx';

type Dialog = 'setup' | 'codes' | 'off';

function Renewal({ onDone }: { onDone: () => void }) {
  const { t } = useText();
  const form = useForm(renewRecoveryCodesForm, null);
  if (form.done && form.answer) return <RecoveryCodes codes={form.answer.recovery_codes} onDone={onDone} />;
  return <PasswordStep text={t('entry.second.renew_text')} submit={t('entry.second.renew')} form={form} />;
}

function Removal({ onDone }: { onDone: () => void }) {
  const { t } = useText();
  const form = useForm(removeSecondFactorForm, null, onDone);
  return <PasswordStep text={t('entry.second.off_text')} submit={t('entry.second.turn_off')} danger form={form} />;
}

/** The second factor on one's profile: whether it is on, and what can be done about it. */
export function SecondFactorCard() {
  const { t } = useText();
  const { answer, problem, run } = useRequest('secondFactor');
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const load = useCallback(() => run({}), [run]);
  useEffect(load, [load]);
  const close = (): void => {
    setDialog(null);
    load();
  };
  const titles = { setup: t('entry.second.title'), codes: t('entry.second.codes'), off: t('entry.second.turn_off') };
  return (
    <section className="card" aria-labelledby="second-factor-title">
      <header className="card-head">
        <h2 id="second-factor-title">{t('entry.second.title')}</h2>
        {answer?.is_on && <span className="tag tag-good">{t('entry.second.is_on')}</span>}
      </header>
      <div className="card-body stack">
        {!answer && (problem ? <Failure problem={problem} onRetry={load} /> : <SkeletonLines lines={2} label={t('interface.loading')} />)}
        {answer && !answer.is_on && (
          <>
            <p className="quiet">{t('entry.second.off_hint')}</p>
            <Button label={t('entry.second.set_up')} icon="pi-shield" tone="plain" onClick={() => setDialog('setup')} />
          </>
        )}
        {answer?.is_on && (
          <>
            <p className="quiet">{t('entry.second.on_hint')}</p>
            <p className="quiet">{t('entry.second.left', { count: answer.recovery_codes_left })}</p>
            <Button label={t('entry.second.renew')} icon="pi-refresh" tone="plain" onClick={() => setDialog('codes')} />
            {answer.is_required ? (
              <p className="quiet small">{t('entry.second.required')}</p>
            ) : (
              <Button label={t('entry.second.turn_off')} icon="pi-times" tone="danger-plain" onClick={() => setDialog('off')} />
            )}
          </>
        )}
      </div>
      {dialog && (
        <Modal title={titles[dialog]} onDismiss={close}>
          {dialog === 'setup' ? <SecondFactorSetup onDone={close} /> : dialog === 'codes' ? <Renewal onDone={close} /> : <Removal onDone={close} />}
        </Modal>
      )}
    </section>
  );
}

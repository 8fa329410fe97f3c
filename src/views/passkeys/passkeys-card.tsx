import { type FormEvent, useCallback, useEffect, useState } from 'react';
import { removePasskeyForm, renamePasskeyForm } from '#models/forms/passkeys.ts';
import type { Passkey } from '#models/passkey-calls.ts';
import { Button } from '#src/components/button.tsx';
import { Modal } from '#src/components/modal.tsx';
import { Failure } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';
import { useRequest } from '../area/use-request.ts';
import { PasswordStep } from '../second-factor/password-step.tsx';
import { SessionLine } from '../session/session-inputs.tsx';
import { SessionProblem } from '../session/session-problem.tsx';
import { issueOf, useForm } from '../use-form.ts';
import { mayHavePasskeys } from './may-have-passkeys.ts';
import { PasskeyForm } from './passkey-form.tsx';
import './passkeys.css';

type Dialog = { kind: 'add' } | { kind: 'rename' | 'remove'; passkey: Passkey };

function Renaming({ passkey, onDone }: { passkey: Passkey; onDone: () => void }) {
  const { t } = useText();
  const form = useForm(renamePasskeyForm, { id: passkey.id, name: passkey.name }, onDone);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!form.running) form.save();
  };
  return (
    <form className="second-step" onSubmit={submit} noValidate aria-busy={form.running}>
      <SessionProblem problem={form.problem} />
      <SessionLine
        id="passkey-rename"
        label={t('entry.passkeys.name')}
        issue={issueOf(form.issues, 'name')}
        value={form.draft.name}
        maxLength={60}
        autoFocus
        disabled={form.running}
        onText={(name) => form.change({ name })}
      />
      <Button type="submit" label={t('entry.passkeys.save')} loading={form.running} />
    </form>
  );
}

function Removal({ passkey, onDone }: { passkey: Passkey; onDone: () => void }) {
  const { t } = useText();
  const form = useForm(removePasskeyForm, { id: passkey.id }, onDone);
  return <PasswordStep text={t('entry.passkeys.remove_text', { name: passkey.name })} submit={t('entry.passkeys.remove')} danger form={form} />;
}

interface LineProps {
  passkey: Passkey;
  /** It is the last, and the role requires one. */
  stays: boolean;
  open: (dialog: Dialog) => void;
}

function PasskeyLine({ passkey, stays, open }: LineProps) {
  const { t } = useText();
  const { name, last_used_at: used, created_at: created } = passkey;
  return (
    <li className="passkey-line">
      <i className="pi pi-key" aria-hidden="true" />
      <div className="passkey-about">
        <span>{name}</span>
        <span className="quiet small">
          {used === null ? t('entry.passkeys.created') : t('entry.passkeys.used')} <When at={used ?? created} />
          {passkey.is_synced && ` · ${t('entry.passkeys.synced')}`}
        </span>
      </div>
      <div className="passkey-acts">
        <Button
          label={t('entry.passkeys.rename')}
          aria-label={t('entry.passkeys.rename_named', { name })}
          small
          tone="plain"
          onClick={() => open({ kind: 'rename', passkey })}
        />
        {!stays && (
          <Button
            label={t('entry.passkeys.remove')}
            aria-label={t('entry.passkeys.remove_named', { name })}
            small
            tone="danger-plain"
            onClick={() => open({ kind: 'remove', passkey })}
          />
        )}
      </div>
    </li>
  );
}

/** Passkeys on one's profile: which there are, and what can be done about each. */
export function PasskeysCard() {
  const { t } = useText();
  const { answer, problem, run } = useRequest('passkeys');
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const load = useCallback(() => run({}), [run]);
  useEffect(load, [load]);
  const close = (): void => {
    setDialog(null);
    load();
  };
  const items = answer?.items ?? [];
  const isHeld = answer?.is_required === true && items.length === 1;
  const titles = { add: t('entry.passkeys.add'), rename: t('entry.passkeys.rename'), remove: t('entry.passkeys.remove') };
  return (
    <section className="card" aria-labelledby="passkeys-title">
      <header className="card-head">
        <h2 id="passkeys-title">{t('entry.passkeys.title')}</h2>
      </header>
      <div className="card-body stack">
        <p className="quiet">{t('entry.passkeys.lead')}</p>
        {!answer && (problem ? <Failure problem={problem} onRetry={load} /> : <SkeletonLines lines={2} label={t('interface.loading')} />)}
        {answer && items.length === 0 && <p className="quiet small">{t('entry.passkeys.none')}</p>}
        {items.length > 0 && (
          <ul className="passkey-list">
            {items.map((passkey) => (
              <PasskeyLine key={passkey.id} passkey={passkey} stays={isHeld} open={setDialog} />
            ))}
          </ul>
        )}
        {isHeld && <p className="quiet small">{t('entry.passkeys.required')}</p>}
        {answer &&
          (mayHavePasskeys() ? (
            <Button label={t('entry.passkeys.add')} icon="pi-plus" tone="plain" onClick={() => setDialog({ kind: 'add' })} />
          ) : (
            <p className="quiet small">{t('entry.passkeys.not_here')}</p>
          ))}
      </div>
      {dialog && (
        <Modal title={titles[dialog.kind]} onDismiss={close}>
          {dialog.kind === 'add' ? (
            <PasskeyForm onDone={close} />
          ) : dialog.kind === 'rename' ? (
            <Renaming passkey={dialog.passkey} onDone={close} />
          ) : (
            <Removal passkey={dialog.passkey} onDone={close} />
          )}
        </Modal>
      )}
    </section>
  );
}

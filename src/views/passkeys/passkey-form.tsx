import type { FormEvent } from 'react';
import { deviceName } from '#models/device-name.ts';
import { newPasskeyDraft } from '#models/forms/passkeys.ts';
import { type MadePasskey, type PasskeyProof, passkeyTime } from '#models/passkey-calls.ts';
import { Button } from '#src/components/button.tsx';
import { PasswordInput } from '#src/components/password-input.tsx';
import { useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';
import { SessionField } from '../session/session-field.tsx';
import { SessionLine } from '../session/session-inputs.tsx';
import { SessionProblem } from '../session/session-problem.tsx';
import { useAlerts } from '../system.ts';
import { issueOf, useDraft } from '../use-form.ts';
import '../session/session.css';
import '../second-factor/second-factor.css';

/** Adding a passkey: its name and the password, then the authenticator of this device, then the server keeps it. */
export function PasskeyForm({ onDone }: { onDone: () => void }) {
  const { t } = useText();
  const alerts = useAlerts();
  const adding = useRequest('addPasskey', {
    done: () => {
      alerts.send({ type: 'alert.show', alert: { kind: 'success', key: 'entry.passkeys.added' } });
      onDone();
    },
  });
  const making = useRequest('beginPasskey', {
    // What the call brings is what the authenticator made of its answer.
    done: (answer) => adding.run({ body: { ...(answer as unknown as PasskeyProof<MadePasskey>), name: form.draft.name.trim() } }),
  });
  const form = useDraft(newPasskeyDraft, { name: deviceName(navigator.userAgent) ?? '' }, ({ password }) =>
    making.run({ body: { password }, timeout: passkeyTime }),
  );
  const running = making.running || adding.running;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (running) return;
    const [wrong] = form.wrong;
    if (wrong) document.getElementById(`passkey-${String(wrong.path[0])}`)?.focus();
    adding.reset();
    form.save();
  };
  const issue = issueOf(form.issues, 'password');
  return (
    <form className="second-step" onSubmit={submit} noValidate aria-busy={running}>
      <p>{t('entry.passkeys.create_text')}</p>
      <SessionProblem problem={making.problem ?? adding.problem} />
      <SessionLine
        id="passkey-name"
        label={t('entry.passkeys.name')}
        hint={t('entry.passkeys.name_hint')}
        issue={issueOf(form.issues, 'name')}
        value={form.draft.name}
        maxLength={60}
        disabled={running}
        onText={(name) => form.change({ name })}
      />
      <SessionField id="passkey-password" label={t('interface.profile.old_password')} issue={issue}>
        {(described) => (
          <PasswordInput
            id="passkey-password"
            value={form.draft.password}
            autoComplete="current-password"
            invalid={issue !== undefined}
            disabled={running}
            describedBy={described}
            onChange={(password) => form.change({ password })}
          />
        )}
      </SessionField>
      <Button type="submit" icon="pi-key" label={t('entry.passkeys.create')} loading={running} />
    </form>
  );
}

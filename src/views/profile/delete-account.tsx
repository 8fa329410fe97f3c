import { type FormEvent, useState } from 'react';
import { Button } from '#src/components/button.tsx';
import { FieldFrame } from '#src/components/fields/field-frame.tsx';
import { Modal } from '#src/components/modal.tsx';
import { PasswordInput } from '#src/components/password-input.tsx';
import { ProblemText } from '#src/components/problem-text.tsx';
import { useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';
import { useProfile } from '../profile-of.ts';
import { useSession } from '../system.ts';

const field = 'delete-password';

/** Deleting one's own account: asked once more, and for the password. */
export function DeleteAccount({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  const { login } = useProfile();
  const session = useSession();
  const [password, setPassword] = useState('');
  const [missing, setMissing] = useState(false);
  const removal = useRequest('deleteAccount', { done: () => session.send({ type: 'session.signOut' }) });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setMissing(password === '');
    if (password === '') document.getElementById(field)?.focus();
    else removal.run({ body: { password } });
  };
  const footer = (
    <>
      <Button label={t('interface.cancel')} tone="plain" onClick={onClose} />
      <Button type="submit" form="delete-account" label={t('interface.profile.delete_approve')} tone="danger" loading={removal.running} />
    </>
  );
  return (
    <Modal title={t('interface.profile.delete_account')} onDismiss={onClose} footer={footer}>
      <form id="delete-account" className="stack" noValidate onSubmit={submit}>
        <p>{t('interface.profile.delete_question', { login })}</p>
        {removal.problem && (
          <div className="session-note session-note-bad" role="alert">
            <i className="pi pi-times-circle" aria-hidden="true" />
            <div>
              <ProblemText problem={removal.problem} />
            </div>
          </div>
        )}
        <FieldFrame
          id={field}
          path="password"
          label={t('interface.profile.old_password')}
          issue={missing ? t('validation.required') : undefined}
          required
        >
          <PasswordInput
            id={field}
            value={password}
            autoComplete="current-password"
            invalid={missing}
            describedBy={`${field}-issue`}
            onChange={(value) => {
              setPassword(value);
              setMissing(false);
            }}
          />
        </FieldFrame>
      </form>
    </Modal>
  );
}

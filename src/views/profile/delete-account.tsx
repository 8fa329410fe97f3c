import type { FormEvent } from 'react';
import { accountRemovalForm } from '#models/forms/account-removal.ts';
import { Button } from '#src/components/button.tsx';
import { FieldFrame } from '#src/components/fields/field-frame.tsx';
import { Modal } from '#src/components/modal.tsx';
import { PasswordInput } from '#src/components/password-input.tsx';
import { ProblemText } from '#src/components/problem-text.tsx';
import { useText } from '#src/components/text.ts';
import { useProfile } from '../profile-of.ts';
import { useSession } from '../system.ts';
import { useForm } from '../use-form.ts';

const field = 'delete-password';

/** Deleting one's own account: asked once more, and for the password. */
export function DeleteAccount({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  const { login } = useProfile();
  const session = useSession();
  const removal = useForm(accountRemovalForm, null, () => session.send({ type: 'session.signOut' }));
  const missing = removal.issues.length > 0;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (removal.wrong.length > 0) document.getElementById(field)?.focus();
    removal.save();
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
            value={removal.draft.password}
            autoComplete="current-password"
            invalid={missing}
            describedBy={`${field}-issue`}
            onChange={(password) => removal.change({ password })}
          />
        </FieldFrame>
      </form>
    </Modal>
  );
}

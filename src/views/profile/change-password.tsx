import type { FormEvent } from 'react';
import { passwordChangeForm } from '#models/forms/password-change.ts';
import { FieldFrame } from '#src/components/fields/field-frame.tsx';
import { Button } from '#src/components/button.tsx';
import { Modal } from '#src/components/modal.tsx';
import { PasswordInput } from '#src/components/password-input.tsx';
import { ProblemText } from '#src/components/problem-text.tsx';
import { sayIssue, useText } from '#src/components/text.ts';
import { issueOf, useForm } from '../use-form.ts';

const fields = ['old', 'new', 'repeat'] as const;
type Field = (typeof fields)[number];
const label: Record<Field, string> = { old: 'old_password', new: 'new_password', repeat: 'repeat_password' };

/** Changing one's own password; the other sessions end by it. */
export function ChangePassword({ onClose }: { onClose: () => void }) {
  const words = useText();
  const { t } = words;
  const form = useForm(passwordChangeForm, null, onClose);
  const say = (field: Field): string | undefined => {
    const issue = issueOf(form.issues, field);
    return issue && (issue.rule === 'must_match' ? t('interface.profile.passwords_differ') : sayIssue(words, issue));
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const first = fields.find((field) => issueOf(form.wrong, field));
    if (first) document.getElementById(`password-${first}`)?.focus();
    form.save();
  };
  const footer = (
    <>
      <Button label={t('interface.cancel')} tone="plain" onClick={onClose} />
      <Button type="submit" form="change-password" label={t('interface.profile.change_password')} loading={form.running} />
    </>
  );
  return (
    <Modal title={t('interface.profile.change_password')} onDismiss={onClose} footer={footer}>
      <form id="change-password" className="stack" noValidate onSubmit={submit}>
        {form.problem && (
          <div className="session-note session-note-bad" role="alert">
            <i className="pi pi-times-circle" aria-hidden="true" />
            <div>
              <ProblemText problem={form.problem} />
            </div>
          </div>
        )}
        {fields.map((field) => {
          const id = `password-${field}`;
          const issue = say(field);
          return (
            <FieldFrame
              key={field}
              id={id}
              path={field}
              label={t(`interface.profile.${label[field]}`)}
              issue={issue}
              hint={field === 'new' ? t('interface.profile.new_password_hint') : undefined}
              required
            >
              <PasswordInput
                id={id}
                value={form.draft[field]}
                autoComplete={field === 'old' ? 'current-password' : 'new-password'}
                invalid={issue !== undefined}
                describedBy={`${id}-issue ${id}-hint`}
                onChange={(value) => form.change({ [field]: value })}
              />
            </FieldFrame>
          );
        })}
      </form>
    </Modal>
  );
}

import { Button } from '#src/components/button.tsx';
import { useId, useState } from 'react';
import type { PasswordTwice } from '#models/forms/password-twice.ts';
import { userPasswordForm } from '#models/forms/user-password.ts';
import type { User } from '#models/users.ts';
import { describedBy, FieldFrame } from '#src/components/fields/field-frame.tsx';
import { Modal } from '#src/components/modal.tsx';
import { PasswordInput } from '#src/components/password-input.tsx';
import { TextCopyDialog } from '#src/components/text-copy-dialog.tsx';
import { sayIssue, useProblemText, useText } from '#src/components/text.ts';
import type { ActionProps } from '#src/views/area/resource.ts';
import { issueOf, useForm } from '#src/views/use-form.ts';
import { useSubmit } from '#src/views/use-submit.ts';
import { makePassword } from './make-password.ts';

/** Sets another person's password: typed twice, or made and shown once to be passed on. */
export default function PasswordDialog({ row, close }: ActionProps<User>) {
  const words = useText();
  const { t } = words;
  const sayProblem = useProblemText();
  const id = useId();
  const [made, setMade] = useState<string>();
  const form = useForm(userPasswordForm, { id: row.id }, close);
  const submit = useSubmit(form);
  const make = () => {
    const password = makePassword();
    form.change({ password, repeat: password });
    setMade(password);
  };
  const field = (which: keyof PasswordTwice, label: string) => {
    const found = issueOf(form.issues, which);
    const issue = found && sayIssue(words, found);
    const fieldId = `${id}-${which}`;
    return (
      <FieldFrame id={fieldId} path={which} label={label} issue={issue} required>
        <PasswordInput
          id={fieldId}
          value={form.draft[which]}
          autoComplete="new-password"
          invalid={issue !== undefined}
          describedBy={describedBy(fieldId, undefined, issue)}
          onChange={(value) => form.change({ [which]: value })}
        />
      </FieldFrame>
    );
  };
  return (
    <>
      <Modal
        title={t('areas.users.password.title', { name: row.name })}
        onDismiss={form.running ? undefined : close}
        footer={
          <>
            <Button tone="quiet" icon="pi-key" className="foot-apart" label={t('areas.users.password.make')} onClick={make} />
            <Button tone="plain" label={t('list.cancel')} disabled={form.running} onClick={close} />
            <Button type="submit" form={`${id}-form`} label={t('list.editor.save')} loading={form.running} />
          </>
        }
      >
        <form id={`${id}-form`} className="stack" {...submit}>
          <p className="quiet">{t('areas.users.password.note')}</p>
          {field('password', t('areas.users.password.new'))}
          {field('repeat', t('areas.users.password.again'))}
        </form>
        {form.problem && (
          <p className="field-issue" role="alert">
            {sayProblem(form.problem)}
          </p>
        )}
      </Modal>
      {made && (
        <TextCopyDialog
          title={t('areas.users.password.made')}
          note={t('areas.users.password.made_note')}
          text={made}
          onClose={() => setMade(undefined)}
        />
      )}
    </>
  );
}

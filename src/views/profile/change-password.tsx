import { type FormEvent, useState } from 'react';
import { toIssues } from '#models/issues.ts';
import { passwordChange } from '#models/profile.ts';
import { FieldFrame } from '#src/components/fields/field-frame.tsx';
import { Button } from '#src/components/button.tsx';
import { Modal } from '#src/components/modal.tsx';
import { PasswordInput } from '#src/components/password-input.tsx';
import { ProblemText } from '#src/components/problem-text.tsx';
import { sayIssue, useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';
import { useAlerts } from '../system.ts';

const fields = ['old', 'new', 'repeat'] as const;
type Field = (typeof fields)[number];
type Values = Record<Field, string>;
const label: Record<Field, string> = { old: 'old_password', new: 'new_password', repeat: 'repeat_password' };

/** Which fields are wrong, as a locale key or a finding. */
function findings(values: Values): Map<Field, Parameters<typeof sayIssue>[1] | 'passwords_differ'> {
  const result = passwordChange.safeParse({ old: values.old, new: values.new });
  const found = new Map<Field, Parameters<typeof sayIssue>[1] | 'passwords_differ'>(
    (result.success ? [] : toIssues(result.error)).map((issue) => [issue.path[0] === 'old' ? 'old' : 'new', issue]),
  );
  if (!found.has('new') && values.repeat !== values.new) found.set('repeat', 'passwords_differ');
  return found;
}

/** Changing one's own password; the other sessions end by it. */
export function ChangePassword({ onClose }: { onClose: () => void }) {
  const words = useText();
  const { t } = words;
  const alerts = useAlerts();
  const [values, setValues] = useState<Values>({ old: '', new: '', repeat: '' });
  const [checked, setChecked] = useState(false);
  const request = useRequest('changePassword', {
    done: () => {
      alerts.send({ type: 'alert.show', alert: { kind: 'success', key: 'interface.profile.password_changed' } });
      onClose();
    },
  });
  const wrong = findings(values);
  const say = (field: Field): string | undefined => {
    const finding = checked ? wrong.get(field) : undefined;
    return finding && (finding === 'passwords_differ' ? t('interface.profile.passwords_differ') : sayIssue(words, finding));
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setChecked(true);
    const first = fields.find((field) => wrong.has(field));
    if (first) document.getElementById(`password-${first}`)?.focus();
    else request.run({ body: { old: values.old, new: values.new } });
  };
  const footer = (
    <>
      <Button label={t('interface.cancel')} tone="plain" onClick={onClose} />
      <Button type="submit" form="change-password" label={t('interface.profile.change_password')} loading={request.running} />
    </>
  );
  return (
    <Modal title={t('interface.profile.change_password')} onDismiss={onClose} footer={footer}>
      <form id="change-password" className="stack" noValidate onSubmit={submit}>
        {request.problem && (
          <div className="session-note session-note-bad" role="alert">
            <i className="pi pi-times-circle" aria-hidden="true" />
            <div>
              <ProblemText problem={request.problem} />
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
                value={values[field]}
                autoComplete={field === 'old' ? 'current-password' : 'new-password'}
                invalid={issue !== undefined}
                describedBy={`${id}-issue ${id}-hint`}
                onChange={(value) => setValues({ ...values, [field]: value })}
              />
            </FieldFrame>
          );
        })}
      </form>
    </Modal>
  );
}

import { Button } from '#src/components/button.tsx';
import { useId, useState } from 'react';
import { calls } from '#models/api.ts';
import { toIssues } from '#models/issues.ts';
import type { User } from '#models/users.ts';
import { describedBy, FieldFrame } from '#src/components/fields/field-frame.tsx';
import { Modal } from '#src/components/modal.tsx';
import { PasswordInput } from '#src/components/password-input.tsx';
import { TextCopyDialog } from '#src/components/text-copy-dialog.tsx';
import { sayIssue, useProblemText, useText } from '#src/components/text.ts';
import type { ActionProps } from '#src/views/area/resource.ts';
import { useRequest } from '#src/views/area/use-request.ts';
import { useAlerts } from '#src/views/system.ts';
import { makePassword } from './make-password.ts';

interface Typed {
  first: string;
  second: string;
}

/** What is wrong with a new password: the rules of the contract, and that both lines must agree. */
export function passwordIssues({ first, second }: Typed): {
  first?: { rule: string; params: Record<string, string | number> };
  second?: { rule: string; params: Record<string, string | number> };
} {
  const result = calls.userPassword.body.safeParse({ new_password: first });
  const [issue] = result.success ? [] : toIssues(result.error);
  return {
    ...(issue && { first: first === '' ? { rule: 'required', params: {} } : issue }),
    ...(first !== second && { second: { rule: 'must_match', params: {} } }),
  };
}

/** Sets another person's password: typed twice, or made and shown once to be passed on. */
export default function PasswordDialog({ row, close }: ActionProps<User>) {
  const words = useText();
  const { t } = words;
  const sayProblem = useProblemText();
  const alerts = useAlerts();
  const id = useId();
  const [typed, setTyped] = useState<Typed>({ first: '', second: '' });
  const [tried, setTried] = useState(false);
  const [made, setMade] = useState<string>();
  const request = useRequest('userPassword', {
    done: () => {
      alerts.send({ type: 'alert.show', alert: { kind: 'success', key: 'interface.done' } });
      close();
    },
  });
  const issues = passwordIssues(typed);
  const say = (which: keyof Typed): string | undefined => {
    const issue = tried ? issues[which] : undefined;
    return issue && sayIssue(words, issue);
  };
  const make = () => {
    const fresh = makePassword();
    setTyped({ first: fresh, second: fresh });
    setMade(fresh);
  };
  const approve = () => {
    setTried(true);
    if (!issues.first && !issues.second) request.run({ params: { id: row.id }, body: { new_password: typed.first } });
  };
  const field = (which: keyof Typed, label: string) => {
    const issue = say(which);
    const fieldId = `${id}-${which}`;
    return (
      <FieldFrame id={fieldId} path={which} label={label} issue={issue} required>
        <PasswordInput
          id={fieldId}
          value={typed[which]}
          autoComplete="new-password"
          invalid={issue !== undefined}
          describedBy={describedBy(fieldId, undefined, issue)}
          onChange={(value) => setTyped({ ...typed, [which]: value })}
        />
      </FieldFrame>
    );
  };
  return (
    <>
      <Modal
        title={t('areas.users.password.title', { name: row.name })}
        onDismiss={request.running ? undefined : close}
        footer={
          <>
            <Button tone="quiet" icon="pi-key" className="foot-apart" label={t('areas.users.password.make')} onClick={make} />
            <Button tone="plain" label={t('list.cancel')} disabled={request.running} onClick={close} />
            <Button type="submit" form={`${id}-form`} label={t('list.editor.save')} loading={request.running} />
          </>
        }
      >
        <form
          id={`${id}-form`}
          className="stack"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            approve();
          }}
        >
          <p className="quiet">{t('areas.users.password.note')}</p>
          {field('first', t('areas.users.password.new'))}
          {field('second', t('areas.users.password.again'))}
        </form>
        {request.problem && (
          <p className="field-issue" role="alert">
            {sayProblem(request.problem)}
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

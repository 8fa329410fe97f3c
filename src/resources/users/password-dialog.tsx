import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { useId, useState } from 'react';
import { calls } from '#models/api.ts';
import { toIssues } from '#models/issues.ts';
import type { User } from '#models/users.ts';
import { describedBy, FieldFrame } from '#src/components/fields/field-frame.tsx';
import { PasswordField } from '#src/components/fields/password-field.tsx';
import { TextCopyDialog } from '#src/components/text-copy-dialog.tsx';
import { useProblemText, useText } from '#src/components/text.ts';
import { useIssueText } from '#src/views/area/issue-text.ts';
import type { ActionProps } from '#src/views/area/resource.ts';
import { useRequest } from '#src/views/area/use-request.ts';
import { useAlerts } from '#src/views/system.ts';
import { makePassword } from './make-password.ts';

interface Typed {
  first: string;
  second: string;
}

/** What is wrong with a new password: the rules of the contract, and that both lines must agree. */
export function passwordIssues({ first, second }: Typed): { first?: { rule: string; params: Record<string, string | number> }; second?: { rule: string } } {
  const result = calls.userPassword.body.safeParse({ new_password: first });
  const [issue] = result.success ? [] : toIssues(result.error);
  return {
    ...(issue && { first: first === '' ? { rule: 'required', params: {} } : issue }),
    ...(first !== second && { second: { rule: 'must_match' } }),
  };
}

/** Sets another person's password: typed twice, or made and shown once to be passed on. */
export default function PasswordDialog({ row, close }: ActionProps<User>) {
  const { t } = useText();
  const sayProblem = useProblemText();
  const sayIssue = useIssueText();
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
  const wrong = { first: tried && issues.first ? sayIssue(issues.first) : undefined, second: tried && issues.second ? sayIssue({ ...issues.second, params: {} }) : undefined };
  const make = () => {
    const fresh = makePassword();
    setTyped({ first: fresh, second: fresh });
    setMade(fresh);
  };
  const approve = () => {
    setTried(true);
    if (!issues.first && !issues.second) request.run({ params: { id: row.id }, body: { new_password: typed.first } });
  };
  const field = (which: keyof Typed, label: string) => (
    <FieldFrame id={`${id}-${which}`} path={which} label={label} issue={wrong[which]} required wide>
      <PasswordField
        id={`${id}-${which}`}
        path={which}
        area="users"
        label={label}
        value={typed[which]}
        onChange={(value) => setTyped({ ...typed, [which]: String(value) })}
        meta={{ kind: 'password', nullable: false, optional: false }}
        readOnly={false}
        invalid={wrong[which] !== undefined}
        describedBy={describedBy(`${id}-${which}`, undefined, wrong[which])}
        required
        draft={{}}
      />
    </FieldFrame>
  );
  return (
    <>
      <Dialog
        visible
        modal
        className="dialog-normal"
        header={t('areas.users.password.title', { name: row.name })}
        closable={!request.running}
        onHide={close}
        footer={
          <>
            <Button type="button" text icon="pi pi-key" className="foot-apart" label={t('areas.users.password.make')} onClick={make} />
            <Button type="button" outlined label={t('list.cancel')} disabled={request.running} onClick={close} />
            <Button type="submit" form={`${id}-form`} label={t('list.editor.save')} loading={request.running} />
          </>
        }
      >
        <p className="dialog-note">{t('areas.users.password.note')}</p>
        <form
          id={`${id}-form`}
          className="fields"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            approve();
          }}
        >
          {field('first', t('areas.users.password.new'))}
          {field('second', t('areas.users.password.again'))}
        </form>
        {request.problem && (
          <p className="field-issue" role="alert">
            {sayProblem(request.problem)}
          </p>
        )}
      </Dialog>
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

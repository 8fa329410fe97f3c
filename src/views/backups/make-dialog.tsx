import { backupForm } from '#models/forms/backup.ts';
import type { Job } from '#models/job.ts';
import { Button } from '#src/components/button.tsx';
import { LineField } from '#src/components/fields/line-field.tsx';
import { Modal } from '#src/components/modal.tsx';
import { ProblemNote } from '#src/components/problem-note.tsx';
import { useText } from '#src/components/text.ts';
import { issueOf, useForm } from '../use-form.ts';
import { useSubmit } from '../use-submit.ts';
import { KindsChoice } from './kinds-choice.tsx';

/** Makes a backup: its name and what it holds. The work itself goes on as a job. */
export function MakeBackup({ name, onStarted, onClose }: { name: string; onStarted: (job: Job) => void; onClose: () => void }) {
  const { t } = useText();
  const { draft, issues, problem, running, change, save } = useForm(backupForm, name, (job) => {
    onStarted(job);
    onClose();
  });
  const submit = useSubmit({ issues, running, save });
  return (
    <Modal
      title={t('areas.backups.make')}
      onDismiss={running ? undefined : onClose}
      footer={
        <>
          <Button tone="plain" label={t('list.cancel')} disabled={running} onClick={onClose} />
          <Button icon="pi-database" label={t('areas.backups.make_now')} loading={running} type="submit" form="make-backup" />
        </>
      }
    >
      <form className="stack" id="make-backup" {...submit}>
        <ProblemNote problem={problem} />
        <LineField
          field="name"
          label={t('areas.backups.fields.name')}
          hint={t('areas.backups.hints.name')}
          inputMode="text"
          value={draft.name}
          issue={issueOf(issues, 'name')}
          required
          onChange={(typed) => change({ name: typed })}
        />
        <KindsChoice chosen={draft.entities} issue={issueOf(issues, 'entities')} onChange={(entities) => change({ entities })} />
      </form>
    </Modal>
  );
}

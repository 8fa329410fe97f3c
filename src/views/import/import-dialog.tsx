import { useState } from 'react';
import { importColumns } from '#models/import-columns.ts';
import type { ImportArea, ImportAttempt } from '#models/import.ts';
import { importPlanForm, planOf } from '#models/forms/import-plan.ts';
import type { Job } from '#models/job.ts';
import { Button } from '#src/components/button.tsx';
import { useFileDialog } from '#src/components/file-dialog.tsx';
import { FileDrop } from '#src/components/file-drop.tsx';
import { Modal } from '#src/components/modal.tsx';
import { ProblemNote } from '#src/components/problem-note.tsx';
import { Steps } from '#src/components/steps.tsx';
import { sayIssue, useText } from '#src/components/text.ts';
import { useRequest } from '#src/views/area/use-request.ts';
import { useOwnJob } from '#src/views/area/use-own-job.ts';
import { useWorkspace } from '#src/views/system.ts';
import { issueOf, useForm } from '#src/views/use-form.ts';
import { CheckResult } from './check-result.tsx';
import { MappingTable } from './mapping-table.tsx';
import './import.css';

const fileTypes = '.csv,.tsv,.txt,.xlsx';

interface StepProps {
  area: ImportArea;
  onClose: () => void;
}

/** How far an import has come: 0 a file, 1 its columns, 2 what it comes to. */
function ImportSteps({ at }: { at: 0 | 1 | 2 }) {
  const { t } = useText();
  return <Steps label={t('list.import.title')} steps={[t('list.import.file'), t('list.import.columns'), t('list.import.check_step')]} at={at} />;
}

/** The first step: a file, and what may be in it. */
function ChooseFile({ area, onClose, onRead }: StepProps & { onRead: (attempt: ImportAttempt) => void }) {
  const words = useText();
  const { t } = words;
  const upload = useRequest('attemptImport', { done: onRead });
  const read = (file: File): void => upload.run({ params: { area }, files: { file } });
  const dialog = useFileDialog(fileTypes, t('list.import.file'), read);
  const data = upload.problem?.data as { issues?: Parameters<typeof issueOf>[0] } | null | undefined;
  const issue = issueOf(data?.issues ?? [], 'file');
  const fields = importColumns[area].map(({ field }) => t(`areas.${area}.fields.${field}`)).join(', ');
  return (
    <Modal
      title={t('list.import.title')}
      onDismiss={upload.running ? undefined : onClose}
      footer={
        <>
          <Button tone="plain" label={t('list.cancel')} onClick={onClose} />
          <Button data-focus icon="pi-upload" label={t('list.import.choose')} loading={upload.running} onClick={dialog.open} />
        </>
      }
    >
      <ImportSteps at={0} />
      <div className="stack">
        {issue ? (
          <div className="notice notice-bad" role="alert">
            <i className="pi pi-exclamation-circle" aria-hidden="true" />
            <p>{sayIssue(words, issue)}</p>
          </div>
        ) : (
          <ProblemNote problem={upload.problem} />
        )}
        <p>{t('list.import.about')}</p>
        <p className="quiet">{t('list.import.fields', { fields })}</p>
        <div className="import-drop">
          <FileDrop text={t('list.import.drop')} disabled={upload.running} onFile={read} />
        </div>
        {dialog.field}
      </div>
    </Modal>
  );
}

/** How far the check has come. */
function CheckProgress({ job }: { job: Job | null }) {
  const { t } = useText();
  const { done = 0, total = 0 } = job ?? {};
  return (
    <div className="import-checking">
      <p role="status">{total > 0 ? t('list.import.checking', { done, count: total }) : t('list.job.queued')}</p>
      <progress className="job-progress" {...(total > 0 && { value: done, max: total })} aria-label={t('list.job.import_check')} />
    </div>
  );
}

/** The second step: which column holds what, what that comes to, and what becomes of rows that exist. */
function ReadFile({ area, attempt, onClose, onOther }: StepProps & { attempt: ImportAttempt; onOther: () => void }) {
  const { t } = useText();
  const workspace = useWorkspace();
  const given = { area, attempt };
  const check = useOwnJob(area);
  const form = useForm(importPlanForm, given, check.follow);
  const start = useRequest('continueImport', {
    done: (job) => {
      workspace.send({ type: 'job.start', request: { kind: 'adopt', area, job } });
      onClose();
    },
  });
  const { draft } = form;
  const findings = check.job?.state === 'completed' ? check.job.import : undefined;
  const isChecking = form.running || check.running;
  const counts = findings?.counts;
  const taken = counts ? counts.new + (draft.action === 'overwrite' ? counts.changed : 0) : 0;
  const again = () => {
    check.close();
    form.reset();
  };
  return (
    <Modal
      title={t('list.import.title')}
      width="wide"
      onDismiss={undefined}
      footer={
        <>
          <Button
            tone="quiet"
            className="foot-apart"
            icon="pi-arrow-left"
            label={t(findings ? 'list.import.back' : 'list.import.other_file')}
            disabled={start.running || isChecking}
            onClick={findings ? again : onOther}
          />
          <Button tone="plain" label={t('list.cancel')} disabled={start.running} onClick={check.running ? again : onClose} />
          {findings ? (
            <Button
              disabled={taken === 0}
              loading={start.running}
              label={t('list.import.start', { count: taken })}
              onClick={() => start.run({ params: { area }, body: { ...planOf(given, draft), action: draft.action } })}
            />
          ) : (
            <Button label={t('list.import.check')} loading={isChecking} onClick={form.save} />
          )}
        </>
      }
    >
      <ImportSteps at={findings || check.running ? 2 : 1} />
      <ProblemNote problem={start.problem ?? form.problem ?? check.problem} />
      <p className="import-file">
        <i className="pi pi-file" aria-hidden="true" /> <strong>{attempt.file_name}</strong>
        <span className="quiet"> · {t('list.import.rows', { count: attempt.rows })}</span>
      </p>
      {findings ? (
        <CheckResult
          result={findings}
          onFetch={check.job?.file_name == null ? null : check.download}
          action={draft.action}
          onAction={(action) => form.change({ action })}
        />
      ) : check.running ? (
        <CheckProgress job={check.job} />
      ) : (
        <MappingTable area={area} attempt={attempt} draft={draft} issues={form.issues} onChange={form.change} />
      )}
    </Modal>
  );
}

/** Reads an area's rows from a file: choose it, say what its columns are, look at what it comes to, then the work itself as a job. */
export default function ImportDialog({ area, onClose }: StepProps) {
  const [attempt, setAttempt] = useState<ImportAttempt>();
  if (!attempt) return <ChooseFile area={area} onClose={onClose} onRead={setAttempt} />;
  return <ReadFile key={attempt.filepath} area={area} attempt={attempt} onClose={onClose} onOther={() => setAttempt(undefined)} />;
}

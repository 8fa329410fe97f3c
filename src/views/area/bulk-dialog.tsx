import { useEffect, useId } from 'react';
import type { ListActor } from '#machines/list/list.machine.ts';
import { type BulkAction, bulkValues, bulkWordFrom, isUndoable, takesValue } from '#models/bulk.ts';
import { bulkForm, type BulkRows } from '#models/forms/bulk.ts';
import { Button } from '#src/components/button.tsx';
import { FieldFrame } from '#src/components/fields/field-frame.tsx';
import { Modal } from '#src/components/modal.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { TextInput } from '#src/components/text-input.tsx';
import { sayIssue, useProblemText, useText } from '#src/components/text.ts';
import { useWorkspace } from '../system.ts';
import { issueOf, useForm } from '../use-form.ts';
import { BulkWarnings } from './bulk-findings.tsx';
import { RefPicker } from './ref-picker.tsx';
import type { AnyResource } from './resource.ts';
import { useRequest } from './use-request.ts';

interface BulkDialogProps {
  resource: AnyResource;
  action: BulkAction;
  rows: BulkRows;
  list: ListActor;
  close: () => void;
}

/** Before something is done to many rows: how many, who is among them, what they are given; then it becomes a job. */
export default function BulkDialog({ resource, action, rows, list, close }: BulkDialogProps) {
  const words = useText();
  const { t } = words;
  const sayProblem = useProblemText();
  const workspace = useWorkspace();
  const [valueId, typedId] = [useId(), useId()];
  const { area, model } = resource;
  const check = useRequest('checkBulk');
  const { run } = check;
  const asked = JSON.stringify(rows);
  useEffect(() => run({ params: { area: model.path }, body: { action, ...(JSON.parse(asked) as BulkRows) } }), [run, model.path, action, asked]);
  const found = check.answer;
  const total = found?.total ?? null;
  const word = t('list.bulk.word');
  const form = useForm(bulkForm, { area: model.path, action, rows, total, word }, (job) => {
    workspace.send({ type: 'job.start', request: { kind: 'adopt', area, job } });
    list.send({ type: 'selection.clear' });
    close();
  });
  const hasChanged = form.problem?.code === 'total_changed';
  useEffect(() => {
    if (hasChanged) run({ params: { area: model.path }, body: { action, ...(JSON.parse(asked) as BulkRows) } });
  }, [hasChanged, run, model.path, action, asked]);
  const issues = { value: issueOf(form.issues, 'value'), typed: issueOf(form.issues, 'typed') };
  const { draft, change } = form;
  const isSingle = action === 'role';
  const what = total === null ? '…' : t(`areas.${area}.count`, { count: total });
  return (
    <Modal
      title={t(`list.bulk.title.${action}`, { what })}
      onDismiss={form.running ? undefined : close}
      footer={
        <>
          <Button tone="plain" label={t('list.cancel')} disabled={form.running} onClick={close} />
          <Button
            tone={action === 'delete' ? 'danger' : 'primary'}
            label={t(`list.bulk.button.${action}`)}
            loading={form.running}
            disabled={total === null || total === 0 || check.running}
            onClick={form.save}
          />
        </>
      }
    >
      <div className="bulk-body">
        {check.problem && <p className="field-issue">{sayProblem(check.problem)}</p>}
        {!found && !check.problem && <SkeletonLines lines={2} label={t('list.loading')} />}
        {form.problem && (
          <p className="field-issue" role="alert">
            {hasChanged ? t('list.bulk.total_changed', { what }) : sayProblem(form.problem)}
          </p>
        )}
        {found && <BulkWarnings found={found} />}
        {found && <p className="quiet">{t(isUndoable(action) ? 'list.bulk.can_undo' : 'list.bulk.no_undo')}</p>}
        {takesValue(action) && (
          <FieldFrame id={valueId} path="value" required label={t(`list.bulk.value.${action}`)} issue={issues.value && sayIssue(words, issues.value)}>
            <RefPicker
              id={valueId}
              area={bulkValues[action].area}
              label={t(`list.bulk.value.${action}`)}
              ids={draft.value}
              onChange={(ids) => change({ value: isSingle ? ids.slice(-1) : ids })}
            />
          </FieldFrame>
        )}
        {(total ?? 0) >= bulkWordFrom && (
          <FieldFrame id={typedId} path="typed" required label={t('list.bulk.type', { word })} issue={issues.typed && sayIssue(words, issues.typed)}>
            <TextInput id={typedId} value={draft.typed} autoComplete="off" onChange={({ target }) => change({ typed: target.value })} />
          </FieldFrame>
        )}
      </div>
    </Modal>
  );
}

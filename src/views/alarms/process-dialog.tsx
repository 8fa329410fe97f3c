import { useId } from 'react';
import type { DeviceAlarm } from '#models/device-alarms.ts';
import { alarmCommentForm } from '#models/forms/alarm-comment.ts';
import type { Problem } from '#models/problem.ts';
import { Button } from '#src/components/button.tsx';
import { describedBy, FieldFrame } from '#src/components/fields/field-frame.tsx';
import { groupText } from '#src/components/group-text.ts';
import { Modal } from '#src/components/modal.tsx';
import { sayIssue, useProblemText, useText } from '#src/components/text.ts';
import { TextArea } from '#src/components/text-input.tsx';
import { useDraft } from '../use-form.ts';

interface ProcessDialogProps {
  alarm: DeviceAlarm;
  busy: boolean;
  problem: Problem | null;
  onSave: (comment: string | null) => void;
  onClose: () => void;
}

/** Says what an alarm was and what was done; after that it is over. */
export default function ProcessDialog({ alarm, busy, problem, onSave, onClose }: ProcessDialogProps) {
  const words = useText();
  const { t } = words;
  const sayProblem = useProblemText();
  const id = useId();
  const form = useDraft(alarmCommentForm, null, onSave);
  const [found] = form.wrong;
  const issue = found && sayIssue(words, found);
  const sensor = t(`areas.device-alarms.options.sensor.${alarm.sensor}`);
  return (
    <Modal
      title={t('notifications.alarms.dialog.title')}
      onDismiss={busy ? undefined : onClose}
      footer={
        <>
          <Button tone="plain" label={t('interface.cancel')} disabled={busy} onClick={onClose} />
          <Button
            type="submit"
            form={`${id}-form`}
            icon="pi-check"
            label={t('notifications.alarms.dialog.save')}
            loading={busy}
            disabled={found !== undefined}
          />
        </>
      }
    >
      <form
        id={`${id}-form`}
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          event.stopPropagation();
          form.save();
        }}
      >
        <p>
          {t('notifications.alarms.dialog.about', {
            sensor,
            device: [alarm.device_name, groupText({ name: '', path: alarm.path })].filter(Boolean).join(', '),
          })}
        </p>
        <FieldFrame
          id={id}
          path="comment"
          label={t('notifications.alarms.dialog.comment')}
          hint={t('notifications.alarms.dialog.hint')}
          issue={issue}
          required={false}
        >
          <TextArea
            id={id}
            rows={4}
            value={form.draft.comment}
            invalid={issue !== undefined}
            aria-describedby={describedBy(id, t('notifications.alarms.dialog.hint'), issue)}
            onChange={(event) => form.change({ comment: event.target.value })}
          />
        </FieldFrame>
      </form>
      {problem && (
        <p className="field-issue" role="alert">
          {sayProblem(problem)}
        </p>
      )}
    </Modal>
  );
}

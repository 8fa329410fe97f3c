import { useCallback, useEffect, useId } from 'react';
import { callNoteForm } from '#models/forms/call-note.ts';
import { Failure } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { TextArea } from '#src/components/text-input.tsx';
import { useProblemText, useText } from '#src/components/text.ts';
import { useReading } from '../area/use-reading.ts';
import { useForm } from '../use-form.ts';

const longest = 500;
/** What is typed is kept once the hand rests for so many ms, for a call may end at any moment. */
const rest = 1_500;

/** What a call was about; it is written down by itself, and says when it is. */
export function CallNote({
  speechId,
  note,
  takesFocus = false,
  onSaved,
}: {
  speechId: string;
  note: string;
  takesFocus?: boolean;
  onSaved?: () => void;
}) {
  const { t } = useText();
  const sayProblem = useProblemText();
  const id = useId();
  const form = useForm(callNoteForm, { speechId, note }, onSaved);
  const { running, changed, problem, save: send } = form;
  const { text } = form.draft;
  const save = useCallback((): void => {
    if (changed && !running) send();
  }, [changed, running, send]);
  useEffect(() => {
    const timer = setTimeout(save, rest);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- each letter lets the hand rest anew
  }, [save, text]);
  return (
    <div className="call-note">
      <label htmlFor={id} className="small quiet">
        {t('phone.note.text')}
      </label>
      <TextArea
        id={id}
        autoFocus={takesFocus}
        rows={2}
        maxLength={longest}
        value={text}
        onChange={(event) => form.change({ text: event.target.value })}
        onBlur={save}
      />
      <span className={problem ? 'field-issue' : 'small quiet'} role="status">
        {problem ? sayProblem(problem) : running ? t('phone.note.saving') : form.done && !changed ? t('phone.note.saved') : ''}
      </span>
    </div>
  );
}

/** The note of a call that goes on: what was written down in it so far, by whoever had it before, stands there. */
export function LiveNote({ speechId }: { speechId: string }) {
  const { t } = useText();
  const { answer, problem, reload } = useReading('callNote', { params: { speechId } });
  if (answer) return <CallNote speechId={speechId} note={answer.note ?? ''} takesFocus />;
  return problem ? <Failure problem={problem} onRetry={reload} /> : <SkeletonLines lines={2} label={t('interface.loading')} />;
}

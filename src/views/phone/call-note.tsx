import { useCallback, useEffect, useId, useState } from 'react';
import { Failure } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { TextArea } from '#src/components/text-input.tsx';
import { useProblemText, useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';

const longest = 500;
/** What is typed is kept once the hand rests for so many ms, for a call may end at any moment. */
const rest = 1_500;

/** What a call was about; it is written down by itself, and says when it is. */
export function CallNote({ speechId, note, onSaved }: { speechId: string; note: string; onSaved?: () => void }) {
  const { t } = useText();
  const sayProblem = useProblemText();
  const id = useId();
  const [text, setText] = useState(note);
  const [kept, setKept] = useState(note);
  const { run, running, done, problem } = useRequest('noteCall', { ...(onSaved && { done: onSaved }) });
  const isKept = text.trim() === kept.trim();
  const save = useCallback((): void => {
    if (running || isKept) return;
    setKept(text);
    run({ params: { speechId }, body: { note: text.trim() || null } });
  }, [running, isKept, text, run, speechId]);
  useEffect(() => {
    const timer = setTimeout(save, rest);
    return () => clearTimeout(timer);
  }, [save]);
  return (
    <div className="call-note">
      <label htmlFor={id} className="small quiet">
        {t('phone.note.text')}
      </label>
      <TextArea id={id} rows={2} maxLength={longest} value={text} onChange={(event) => setText(event.target.value)} onBlur={save} />
      <span className={problem ? 'field-issue' : 'small quiet'} role="status">
        {problem ? sayProblem(problem) : running ? t('phone.note.saving') : done && isKept ? t('phone.note.saved') : ''}
      </span>
    </div>
  );
}

/** The note of a call that goes on: what was written down in it so far, by whoever had it before, stands there. */
export function LiveNote({ speechId }: { speechId: string }) {
  const { t } = useText();
  const { answer, problem, run } = useRequest('callNote');
  const read = useCallback((): void => run({ params: { speechId } }), [run, speechId]);
  useEffect(read, [read]);
  if (answer) return <CallNote speechId={speechId} note={answer.note ?? ''} />;
  return problem ? <Failure problem={problem} onRetry={read} /> : <SkeletonLines lines={2} label={t('interface.loading')} />;
}

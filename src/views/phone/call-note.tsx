import { useEffect, useId, useRef, useState } from 'react';
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
  const kept = useRef(note);
  const { run, running, done, problem } = useRequest('noteCall', { ...(onSaved && { done: onSaved }) });
  const save = (): void => {
    if (running || text.trim() === kept.current.trim()) return;
    kept.current = text;
    run({ params: { speechId }, body: { note: text.trim() || null } });
  };
  useEffect(() => {
    const timer = setTimeout(save, rest);
    return () => clearTimeout(timer);
  });
  const isKept = text.trim() === kept.current.trim();
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

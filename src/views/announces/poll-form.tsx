import { useState } from 'react';
import type { ReceivedAnnounce } from '#models/announce-calls.ts';
import { Button } from '#src/components/button.tsx';
import { ProblemNote } from '#src/components/problem-note.tsx';
import { TextInput } from '#src/components/text-input.tsx';
import { useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';
import './announces.css';

const own = 'own';

/** What somebody answered, in words. */
function Answered({ announce: { vote, answers } }: { announce: ReceivedAnnounce }) {
  const { t } = useText();
  const words = vote?.custom ?? answers[vote?.answer ?? -1] ?? '';
  return (
    <p className="announce-note" data-tone="good" role="status" dir="auto">
      {t('areas.announces.page.answered', { answer: words })}
    </p>
  );
}

/** The answers of a poll to choose from, once. */
export function PollForm({ announce, onAnswered }: { announce: ReceivedAnnounce; onAnswered: (announce: ReceivedAnnounce) => void }) {
  const { t } = useText();
  const [chosen, setChosen] = useState<string | null>(announce.answers.length === 0 ? own : null);
  const [words, setWords] = useState('');
  const { run, running, problem } = useRequest('sendPoll', { done: onAnswered });
  if (announce.vote) return <Answered announce={announce} />;
  const isReady = chosen === own ? words.trim() !== '' : chosen !== null;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isReady || chosen === null) return;
        run({ params: { token: announce.token }, body: chosen === own ? { custom: words.trim() } : { answer: Number(chosen) } });
      }}
    >
      <fieldset className="poll-form" disabled={running}>
        <legend>{t('areas.announces.page.question')}</legend>
        {announce.answers.map((answer, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- an answer is known by its place
          <label key={at} className="poll-choice">
            <input type="radio" name={`poll-${announce.id}`} checked={chosen === String(at)} onChange={() => setChosen(String(at))} />
            <span dir="auto">{answer}</span>
          </label>
        ))}
        {announce.custom_answer && announce.answers.length > 0 && (
          <label className="poll-choice">
            <input type="radio" name={`poll-${announce.id}`} checked={chosen === own} onChange={() => setChosen(own)} />
            <span>{t('areas.announces.page.own')}</span>
          </label>
        )}
        {announce.custom_answer && chosen === own && (
          <TextInput aria-label={t('areas.announces.page.own')} maxLength={500} value={words} onChange={({ target }) => setWords(target.value)} />
        )}
        <ProblemNote problem={problem} />
        <Button type="submit" label={t('areas.announces.page.vote')} loading={running} disabled={!isReady} />
      </fieldset>
    </form>
  );
}

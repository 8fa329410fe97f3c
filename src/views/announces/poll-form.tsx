import { longestAnswer, type ReceivedAnnounce } from '#models/announce-calls.ts';
import { customAnswer, pollForm } from '#models/forms/poll.ts';
import { Button } from '#src/components/button.tsx';
import { ProblemNote } from '#src/components/problem-note.tsx';
import { TextInput } from '#src/components/text-input.tsx';
import { useText } from '#src/components/text.ts';
import { useForm } from '../use-form.ts';
import './announces.css';

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
  const { token, answers } = announce;
  const { draft, wrong, running, problem, change, save } = useForm(pollForm, { token, answers }, (answered) => onAnswered(answered));
  if (announce.vote) return <Answered announce={announce} />;
  const choice = (value: string) => (
    <input type="radio" name={`poll-${announce.id}`} checked={draft.chosen === value} onChange={() => change({ chosen: value })} />
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <fieldset className="poll-form" disabled={running}>
        <legend>{t('areas.announces.page.question')}</legend>
        {answers.map((answer, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- an answer is known by its place
          <label key={at} className="poll-choice">
            {choice(String(at))}
            <span dir="auto">{answer}</span>
          </label>
        ))}
        {announce.custom_answer && answers.length > 0 && (
          <label className="poll-choice">
            {choice(customAnswer)}
            <span>{t('areas.announces.page.own')}</span>
          </label>
        )}
        {announce.custom_answer && draft.chosen === customAnswer && (
          <TextInput
            aria-label={t('areas.announces.page.own')}
            maxLength={longestAnswer}
            value={draft.words}
            onChange={({ target }) => change({ words: target.value })}
          />
        )}
        <ProblemNote problem={problem} />
        <Button type="submit" label={t('areas.announces.page.vote')} loading={running} disabled={wrong.length > 0} />
      </fieldset>
    </form>
  );
}

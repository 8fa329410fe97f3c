import type { AnnounceResponses } from '#models/announce-calls.ts';
import { useText } from '#src/components/text.ts';
import './announces.css';

/** How a poll stands: a bar for each answer, as long as its share of those who answered. */
export function PollResults({ results, custom_votes: custom, announce }: AnnounceResponses) {
  const { t, locale } = useText();
  const total = announce.answers_count;
  const lines = [...results, ...(custom === null ? [] : [{ answer: t('areas.announces.response.custom'), votes: custom }])];
  const most = Math.max(...lines.map(({ votes }) => votes), 1);
  return (
    <ul className="poll-results" aria-label={t('areas.announces.response.results')}>
      {lines.map(({ answer, votes }, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- an answer is known by its place
        <li key={at} className="poll-result" data-leads={votes === most && votes > 0}>
          <span className="poll-answer" dir="auto">
            {answer}
          </span>
          <span className="poll-votes">
            {t('areas.announces.response.votes', { count: votes })}
            {total > 0 && <span className="quiet"> · {(votes / total).toLocaleString(locale, { style: 'percent' })}</span>}
          </span>
          <span className="poll-bar" aria-hidden="true">
            <span style={{ width: total > 0 ? `${(votes / total) * 100}%` : 0 }} />
          </span>
        </li>
      ))}
    </ul>
  );
}

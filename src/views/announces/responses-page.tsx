import { useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import { type AnnounceResponse, type AnnounceResponses, mostResponses } from '#models/announce-calls.ts';
import type { Announce } from '#models/announces.ts';
import { hasPermission } from '#models/permissions.ts';
import { Button } from '#src/components/button.tsx';
import { EmptyState } from '#src/components/empty-state.tsx';
import { Failure } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';
import { NoAccess } from '../area/no-access.tsx';
import { useLiveAreas } from '../area/use-live-rows.ts';
import { useReading } from '../area/use-reading.ts';
import { useRequest } from '../area/use-request.ts';
import { firstRows, useRows } from '../home/use-rows.ts';
import { actorOf, useProfile } from '../profile-of.ts';
import { usePageTitle } from '../shell/page-title.ts';
import { hasGoneOut } from './life.ts';
import { PollResults } from './poll-results.tsx';
import { StatusTag } from './status-tag.tsx';
import './announces.css';

function Figures({ announce }: { announce: AnnounceResponses['announce'] }) {
  const { t, locale } = useText();
  const figures = [
    ['recipients_count', announce.recipients_count],
    ['seen_count', announce.seen_count],
    ...(announce.type === 'poll' ? [['answers_count', announce.answers_count] as const] : []),
  ] as const;
  return (
    <dl className="responses-figures">
      {figures.map(([key, value]) => (
        <div key={key}>
          <dt>{t(`areas.announces.fields.${key}`)}</dt>
          <dd>{value.toLocaleString(locale)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What became of the messages to somebody, each in a line of its own. */
function Messages({ messages }: Pick<AnnounceResponse, 'messages'>) {
  const { t } = useText();
  if (messages.length === 0) return '—';
  return (
    <ul className="response-messages">
      {messages.map(({ channel, state, reason }) => (
        <li key={channel} data-state={state}>
          {t(`areas.announces.options.send_via.${channel}`)}: {t(`areas.announces.response.states.${state}`)}
          {reason !== null && <span className="quiet small"> · {t(`areas.announces.reasons.${reason}`)}</span>}
        </li>
      ))}
    </ul>
  );
}

function People({ people, announce }: AnnounceResponses) {
  const { t } = useText();
  const isPoll = announce.type === 'poll';
  const hasMessages = people.some(({ messages }) => messages.length > 0);
  const columns = ['name', 'group', ...(hasMessages ? ['messages'] : []), ...(isPoll ? ['answer', 'answered_at'] : []), 'seen_at'] as const;
  const labelOf = (key: (typeof columns)[number]): string => t(`areas.announces.response.${key}`);
  return (
    <div className="responses-scroll" tabIndex={0} role="region" aria-labelledby="responses-people">
      <table className="responses-table">
        <thead>
          <tr>
            {columns.map((key) => (
              <th key={key} scope="col">
                {labelOf(key)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {people.map((one) => (
            <tr key={one.id}>
              <td>{one.name}</td>
              <td data-label={labelOf('group')}>{one.group ?? '—'}</td>
              {hasMessages && (
                <td data-label={labelOf('messages')}>
                  <Messages {...one} />
                </td>
              )}
              {isPoll && (
                <td dir="auto" data-label={labelOf('answer')}>
                  {one.answer ?? '—'}
                </td>
              )}
              {isPoll && <td data-label={labelOf('answered_at')}>{one.answered_at ? <When at={one.answered_at} /> : '—'}</td>}
              <td data-label={labelOf('seen_at')}>{one.seen_at ? <When at={one.seen_at} /> : '—'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {people.length === mostResponses && <p className="quiet small">{t('areas.announces.response.first', { count: mostResponses })}</p>}
    </div>
  );
}

/** How one announcement was received, as it stands at this moment. */
function Responses({ id }: { id: string }) {
  const { t } = useText();
  const { answer, problem, reload } = useReading('announceResponses', { params: { id } });
  const file = useRequest('exportAnnounceResponses');
  useLiveAreas(['announces'], reload);
  if (problem && !answer) return <Failure problem={problem} onRetry={reload} />;
  if (!answer) return <SkeletonLines lines={8} label={t('interface.loading')} />;
  return (
    <>
      <section className="card responses-card" aria-labelledby="responses-title">
        <div className="row">
          <h2 id="responses-title" dir="auto">
            {answer.announce.title}
          </h2>
          <StatusTag status={answer.announce.status} />
        </div>
        <Figures announce={answer.announce} />
        {answer.announce.type === 'poll' && <PollResults {...answer} />}
      </section>
      <section className="card responses-card" aria-labelledby="responses-people">
        <div className="responses-head">
          <h2 id="responses-people">{t('areas.announces.response.people')}</h2>
          <span className="grow" />
          {(['csv', 'xlsx'] as const).map((format) => (
            <Button
              key={format}
              tone="plain"
              small
              icon="pi-download"
              label={t('areas.announces.response.download', { format: format.toUpperCase() })}
              loading={file.running}
              onClick={() => file.run({ params: { id }, query: { format } })}
            />
          ))}
        </div>
        <People {...answer} />
      </section>
    </>
  );
}

/** What people read and answered, announcement by announcement (ROUTE-31). */
export function ResponsesPage() {
  const { t } = useText();
  const actor = actorOf(useProfile());
  usePageTitle(t('areas.announces.response.title'));
  const [params, setParams] = useSearchParams();
  const query = useMemo(() => firstRows(100, [], ['-started_at']), []);
  const { rows, loading, problem, reload } = useRows<Announce>('announces', query);
  const out = rows.filter(({ status }) => hasGoneOut(status));
  const asked = params.get('id');
  const id = asked ?? out[0]?.id;
  if (problem && !id) return <Failure problem={problem} onRetry={reload} />;
  if (loading && !id) return <SkeletonLines lines={8} label={t('interface.loading')} />;
  if (!id && !hasPermission(actor, 'can_view_announces', 'can_view_all_announces')) return <NoAccess />;
  if (!id) return <EmptyState icon="pi-reply" text={t('areas.announces.response.empty')} />;
  return (
    <div className="responses-page">
      <div className="responses-head">
        <select
          className="plain-select"
          aria-label={t('areas.announces.response.choose')}
          value={id}
          onChange={({ target }) => setParams({ id: target.value })}
        >
          {out.map((one) => (
            <option key={one.id} value={one.id}>
              {one.title}
            </option>
          ))}
        </select>
      </div>
      <Responses key={id} id={id} />
    </div>
  );
}

import { useCallback, useEffect, useState } from 'react';
import { useParams } from 'react-router-dom';
import type { ReceivedAnnounce } from '#models/announce-calls.ts';
import { EmptyState } from '#src/components/empty-state.tsx';
import { Failure } from '#src/components/problem-text.tsx';
import { RichText } from '#src/components/rich-text/rich-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';
import { useLiveAreas } from '../area/use-live-rows.ts';
import { useRequest } from '../area/use-request.ts';
import { usePageTitle } from '../shell/page-title.ts';
import { PollForm } from './poll-form.tsx';
import './announces.css';

/** What stands below the text: the poll, or that it is over. */
function Below({ announce, adopt }: { announce: ReceivedAnnounce; adopt: (announce: ReceivedAnnounce) => void }) {
  const { t } = useText();
  if (announce.status !== 'started')
    return (
      <p className="announce-note" role="status">
        {t(announce.status === 'stopped' ? 'areas.announces.page.withdrawn' : 'areas.announces.page.over')}
      </p>
    );
  return announce.type === 'poll' ? <PollForm announce={announce} onAnswered={adopt} /> : null;
}

function Card({ announce, adopt }: { announce: ReceivedAnnounce; adopt: (announce: ReceivedAnnounce) => void }) {
  const { t } = useText();
  usePageTitle(t(`areas.announces.options.type.${announce.type}`), announce.title);
  return (
    <article className="card announce-card">
      <h2 dir="auto">{announce.title}</h2>
      <p className="announce-by">
        {announce.sender && <span>{announce.sender}</span>}
        <When at={announce.started_at} />
        {announce.ends_at && announce.status === 'started' && (
          <span>
            {t('areas.announces.page.until')} <When at={announce.ends_at} />
          </span>
        )}
      </p>
      {announce.body !== '' && <RichText html={announce.body} />}
      <Below announce={announce} adopt={adopt} />
    </article>
  );
}

/** One announcement as its recipient reads it. Having it open is having read it; when it is withdrawn, it goes from here too. */
export function AnnouncePage() {
  const { t } = useText();
  const { token = '' } = useParams();
  const [found, adopt] = useState<ReceivedAnnounce | null>(null);
  const { run, problem } = useRequest('announceByToken', { done: adopt });
  const { run: markRead } = useRequest('readAnnounce');
  usePageTitle(t('areas.announces.one'));
  const load = useCallback(() => run({ params: { token } }), [run, token]);
  useEffect(load, [load]);
  useLiveAreas(['announces'], load);
  const isUnread = found?.token === token && found.status === 'started' && found.seen_at === null;
  useEffect(() => {
    if (isUnread) markRead({ params: { token } });
  }, [isUnread, markRead, token]);
  if (problem?.code === 'not_found') return <EmptyState icon="pi-megaphone" text={t('areas.announces.page.none')} />;
  if (problem && !found) return <Failure problem={problem} onRetry={load} />;
  if (found?.token !== token) return <SkeletonLines lines={6} label={t('interface.loading')} />;
  return (
    <div className="announce-page">
      <Card key={found.id} announce={found} adopt={adopt} />
    </div>
  );
}

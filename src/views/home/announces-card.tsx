import { useCallback, useEffect } from 'react';
import { Link } from 'react-router-dom';
import { When } from '#src/components/when.tsx';
import { useText } from '#src/components/text.ts';
import { useLiveAreas } from '../area/use-live-rows.ts';
import { useRequest } from '../area/use-request.ts';
import { HomeCard } from './home-card.tsx';

/** So many stand on the home page; older ones are found in the notifications. */
const shown = 5;

/** Announcements that are out, and polls that wait for an answer; what is withdrawn goes from here at once. */
export default function AnnouncesCard() {
  const { t } = useText();
  const { run, answer, problem, running } = useRequest('myAnnounces');
  const load = useCallback(() => run({}), [run]);
  useEffect(load, [load]);
  useLiveAreas(['announces'], load);
  const rows = (answer ?? []).slice(0, shown);
  return (
    <HomeCard
      title={t('home.announces.title')}
      icon="pi-megaphone"
      answer={{ loading: running || !answer, rows, problem: answer ? null : problem, reload: load }}
      empty={t('home.announces.quiet')}
      lines={Math.max(1, rows.length)}
      tall
    >
      {(one) => (
        <div className="home-row">
          <div className="home-what">
            <Link to={`/announce/${one.token}`} dir="auto">
              {one.title}
            </Link>
            <span className="quiet small">
              {one.sender && `${one.sender} · `}
              <When at={one.started_at} />
            </span>
          </div>
          {one.type === 'poll' ? (
            <span className={one.vote ? 'tag tag-good' : 'tag tag-info'}>{t(one.vote ? 'home.announces.answered' : 'home.announces.open')}</span>
          ) : (
            one.seen_at === null && <span className="tag">{t('home.announces.unread')}</span>
          )}
        </div>
      )}
    </HomeCard>
  );
}

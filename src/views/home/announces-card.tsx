import { useState } from 'react';
import { Link } from 'react-router-dom';
import { When } from '#src/components/when.tsx';
import { useText } from '#src/components/text.ts';
import { useLiveAreas } from '../area/use-live-rows.ts';
import { useReading } from '../area/use-reading.ts';
import { shownAnnounces } from './announces-awaited.tsx';
import { HomeCard } from './home-card.tsx';

/** Announcements that are out, and polls that wait for an answer; what is withdrawn goes from here at once. */
export default function AnnouncesCard() {
  const { t } = useText();
  const { answer, problem, reload } = useReading('myAnnounces', {});
  useLiveAreas(['announces'], reload);
  const [isWhole, setWhole] = useState(false);
  const all = answer ?? [];
  const rows = isWhole ? all : all.slice(0, shownAnnounces);
  return (
    <HomeCard
      title={t('home.announces.title')}
      icon="pi-megaphone"
      answer={{ loading: answer === null, rows, problem: answer ? null : problem, reload }}
      empty={t('home.announces.quiet')}
      lines={shownAnnounces}
      tall
      aside={
        all.length > shownAnnounces && (
          <button type="button" className="link-button home-aside home-act" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? t('home.doors.fewer') : t('home.announces.all', { count: all.length })}
          </button>
        )
      }
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

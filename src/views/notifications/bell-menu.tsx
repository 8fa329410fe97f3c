import { useEffect } from 'react';
import { Link } from 'react-router-dom';
import { constants } from '#models/constants.ts';
import type { Notification, UnreadNotifications } from '#models/notifications.ts';
import { EmptyState } from '#src/components/empty-state.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';
import { useNotifications } from '../system.ts';
import { NoticeIcon } from './notice-icon.tsx';
import { useNoticePath, useNoticeText } from './use-notice.ts';

function Entry({ notice, onFollow }: { notice: Notification; onFollow: () => void }) {
  const { t } = useText();
  const { title, sentence } = useNoticeText()(notice);
  const path = useNoticePath()(notice);
  const body = (
    <>
      <NoticeIcon {...notice} />
      <span className="bell-words">
        <span className="bell-title">
          {title}
          {notice.read_at === null && (
            <span className="bell-dot">
              <span className="unseen">{t('notifications.bell.unread_mark')}</span>
            </span>
          )}
        </span>
        <span className="bell-sentence">{sentence}</span>
        <span className="bell-when">
          <When at={notice.created_at} />
        </span>
      </span>
    </>
  );
  return (
    <li>
      {path ? (
        <Link to={path} className="bell-entry" onClick={onFollow}>
          {body}
        </Link>
      ) : (
        <div className="bell-entry">{body}</div>
      )}
    </li>
  );
}

/** The newest notifications; a moment after they were shown they count as read. */
export default function BellMenu({ inbox, onClose }: { inbox: UnreadNotifications | null; onClose: () => void }) {
  const { t } = useText();
  const actor = useNotifications();
  useEffect(() => {
    actor?.send({ type: 'menu.open' });
    return () => actor?.send({ type: 'menu.close' });
  }, [actor]);
  return (
    <div className="bell-menu">
      <header className="bell-head">
        <h2 tabIndex={-1}>{t('notifications.title')}</h2>
        <Link to="/notifications/settings" className="icon-button" aria-label={t('notifications.bell.settings')} onClick={onClose}>
          <i className="pi pi-cog" aria-hidden="true" />
        </Link>
      </header>
      {!inbox ? (
        <SkeletonLines lines={3} label={t('interface.loading')} />
      ) : inbox.latest.length === 0 ? (
        <EmptyState icon="pi-bell" text={t('notifications.bell.empty')} />
      ) : (
        <ul className="bell-entries">
          {inbox.latest.map((notice) => (
            <Entry key={notice.id} notice={notice} onFollow={onClose} />
          ))}
        </ul>
      )}
      {inbox && inbox.total > constants.notificationMenuSize && (
        <Link to="/notifications" className="bell-more" onClick={onClose}>
          {t('notifications.bell.more')}
        </Link>
      )}
    </div>
  );
}

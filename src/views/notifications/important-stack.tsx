import type { CSSProperties } from 'react';
import { Link } from 'react-router-dom';
import { constants } from '#models/constants.ts';
import type { Notification, UnreadNotifications } from '#models/notifications.ts';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';
import { useRoom } from '../shell/room.ts';
import { useNotifications } from '../system.ts';
import { NoticeIcon } from './notice-icon.tsx';
import { useInbox } from './use-inbox.ts';
import { useNoticePath, useNoticeText } from './use-notice.ts';

const { min, max } = constants.importantWidth;
const width = { '--least': `${min}px`, '--most': `${max}px` } as CSSProperties;

function Card({ notice, onRead }: { notice: Notification; onRead: () => void }) {
  const { t } = useText();
  const { title, sentence } = useNoticeText()(notice);
  const path = useNoticePath()(notice);
  return (
    <li className="important" data-tone={notice.color}>
      <NoticeIcon {...notice} />
      <div className="important-words">
        {path ? <Link to={path}>{title}</Link> : <b>{title}</b>}
        <span>{sentence}</span>
        <span className="bell-when">
          <When at={notice.created_at} />
        </span>
      </div>
      <button type="button" className="icon-button" aria-label={t('notifications.stack.close', { title })} onClick={onRead}>
        <i className="pi pi-times" aria-hidden="true" />
      </button>
    </li>
  );
}

/** The newest important notifications that are unread, in the corner until they are put away; put away is read. */
export default function ImportantStack() {
  const inbox = useInbox();
  return inbox && inbox.important.length > 0 && <Stack inbox={inbox} />;
}

function Stack({ inbox: { important: shown, important_unread: count } }: { inbox: UnreadNotifications }) {
  const { t } = useText();
  const actor = useNotifications();
  const box = useRoom<HTMLElement>('--notices');
  return (
    <section ref={box} className="important-stack" style={width} aria-label={t('notifications.stack.label')}>
      <div role="status">
        <ul>
          {shown.map((notice) => (
            <Card key={notice.id} notice={notice} onRead={() => actor?.send({ type: 'notices.mark', mark: { items: [notice.id] } })} />
          ))}
        </ul>
      </div>
      <footer className="important-foot">
        <Link to="/notifications?type=important">{t('notifications.stack.see_all', { count })}</Link>
        {shown.length > 1 && (
          <button type="button" className="link-button" onClick={() => actor?.send({ type: 'notices.mark', mark: { all: true, type: 'important' } })}>
            {t('notifications.stack.hide_all')}
          </button>
        )}
      </footer>
    </section>
  );
}

import { Link } from 'react-router-dom';
import type { Notification } from '#models/notifications.ts';
import { Button } from '#src/components/button.tsx';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';
import { maySee, useEntry } from '../area/areas.tsx';
import { editorPath } from '../area/use-open.ts';
import { useProfile } from '../profile-of.ts';
import { PageLink } from '../shell/page-link.tsx';
import { NoticeIcon } from './notice-icon.tsx';
import { useNoticePath, useNoticeText } from './use-notice.ts';

/** The ways on from a notification: its alarm, its device, its announce, its conversation, as far as they can be opened. */
function Ways({ notice }: { notice: Notification }) {
  const { t } = useText();
  const profile = useProfile();
  const [alarms, devices] = [useEntry('device-alarms'), useEntry('devices')];
  const path = useNoticePath()(notice);
  const { alarm, device } = notice.data;
  const own = ['open_announce', 'open_conversation', 'open_calls'].includes(notice.popup_action);
  return (
    <>
      {alarm && alarms && maySee(profile, 'device-alarms') && (
        <PageLink to={editorPath(alarms, 'view', alarm.id)}>{t('notifications.page.to_alarm')}</PageLink>
      )}
      {device && devices && maySee(profile, 'devices') && (
        <PageLink to={editorPath(devices, 'view', device.id)}>{t('notifications.page.to_device')}</PageLink>
      )}
      {own && path && <Link to={path}>{t('notifications.page.open')}</Link>}
    </>
  );
}

/** One notification on the page. */
export function NoticeRow({ notice, isRead, onRead }: { notice: Notification; isRead: boolean; onRead: () => void }) {
  const { t } = useText();
  const { title, sentence } = useNoticeText()(notice);
  const { lines = [] } = notice.data;
  return (
    <li className="inbox-row" data-unread={!isRead}>
      <NoticeIcon {...notice} />
      <div className="inbox-words">
        <span className="inbox-title">
          {title}
          {notice.significance === 'important' && <span className="tag tag-warn">{t('notifications.page.important_mark')}</span>}
          {!isRead && (
            <span className="bell-dot">
              <span className="unseen">{t('notifications.bell.unread_mark')}</span>
            </span>
          )}
        </span>
        <span>{sentence}</span>
        {lines.length > 0 && (
          <details className="inbox-lines">
            <summary>{t('notifications.page.lines')}</summary>
            <pre>{lines.join('\n')}</pre>
          </details>
        )}
        <span className="inbox-ways">
          <span className="quiet small">
            <When at={notice.created_at} />
          </span>
          <Ways notice={notice} />
        </span>
      </div>
      {!isRead && <Button small tone="quiet" icon="pi-check" label={t('notifications.page.read')} onClick={onRead} />}
    </li>
  );
}

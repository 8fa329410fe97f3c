import type { Notification } from '#models/notifications.ts';
import './notifications.css';

/** The sign of a notification in its colour; the words beside it say the same. */
export const NoticeIcon = ({ icon, color }: Pick<Notification, 'icon' | 'color'>) => (
  <span className="inbox-icon" data-tone={color} aria-hidden="true">
    <i className={`pi ${icon}`} />
  </span>
);

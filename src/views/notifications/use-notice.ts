import { sayNotice } from '#machines/notifications/notice-texts.ts';
import type { Notification } from '#models/notifications.ts';
import { useText } from '#src/components/text.ts';
import { useServices } from '../system.ts';

/** What a notification says in the person's language. */
export function useNoticeText(): (notice: Notification) => { title: string; sentence: string } {
  const { t } = useText();
  return (notice) => sayNotice(notice, t);
}

/** Where a notification leads (spec A2.3); null where that screen does not exist. */
export function useNoticePath(): (notice: Notification) => string | null {
  const { paths } = useServices();
  return ({ popup_action, data }) => {
    const { token, conversation_id } = data;
    switch (popup_action) {
      case 'open_announce':
        return token ? `/announce/${encodeURIComponent(token)}` : null;
      case 'open_conversation':
        return conversation_id && paths.has('/conversations') ? `/conversations?${new URLSearchParams({ id: conversation_id })}` : null;
      case 'open_calls':
        return '/home';
      case 'open_alarms':
        return '/notifications?type=alarm';
      case 'open_notifications':
        return '/notifications';
    }
  };
}

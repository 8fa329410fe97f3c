import { defineForm } from '../define-form.ts';
import type { AllNotificationSettings } from '../notifications.ts';

type Ways = AllNotificationSettings['acs'];

/** How one is told of each class of event; only the classes that were changed are sent. Nothing to choose from before the stored ones are there. */
export const notificationSettingsForm = defineForm({
  name: 'notification-settings',
  call: 'saveNotificationSettings',
  start: (stored: Ways | null): Partial<Ways> => stored ?? {},
  read: (draft, base) => {
    const changed = Object.entries(draft).filter(([type, ways]) => JSON.stringify(ways) !== JSON.stringify(base[type as keyof Ways]));
    return { input: { body: { acs: Object.fromEntries(changed) } } };
  },
  leave: { text: 'interface.leave_question', approve: 'interface.leave' },
  saved: 'interface.done',
  announces: ['problems'],
});

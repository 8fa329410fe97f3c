import { useEffect } from 'react';
import { notificationSettingsForm } from '#models/forms/notification-settings.ts';
import type { NoticeChoices, NotificationType } from '#models/notifications.ts';
import { useRequest } from '../area/use-request.ts';
import { useForm } from '../use-form.ts';

/** How one is told of each class, as stored and as changed here. */
export function useNoticeSettings() {
  const stored = useRequest('notificationSettings');
  const { run, answer } = stored;
  useEffect(() => run({}), [run]);
  const form = useForm(notificationSettingsForm, answer?.acs ?? null);
  return {
    acs: answer && { ...answer.acs, ...form.draft },
    problem: stored.problem,
    dirty: form.changed,
    saving: form.running,
    load: () => run({}),
    change: (type: NotificationType, choices: NoticeChoices): void => form.change({ [type]: choices }),
    save: form.save,
    forget: form.reset,
  };
}

import { useEffect, useState } from 'react';
import { notificationClasses } from '#models/constants.ts';
import type { NoticeChoices, NotificationType } from '#models/notifications.ts';
import { useRequest } from '../area/use-request.ts';
import { useAlerts } from '../system.ts';

type Changed = Partial<Record<NotificationType, NoticeChoices>>;

/** How one is told of each class, as stored and as changed here. */
export function useNoticeSettings() {
  const alerts = useAlerts();
  const stored = useRequest('notificationSettings');
  const [changed, setChanged] = useState<Changed>({});
  const { run } = stored;
  useEffect(() => run({}), [run]);
  const saving = useRequest('saveNotificationSettings', {
    done: () => {
      alerts.send({ type: 'alert.show', alert: { kind: 'success', key: 'interface.done' } });
    },
    failed: (problem) => alerts.send({ type: 'alert.show', alert: { kind: 'error', problem } }),
  });
  const kept = (saving.answer ?? stored.answer)?.acs;
  const acs = kept && { ...kept, ...changed };
  const dirty = kept && acs ? notificationClasses.some((type) => JSON.stringify(acs[type]) !== JSON.stringify(kept[type])) : false;
  return {
    acs,
    problem: stored.problem,
    dirty,
    saving: saving.running,
    load: () => run({}),
    change: (type: NotificationType, choices: NoticeChoices): void => setChanged({ ...changed, [type]: choices }),
    save: (): void => saving.run({ body: { acs: changed } }),
    forget: (): void => setChanged({}),
  };
}

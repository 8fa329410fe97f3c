import { useSelector } from '@xstate/react';
import { useEffect } from 'react';
import type { EmergencyActor } from '#machines/emergency/emergency.machine.ts';
import type { ActiveAlert } from '#models/emergency-alert-calls.ts';
import { Button } from '#src/components/button.tsx';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';

/** Seen is what stood on a page that somebody could look at. */
function useSeen(alert: ActiveAlert, emergency: EmergencyActor): void {
  const { id, seen_at, started_at } = alert;
  useEffect(() => {
    if (seen_at !== null) return;
    const report = (): void => {
      if (document.visibilityState === 'visible') emergency.send({ type: 'emergency.seen', id });
    };
    report();
    document.addEventListener('visibilitychange', report);
    return () => document.removeEventListener('visibilitychange', report);
  }, [id, seen_at, started_at, emergency]);
}

function AlertLine({ alert, emergency }: { alert: ActiveAlert; emergency: EmergencyActor }) {
  const { t } = useText();
  useSeen(alert, emergency);
  const { id, name, message, is_drill, started_at, safe_at } = alert;
  const sending = useSelector(emergency, ({ context }) => context.outgoing.some((one) => one.id === id && one.said === 'safe'));
  return (
    <li className="emergency-line" data-drill={is_drill} data-safe={safe_at !== null}>
      <i className="pi pi-megaphone" aria-hidden="true" />
      <div className="emergency-what" role="alert">
        <p className="emergency-head">
          <strong>{t(is_drill ? 'notifications.emergency.drill' : 'notifications.emergency.alert')}</strong>
          <bdi>{name}</bdi>
          <span className="small">
            <When at={started_at} />
          </span>
        </p>
        <p className="emergency-message" dir="auto">
          {message}
        </p>
      </div>
      {safe_at === null ? (
        <Button
          className="emergency-safe"
          icon="pi-check"
          label={t(sending ? 'notifications.emergency.sending' : 'notifications.emergency.safe')}
          loading={sending}
          onClick={() => emergency.send({ type: 'emergency.safe', id })}
        />
      ) : (
        <p className="emergency-said" role="status">
          <i className="pi pi-check-circle" aria-hidden="true" /> {t('notifications.emergency.said')}
        </p>
      )}
    </li>
  );
}

/** Emergency alerts across the top, above dialogs and beside calls, until they are stopped. They are read out and never take the focus. */
export function EmergencyBanner({ emergency }: { emergency: EmergencyActor }) {
  const { t } = useText();
  const alerts = useSelector(emergency, ({ context }) => context.alerts);
  if (alerts.length === 0) return null;
  return (
    <section className="emergency-banner" aria-label={t('notifications.emergency.strip')}>
      <ul>
        {alerts.map((alert) => (
          <AlertLine key={`${alert.id} ${alert.started_at}`} alert={alert} emergency={emergency} />
        ))}
      </ul>
    </section>
  );
}

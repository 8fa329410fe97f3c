import type { PlayedAlert } from '#models/simulator.ts';
import { useText } from '#src/components/text.ts';

/** What the device shows and says in an emergency. */
export function AlertScreen({ alert: { name, message, is_drill, has_sound } }: { alert: PlayedAlert }) {
  const { t } = useText();
  return (
    <section className="simulator-alert" data-drill={is_drill} aria-label={t('simulator.alert.screen')}>
      <p className="simulator-alert-head">
        <i className={`pi ${has_sound ? 'pi-volume-up' : 'pi-megaphone'}`} aria-hidden="true" />
        <strong>{t(is_drill ? 'notifications.emergency.drill' : 'notifications.emergency.alert')}</strong>
        <bdi>{name}</bdi>
      </p>
      <p dir="auto">{message}</p>
      {has_sound && <p className="small">{t('simulator.alert.plays')}</p>}
    </section>
  );
}

import type { AlarmSensor } from '#models/device-alarms.ts';
import { useText } from '#src/components/text.ts';

const icons: Record<AlarmSensor, `pi-${string}`> = {
  smoke: 'pi-cloud',
  gas: 'pi-gauge',
  pir: 'pi-eye',
  door: 'pi-sign-in',
  window: 'pi-objects-column',
  panic: 'pi-exclamation-circle',
  flood: 'pi-wave-pulse',
  pull_cord: 'pi-bell',
  bed_mat: 'pi-heart',
};

/** What tripped: its sign and its name, never the sign alone. */
export function Sensor({ sensor }: { sensor: AlarmSensor }) {
  const { t } = useText();
  return (
    <span className="sensor">
      <i className={`pi ${icons[sensor]}`} aria-hidden="true" /> {t(`areas.device-alarms.options.sensor.${sensor}`)}
    </span>
  );
}

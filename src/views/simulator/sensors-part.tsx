import { alarmSensors } from '#models/device-alarms.ts';
import { useText } from '#src/components/text.ts';
import { Part, type PartProps } from './part.tsx';

/** The sensors on the device: each is tripped, and clears, by a press. */
export function SensorsPart({ device, running, act }: PartProps) {
  const { t } = useText();
  return (
    <Part title={t('simulator.sensors')}>
      <div className="simulator-acts">
        {alarmSensors.map((sensor) => {
          const tripped = device.tripped.includes(sensor);
          return (
            <button
              key={sensor}
              type="button"
              className="simulator-sensor"
              aria-pressed={tripped}
              disabled={!device.online || running}
              onClick={() => act({ act: tripped ? 'clear' : 'trip', sensor })}
            >
              <i className={`pi ${tripped ? 'pi-exclamation-triangle' : 'pi-circle'}`} aria-hidden="true" />
              {t(`areas.device-alarms.options.sensor.${sensor}`)}
            </button>
          );
        })}
      </div>
    </Part>
  );
}

import { useText } from '#src/components/text.ts';
import { Part, type PartProps } from './part.tsx';
import './elevator-part.css';

/** The elevator behind a controller: its shaft with the car, and the floors one may press inside. */
export function ElevatorPart({ device, running, act }: PartProps) {
  const { t } = useText();
  const { elevator } = device;
  if (!elevator) return null;
  const { at, stops, state, floors } = elevator;
  const here = floors.find(({ number }) => number === at)?.name ?? '';
  const off = !device.online || running;
  return (
    <Part title={t('simulator.elevator.title')}>
      <p className="small" role="status">
        {t(`simulator.elevator.${state}`, { floor: here })}
      </p>
      <ol className="simulated-shaft" reversed>
        {floors.toReversed().map(({ number, name, is_public: isPublic, is_free: isFree }) => {
          const isHere = number === at;
          return (
            <li key={number} data-here={isHere} data-stop={stops.includes(number)}>
              <span className="simulated-car" aria-hidden="true">
                {isHere && <i className={`pi ${state === 'open' ? 'pi-arrows-h' : 'pi-stop'}`} data-state={state} />}
              </span>
              <button
                type="button"
                className="simulated-floor"
                data-free={isFree || isPublic}
                disabled={off || !(isFree || isPublic)}
                aria-label={t('simulator.elevator.choose', { floor: name })}
                onClick={() => act({ act: 'choose_floor', floor: number })}
              >
                {name}
              </button>
              <span className="quiet small">
                {isFree ? t('simulator.elevator.free') : isPublic ? t('simulator.elevator.public') : t('simulator.elevator.locked')}
                {stops.includes(number) && ` · ${t('simulator.elevator.stop')}`}
              </span>
            </li>
          );
        })}
      </ol>
    </Part>
  );
}

import type { DeviceEvent } from '#models/device-events.ts';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';
import { toneOf, typeIconOf } from './event-look.ts';
import './devices.css';

/** One event in a line: what happened, who it was, when. */
export function EventLine({ event }: { event: DeviceEvent }) {
  const { t } = useText();
  return (
    <span className="event-line" data-tone={toneOf(event)}>
      <i className={`pi ${typeIconOf(event.type)}`} aria-hidden="true" />
      <span>
        {t(`areas.device-events.options.type.${event.type}`)}
        <span className="cell-sub">{event.reason ? t(`areas.device-events.options.reason.${event.reason}`) : event.user?.name}</span>
      </span>
      <span className="quiet small">
        <When at={event.occurred_at} />
      </span>
    </span>
  );
}

import { useContext } from 'react';
import type { DeviceEvent } from '#models/device-events.ts';
import { useText } from '#src/components/text.ts';
import { ClockworkContext, When } from '#src/components/when.tsx';
import { DevicePlace } from '#src/views/devices/device-place.tsx';
import { NoValue } from '#src/views/area/cell.tsx';
import type { CellProps } from '#src/views/area/resource.ts';
import { toneOf, typeIconOf } from '#src/views/devices/event-look.ts';
import '#src/views/devices/devices.css';

/** An event that came a moment ago carries a mark that fades. */
const fresh = 60_000;

/** Where it happened, with the sign of what happened, and a mark while it is new. */
export function EventCell({ row }: CellProps<string, DeviceEvent>) {
  const { t } = useText();
  const { now } = useContext(ClockworkContext);
  const isFresh = now() - Date.parse(row.created_at) < fresh;
  return (
    <span className="device-name" data-tone={toneOf(row)}>
      <i className={`pi ${typeIconOf(row.type)}`} aria-hidden="true" />
      <span>
        {t(`areas.device-events.options.type.${row.type}`)}
        {isFresh && (
          <span key={row.id} className="fresh-mark">
            {t('areas.device-events.fresh')}
          </span>
        )}
        <DevicePlace row={row} />
      </span>
    </span>
  );
}

/** When: how long ago, and exactly below. */
export function MomentCell({ value }: Pick<CellProps<string>, 'value'>) {
  return (
    <>
      <When at={value} />
      <span className="cell-sub">
        <When at={value} exact />
      </span>
    </>
  );
}

/** The identifier as far as it is told: its kind and its end. */
export function IdentifierCell({ row }: CellProps<DeviceEvent['identifier_type'], DeviceEvent>) {
  const { t } = useText();
  if (!row.identifier_type) return <NoValue />;
  return (
    <span className="cell-line">
      {t(`areas.device-events.options.identifier_type.${row.identifier_type}`)}
      {row.identifier_mask && <span className="cell-sub">…{row.identifier_mask}</span>}
    </span>
  );
}

/** Why it was refused, in words. */
export function ReasonCell({ value }: CellProps<DeviceEvent['reason'], DeviceEvent>) {
  const { t } = useText();
  return value ? <span className="cell-lines">{t(`areas.device-events.options.reason.${value}`)}</span> : <NoValue />;
}

const tags = { low: 'cell-none', medium: 'tag tag-warn', high: 'tag tag-bad', critical: 'tag tag-bad' } as const;
/** How urgent, in a word; what is not goes quietly, and without saying on a phone. */
export function PriorityCell({ value }: CellProps<DeviceEvent['priority'], DeviceEvent>) {
  const { t } = useText();
  return <span className={tags[value]}>{t(`areas.device-events.options.priority.${value}`)}</span>;
}

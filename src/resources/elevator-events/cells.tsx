import type { ElevatorEvent } from '#models/elevator-events.ts';
import { useText } from '#src/components/text.ts';
import { NoValue } from '#src/views/area/cell.tsx';
import type { CellProps } from '#src/views/area/resource.ts';
import { typeIconOf } from '#src/views/devices/event-look.ts';
import { elevatorText } from '#src/views/elevators/elevator-text.ts';
import '#src/views/devices/devices.css';

/** What happened, at which elevator. */
export function HappenedCell({ row }: CellProps<unknown, ElevatorEvent>) {
  const { t } = useText();
  const tone = row.type === 'access_denied' ? 'bad' : row.type === 'access_granted' ? 'good' : 'plain';
  return (
    <span className="device-name" data-tone={tone}>
      <i className={`pi ${typeIconOf(row.type)}`} aria-hidden="true" />
      <span>
        {t(`areas.elevator-events.options.type.${row.type}`)}
        <span className="cell-sub">{row.elevator ? elevatorText(row.elevator) : row.elevator_name}</span>
      </span>
    </span>
  );
}

/** The floor, with the way somebody wanted to go from there. */
export function FloorCell({ row }: CellProps<unknown, ElevatorEvent>) {
  const { t } = useText();
  if (row.floor === null) return <NoValue />;
  return (
    <span className="cell-line cell-bare">
      {row.floor}
      {row.direction && <span className="cell-sub">{t(`areas.elevator-events.options.direction.${row.direction}`)}</span>}
    </span>
  );
}

/** The identifier as far as it is told: its kind and its end. */
export function CredentialCell({ row }: CellProps<unknown, ElevatorEvent>) {
  const { t } = useText();
  if (!row.identifier_type) return <NoValue />;
  return (
    <span className="cell-line">
      {t(`areas.elevator-events.options.identifier_type.${row.identifier_type}`)}
      {row.identifier_mask && <span className="cell-sub">…{row.identifier_mask}</span>}
    </span>
  );
}

/** Why it was refused, or by which rule it was let in. */
export function OutcomeCell({ row }: CellProps<unknown, ElevatorEvent>) {
  const { t } = useText();
  if (row.reason) return <span className="cell-lines">{t(`areas.elevator-events.options.reason.${row.reason}`)}</span>;
  return row.rule ? <>{row.rule}</> : <NoValue />;
}

import type { Device } from '#models/devices.ts';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';
import { NoValue } from '#src/views/area/cell.tsx';
import type { CellProps } from '#src/views/area/resource.ts';
import { StatusMark } from '#src/views/devices/status-mark.tsx';
import { typeIcons } from './type-icon.ts';
import '#src/views/devices/devices.css';

/** What the device is called, with the sign of its type and its model. */
export function DeviceCell({ row }: CellProps<string, Device>) {
  const { t } = useText();
  const type = t(`areas.devices.options.type.${row.type}`);
  return (
    <span className="device-name">
      <i className={`pi ${typeIcons[row.type]}`} aria-hidden="true" title={type} />
      <span>
        {row.name}
        <span className="cell-sub">
          {type} · {row.model}
        </span>
      </span>
    </span>
  );
}

/** Whether it answers, in words, and when it was heard last. */
export function StatusCell({ row }: CellProps<Device['status'], Device>) {
  return (
    <>
      <StatusMark status={row.status} protocol={row.protocol} />
      {row.status_at && (
        <span className="cell-sub">
          <When at={row.status_at} />
        </span>
      )}
    </>
  );
}

/** Where it belongs: its group, and the house above it. */
export function PlaceCell({ row }: CellProps<Device['domain'], Device>) {
  const own = row.path.at(-1) ?? row.domain?.name;
  if (!own) return <NoValue />;
  const above = row.path.slice(0, -1).join(' · ');
  return (
    <span className="cell-line" title={row.path.join(' · ')}>
      {own}
      {above && <span className="cell-sub">{above}</span>}
    </span>
  );
}

/** The serial number on one line, as it is printed. */
export const SerialCell = ({ value }: CellProps<string, Device>) => (
  <span className="serial" title={value}>
    {value}
  </span>
);

/** How it is spoken to, and where. */
export function ConnectionCell({ row }: CellProps<Device['protocol'], Device>) {
  const { t } = useText();
  return (
    <span className="cell-line">
      {t(`areas.devices.options.protocol.${row.protocol}`)}
      {row.ip_address && <span className="cell-sub">{row.ip_address}</span>}
    </span>
  );
}

/** Tasks under way and failed ones; failed first, for they need somebody. */
export function TasksCell({ row }: CellProps<number, Device>) {
  const { t } = useText();
  if (row.errors_count === 0 && row.tasks_count === 0) return <NoValue />;
  return (
    <span className="cell-labels">
      {row.errors_count > 0 && <span className="tag tag-bad">{t('areas.devices.tasks.failed', { count: row.errors_count })}</span>}
      {row.tasks_count > 0 && <span className="tag tag-info">{t('areas.devices.tasks.open', { count: row.tasks_count })}</span>}
    </span>
  );
}

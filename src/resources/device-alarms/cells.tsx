import type { DeviceAlarm } from '#models/device-alarms.ts';
import { groupText } from '#src/components/group-text.ts';
import { useText } from '#src/components/text.ts';
import { mayProcess } from '#src/views/alarms/may-process.ts';
import { Sensor } from '#src/views/alarms/sensor.tsx';
import { NoValue } from '#src/views/area/cell.tsx';
import type { CellProps } from '#src/views/area/resource.ts';
import { useProfile } from '#src/views/profile-of.ts';
import { ClaimButton } from './claim-button.tsx';

/** What tripped, and under it on which device. */
export function AlarmCell({ row }: CellProps<DeviceAlarm['sensor'], DeviceAlarm>) {
  return (
    <>
      <Sensor sensor={row.sensor} />
      <span className="cell-sub">{row.device_name}</span>
    </>
  );
}

/** Where it is, with its building; the whole way from the highest group one may see stands in the tip. */
export function PlaceCell({ value }: CellProps<readonly string[]>) {
  if (value.length === 0) return <NoValue />;
  return (
    <span className="cell-line" title={value.join(' · ')}>
      {groupText({ name: '', path: value })}
    </span>
  );
}

const tones = { enabled: 'tag tag-bad', disabled: 'tag tag-warn', processed: 'tag tag-good' } as const;

/** How the alarm stands, in a word. */
export function AlarmStateCell({ row }: CellProps<DeviceAlarm['state'], DeviceAlarm>) {
  const { t } = useText();
  const words = row.state === 'disabled' ? 'areas.device-alarms.cleared_open' : `areas.device-alarms.options.state.${row.state}`;
  return <span className={tones[row.state]}>{t(words)}</span>;
}

/** Who has it or had it; where nobody has, the way to take it on. */
export function DeskCell({ row }: CellProps<DeviceAlarm['claimed_by'], DeviceAlarm>) {
  const { t } = useText();
  const profile = useProfile();
  if (row.processed_by) return row.processed_by.name;
  if (row.claimed_by) return row.claimed_by.name;
  return mayProcess(profile) ? <ClaimButton alarm={row} /> : <span className="cell-none">{t('areas.device-alarms.waiting')}</span>;
}

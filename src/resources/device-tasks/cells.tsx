import type { DeviceTask, DeviceTaskStatus } from '#models/device-tasks.ts';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';
import { NoValue } from '#src/views/area/cell.tsx';
import type { CellProps } from '#src/views/area/resource.ts';
import { useDeviceReason } from '#src/views/devices/use-device-reason.ts';

const tones: Readonly<Record<DeviceTaskStatus, string>> = {
  new: 'tag',
  queued: 'tag tag-info',
  started: 'tag tag-info',
  waiting: 'tag tag-warn',
  completed: 'tag tag-good',
  error: 'tag tag-bad',
  stopped: 'tag',
};

/** What the device is to do, and under it which device. */
export function KindCell({ row }: CellProps<DeviceTask['kind'], DeviceTask>) {
  const { t } = useText();
  return (
    <>
      {t(`areas.device-tasks.options.kind.${row.kind}`)}
      <span className="cell-sub">{row.device?.name ?? t('areas.device-tasks.no_device')}</span>
    </>
  );
}

/** How the task stands, in a word; how often it was tried, where that was more than once. */
export function TaskStatusCell({ row }: CellProps<DeviceTaskStatus, DeviceTask>) {
  const { t } = useText();
  return (
    <>
      <span className={tones[row.status]}>{t(`areas.device-tasks.options.status.${row.status}`)}</span>
      {row.attempts > 1 && <span className="cell-sub">{t('areas.device-tasks.tried', { count: row.attempts })}</span>}
    </>
  );
}

/** What went wrong. */
export function ErrorCell({ value }: CellProps<string | null, DeviceTask>) {
  const reasonOf = useDeviceReason();
  if (!value) return <NoValue />;
  const reason = reasonOf(value);
  return (
    <span className="cell-lines" title={reason}>
      {reason}
    </span>
  );
}

const oneDigit = { minimumFractionDigits: 1, maximumFractionDigits: 1 };

/** How long it took, or since when it has been waiting. */
export function DurationCell({ row }: CellProps<string | null, DeviceTask>) {
  const { t, locale } = useText();
  if (!row.finished_at) return row.started_at ? <When at={row.started_at} /> : <NoValue />;
  const took = row.started_at ? Math.max(0, Date.parse(row.finished_at) - Date.parse(row.started_at)) : 0;
  return (
    <>
      <When at={row.finished_at} />
      <span className="cell-sub">{t('areas.device-tasks.took', { seconds: (took / 1_000).toLocaleString(locale, oneDigit) })}</span>
    </>
  );
}

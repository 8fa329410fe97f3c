import { Link } from 'react-router-dom';
import type { DeviceTask, DeviceTaskStatus } from '#models/device-tasks.ts';
import { type Text, useText } from '#src/components/text.ts';
import { Timeline, type TimelineStep } from '#src/components/timeline.tsx';
import { useDeviceReason } from '#src/views/devices/use-device-reason.ts';
import { TaskStatusCell } from './cells.tsx';

const ends: Partial<Record<DeviceTaskStatus, Pick<TimelineStep, 'icon' | 'tone'>>> = {
  completed: { icon: 'pi-check', tone: 'good' },
  error: { icon: 'pi-exclamation-triangle', tone: 'bad' },
};
const stopped = { icon: 'pi-ban', tone: 'none' } as const;

/** What has happened to it so far. */
function courseOf(row: DeviceTask, t: Text['t']): TimelineStep[] {
  const moments = [
    { field: 'created_at', icon: 'pi-plus', tone: 'info' },
    { field: 'queued_at', icon: 'pi-list', tone: 'info' },
    { field: 'started_at', icon: 'pi-send', tone: 'info' },
  ] as const;
  const passed = moments.flatMap(({ field, ...look }) => {
    const at = row[field];
    return at ? [{ key: field, ...look, at, content: t(`areas.device-tasks.fields.${field}`) }] : [];
  });
  if (!row.finished_at) return passed;
  const content = t(`areas.device-tasks.options.status.${row.status}`);
  return [...passed, { key: 'finished_at', ...(ends[row.status] ?? stopped), at: row.finished_at, content }];
}

/** One task read whole: what was asked by whom, its way through the queue, what went wrong. */
export function TaskItem({ row }: { row: DeviceTask }) {
  const { t } = useText();
  const reasonOf = useDeviceReason();
  const label = (field: string) => t(`areas.device-tasks.fields.${field}`);
  return (
    <section className="form-section">
      <h2 className="form-heading">{t(`areas.device-tasks.options.kind.${row.kind}`)}</h2>
      <dl className="facts">
        <div className="fact">
          <dt>{label('device')}</dt>
          <dd>{row.device ? <Link to={`/devices/${row.device.id}`}>{row.device.name}</Link> : t('areas.device-tasks.no_device')}</dd>
        </div>
        <div className="fact">
          <dt>{label('status')}</dt>
          <dd>
            <TaskStatusCell value={row.status} row={row} />
          </dd>
        </div>
        {row.error && (
          <div className="fact">
            <dt>{label('error')}</dt>
            <dd>{reasonOf(row.error)}</dd>
          </div>
        )}
        <div className="fact">
          <dt>{label('user')}</dt>
          <dd>{row.user?.name ?? t('areas.device-tasks.by_itself')}</dd>
        </div>
      </dl>
      <Timeline label={t('areas.device-tasks.course')} steps={courseOf(row, t)} />
    </section>
  );
}

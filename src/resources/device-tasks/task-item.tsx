import { Link } from 'react-router-dom';
import type { DeviceTask } from '#models/device-tasks.ts';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';
import { useDeviceReason } from '#src/views/devices/use-device-reason.ts';
import { TaskStatusCell } from './cells.tsx';

const moments = ['created_at', 'queued_at', 'started_at', 'finished_at'] as const;

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
        {moments.map((field) => {
          const at = row[field];
          return (
            at && (
              <div key={field} className="fact">
                <dt>{label(field)}</dt>
                <dd>
                  <When at={at} exact />
                </dd>
              </div>
            )
          );
        })}
      </dl>
    </section>
  );
}

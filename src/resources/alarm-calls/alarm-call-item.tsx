import { Link } from 'react-router-dom';
import type { AlarmCall } from '#models/alarm-calls.ts';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';

/** One press of an SOS button read whole. */
export function AlarmCallItem({ row }: { row: AlarmCall }) {
  const { t } = useText();
  const label = (field: string) => t(`areas.alarm-calls.fields.${field}`);
  return (
    <section className="form-section">
      <h2 className="form-heading">{t('areas.alarm-calls.sections.call')}</h2>
      <dl className="facts">
        <div className="fact">
          <dt>{label('called_at')}</dt>
          <dd>
            <When at={row.called_at} exact />
          </dd>
        </div>
        <div className="fact">
          <dt>{label('device')}</dt>
          <dd>{row.device ? <Link to={`/devices/${row.device.id}`}>{row.device.name}</Link> : row.device_name}</dd>
        </div>
        <div className="fact">
          <dt>{label('path')}</dt>
          <dd>{row.path.join(' · ') || t('list.none')}</dd>
        </div>
      </dl>
    </section>
  );
}

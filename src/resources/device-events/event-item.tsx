import { Link } from 'react-router-dom';
import type { ReactNode } from 'react';
import type { DeviceEvent } from '#models/device-events.ts';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';
import { PriorityCell } from './cells.tsx';

const said = ['by', 'relay', 'number', 'seconds', 'firmware', 'sensor'] as const;

/** What the event carries besides, as far as there are words for it. */
function Details({ data }: Pick<DeviceEvent, 'data'>) {
  const { t } = useText();
  return said.map((key) => {
    const value = data[key];
    if (typeof value !== 'string' && typeof value !== 'number') return null;
    return (
      <div key={key} className="fact">
        <dt>{t(`areas.device-events.data.${key}`)}</dt>
        <dd>{value}</dd>
      </div>
    );
  });
}

/** One event read whole: what, where, who with what, and why it was refused, with what one can do about that. */
export function EventItem({ row }: { row: DeviceEvent }) {
  const { t } = useText();
  const fact = (field: string, content: ReactNode) => (
    <div className="fact">
      <dt>{t(`areas.device-events.fields.${field}`)}</dt>
      <dd>{content}</dd>
    </div>
  );
  return (
    <section className="form-section">
      <h2 className="form-heading">{t(`areas.device-events.options.type.${row.type}`)}</h2>
      {row.reason && (
        <div className="notice notice-warn event-reason">
          <i className="pi pi-ban" aria-hidden="true" />
          <span>
            <strong>{t(`areas.device-events.options.reason.${row.reason}`)}</strong>
            <span className="cell-sub choice-note">{t(`areas.device-events.advice.${row.reason}`)}</span>
          </span>
        </div>
      )}
      {row.image_url && <img className="event-image" src={row.image_url} alt={t('areas.device-events.image')} />}
      <dl className="facts">
        {fact('occurred_at', <When at={row.occurred_at} exact />)}
        {fact('device', row.device ? <Link to={`/devices/${row.device.id}`}>{row.device.name}</Link> : row.device_name)}
        {row.path.length > 0 && fact('path', row.path.join(' · '))}
        {row.user && fact('user', row.user.id ? <Link to={`/users/${row.user.id}`}>{row.user.name}</Link> : row.user.name)}
        {row.identifier_type &&
          fact(
            'identifier_type',
            `${t(`areas.device-events.options.identifier_type.${row.identifier_type}`)}${row.identifier_mask ? ` …${row.identifier_mask}` : ''}`,
          )}
        {fact('priority', <PriorityCell value={row.priority} row={row} />)}
        <Details data={row.data} />
      </dl>
    </section>
  );
}

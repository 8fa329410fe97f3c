import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import type { ElevatorEvent } from '#models/elevator-events.ts';
import { Button } from '#src/components/button.tsx';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';
import { ExplainDialog } from '#src/views/access/explain-dialog.tsx';
import { maySee } from '#src/views/area/areas.tsx';
import { elevatorText } from '#src/views/elevators/elevator-text.ts';
import { useProfile } from '#src/views/profile-of.ts';

/** Why somebody was refused, and what can be done about it. */
function ReasonText({ reason }: { reason: NonNullable<ElevatorEvent['reason']> }) {
  const { t } = useText();
  return (
    <div className="notice notice-warn event-reason">
      <i className="pi pi-ban" aria-hidden="true" />
      <span>
        <strong>{t(`areas.elevator-events.options.reason.${reason}`)}</strong>
        <span className="cell-sub choice-note">{t(`areas.elevator-events.advice.${reason}`)}</span>
      </span>
    </div>
  );
}

const linked = (path: string, row: { id: string | null; name: string } | null, then: string): ReactNode =>
  row?.id ? <Link to={`${path}/${row.id}`}>{row.name}</Link> : (row?.name ?? then);

/** One event of an elevator read whole: where, who with what, to which floor, or why not. */
export function ElevatorEventItem({ row }: { row: ElevatorEvent }) {
  const { t } = useText();
  const [explaining, setExplaining] = useState(false);
  const profile = useProfile();
  const subject = row.identifier ? { identifier: row.identifier } : row.user?.id ? { user: row.user.id } : null;
  const mayExplain = row.type === 'access_granted' || row.type === 'access_denied';
  const fact = (field: string, content: ReactNode) => (
    <div className="fact">
      <dt>{t(`areas.elevator-events.fields.${field}`)}</dt>
      <dd>{content}</dd>
    </div>
  );
  return (
    <section className="form-section">
      <h2 className="form-heading">{t(`areas.elevator-events.options.type.${row.type}`)}</h2>
      {row.reason && <ReasonText reason={row.reason} />}
      {row.image_url && <img className="event-image" src={row.image_url} alt={t('areas.elevator-events.image')} />}
      <dl className="facts">
        {fact('occurred_at', <When at={row.occurred_at} exact />)}
        {fact('elevator', linked('/elevators', row.elevator && { id: row.elevator.id, name: elevatorText(row.elevator) }, row.elevator_name))}
        {fact('device', linked('/devices', row.device, row.device_name))}
        {row.floor !== null && fact('floor', row.floor)}
        {row.direction && fact('direction', t(`areas.elevator-events.options.direction.${row.direction}`))}
        {row.apartment && fact('apartment', row.apartment)}
        {row.user && fact('user', linked('/users', row.user, ''))}
        {row.identifier_type &&
          fact(
            'identifier_type',
            `${t(`areas.elevator-events.options.identifier_type.${row.identifier_type}`)}${row.identifier_mask ? ` …${row.identifier_mask}` : ''}`,
          )}
        {row.rule && fact('rule', row.rule)}
      </dl>
      {mayExplain && subject && row.device && maySee(profile, 'identifiers') && (
        <Button tone="plain" icon="pi-question-circle" label={t('areas.elevator-events.explain')} onClick={() => setExplaining(true)} />
      )}
      {explaining && subject && row.device && (
        <ExplainDialog subject={subject} device={row.device} at={row.occurred_at} onClose={() => setExplaining(false)} />
      )}
    </section>
  );
}

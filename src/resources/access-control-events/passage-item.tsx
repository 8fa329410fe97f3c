import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import type { AccessControlEvent } from '#models/access-control-events.ts';
import { Button } from '#src/components/button.tsx';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';
import { ExplainDialog } from '#src/views/access/explain-dialog.tsx';
import { maySee } from '#src/views/area/areas.tsx';
import { useProfile } from '#src/views/profile-of.ts';
import { usePages } from '#src/views/shell/page-reports.ts';
import './passage-item.css';

/** One passage read whole: where, who with what, by which rule, or why not and what one can do about it. */
export function PassageItem({ row }: { row: AccessControlEvent }) {
  const { t } = useText();
  const [explaining, setExplaining] = useState(false);
  const profile = useProfile();
  const pages = usePages();
  const subject = row.identifier ? { identifier: row.identifier } : row.user?.id ? { user: row.user.id } : null;
  const fact = (field: string, content: ReactNode) => (
    <div className="fact">
      <dt>{t(`areas.access-control-events.fields.${field}`)}</dt>
      <dd>{content}</dd>
    </div>
  );
  return (
    <section className="form-section">
      <h2 className="form-heading">{t(`areas.access-control-events.options.type.${row.type}`)}</h2>
      {row.reason && (
        <div className="notice notice-warn event-reason">
          <i className="pi pi-ban" aria-hidden="true" />
          <span>
            <strong>{t(`areas.access-control-events.options.reason.${row.reason}`)}</strong>
            <span className="cell-sub choice-note">{t(`areas.access-control-events.advice.${row.reason}`)}</span>
          </span>
        </div>
      )}
      {row.image_url && <img className="event-image" src={row.image_url} alt={t('areas.access-control-events.image')} />}
      <dl className="facts">
        {fact('occurred_at', <When at={row.occurred_at} exact />)}
        {fact('device', row.device ? <Link to={`/devices/${row.device.id}`}>{row.device.name}</Link> : row.device_name)}
        {row.path.length > 0 && fact('path', row.path.join(' · '))}
        {row.user && fact('user', row.user.id ? <Link to={`/users/${row.user.id}`}>{row.user.name}</Link> : row.user.name)}
        {row.guest && fact('guest', row.guest)}
        {row.identifier_type &&
          fact(
            'identifier_type',
            `${t(`areas.access-control-events.options.identifier_type.${row.identifier_type}`)}${row.identifier_mask ? ` …${row.identifier_mask}` : ''}`,
          )}
        {row.rule && fact('rule', row.rule)}
        {row.schedule && fact('schedule', row.schedule)}
      </dl>
      <div className="passage-does">
        {row.has_card && (
          <Button
            icon="pi-id-card"
            label={t('areas.access-control-events.actions.add_card')}
            onClick={() => pages.open(`/identifiers/add?type=card&event=${row.id}`)}
          />
        )}
        {subject && row.device && maySee(profile, 'identifiers') && (
          <Button tone="plain" icon="pi-question-circle" label={t('areas.access-control-events.explain')} onClick={() => setExplaining(true)} />
        )}
      </div>
      {explaining && subject && row.device && (
        <ExplainDialog subject={subject} device={row.device} at={row.occurred_at} onClose={() => setExplaining(false)} />
      )}
    </section>
  );
}

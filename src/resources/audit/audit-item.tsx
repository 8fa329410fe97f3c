import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { AuditEvent } from '#models/audit-events.ts';
import { agentText } from '#models/device-name.ts';
import { may } from '#models/permissions.ts';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';
import { useEntry } from '#src/views/area/areas.tsx';
import { PageLink } from '#src/views/shell/page-link.tsx';
import { actorOf, useProfile } from '#src/views/profile-of.ts';
import { editorPath, versionPath } from '#src/views/area/use-open.ts';
import { historyPath } from '#src/views/area/use-history-path.ts';
import { AuditValue } from './audit-value.tsx';
import { useAreaName } from './cells.tsx';
import { useFieldName } from './field-name.ts';
import { flattened } from './flattened.ts';
import './audit.css';

/** Field by field, before beside after. */
function Changes({ event }: { event: AuditEvent }) {
  const { t } = useText();
  const nameOf = useFieldName(event.area);
  const rows = flattened(event.changes);
  if (rows.length === 0) return <p className="quiet">{t('list.audit.no_changes')}</p>;
  return (
    <table className="diff">
      <thead>
        <tr>
          <th scope="col">{t('list.conflict.field')}</th>
          <th scope="col">{t('areas.audit-events.fields.changes.before')}</th>
          <th scope="col">{t('areas.audit-events.fields.changes.after')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ path, before, after }) => (
          <tr key={path}>
            <th scope="row">{nameOf(path)}</th>
            <td className="diff-before">
              <AuditValue area={event.area} path={path} value={before} other={after} />
            </td>
            <td className="diff-after">
              <AuditValue area={event.area} path={path} value={after} other={before} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The address of this very view, to be passed on. */
function CopyLink() {
  const { t } = useText();
  const [copied, setCopied] = useState<boolean>();
  const copy = () =>
    navigator.clipboard.writeText(location.origin + location.pathname).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  return (
    <button type="button" className="link-button" onClick={() => void copy()}>
      <i className={`pi ${copied ? 'pi-check' : 'pi-link'}`} aria-hidden="true" />{' '}
      {t(copied ? 'list.copy.copied' : copied === false ? 'list.copy.failed' : 'list.audit.copy_link')}
    </button>
  );
}

/** One entry of the trail: who, when, from where, what, and each field before and after. */
export function AuditItem({ row: event }: { row: AuditEvent }) {
  const { t } = useText();
  const areaName = useAreaName();
  const entry = useEntry(event.area);
  const log = useEntry('audit-events');
  const field = (key: string) => t(`areas.audit-events.fields.${key}`);
  const profile = useProfile();
  const isVersion = event.action === 'update' || event.action === 'create';
  const restorable = isVersion && entry && may(actorOf(profile), 'edit', entry.area) ? event.entity_id : null;
  const name = event.entity_name ?? t('list.none');
  return (
    <div className="audit">
      <section className="form-section">
        <h2 className="form-heading">
          {t(`areas.audit-events.options.action.${event.action}`)}
          {event.entity_name && `: ${event.entity_name}`}
        </h2>
        <dl className="facts">
          <div className="fact">
            <dt>{field('user')}</dt>
            <dd>{event.user?.name ?? t('list.none')}</dd>
          </div>
          <div className="fact">
            <dt>{field('created_at')}</dt>
            <dd>
              <When at={event.created_at} exact />
            </dd>
          </div>
          <div className="fact">
            <dt>{field('area')}</dt>
            <dd>{areaName(event.area)}</dd>
          </div>
          <div className="fact">
            <dt>{field('entity_name')}</dt>
            <dd>
              {entry?.editor === 'page' && event.entity_id && event.action !== 'delete' ? (
                <PageLink to={editorPath(entry, 'view', event.entity_id)}>{name}</PageLink>
              ) : (
                name
              )}
            </dd>
          </div>
          <div className="fact">
            <dt>{field('ip')}</dt>
            <dd>{event.ip ?? t('list.none')}</dd>
          </div>
          <div className="fact">
            <dt>{field('user_agent')}</dt>
            <dd className="audit-agent" title={event.user_agent ?? undefined}>
              {agentText(event.user_agent) ?? event.user_agent ?? t('list.none')}
            </dd>
          </div>
        </dl>
        <p className="audit-links">
          {log && event.entity_id && <Link to={historyPath(log.path, event.area, event.entity_id)}>{t('list.audit.all_of', { name })}</Link>}
          {entry && restorable && (
            <PageLink to={versionPath(entry, restorable, event.id)}>
              <i className="pi pi-undo" aria-hidden="true" /> {t('list.audit.restore')}
            </PageLink>
          )}
          <CopyLink />
        </p>
      </section>
      <section className="form-section">
        <h2 className="form-heading">{t('areas.audit-events.sections.changes')}</h2>
        <Changes event={event} />
      </section>
    </div>
  );
}

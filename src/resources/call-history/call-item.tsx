import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { CallEnd, HistoryCall } from '#models/call-history.ts';
import { hasPermission } from '#models/permissions.ts';
import { durationText } from '#models/time.ts';
import { groupText } from '#src/components/group-text.ts';
import { useText } from '#src/components/text.ts';
import { trunkRefusalText } from '#src/components/trunk-refusal.ts';
import { When } from '#src/components/when.tsx';
import { actorOf, useProfile } from '#src/views/profile-of.ts';
import { nameOf, placeOf } from './cells.tsx';

/** One end with the way to whoever it was, and the number as it was. */
function End({ end }: { end: CallEnd }) {
  const to = end.device ? `/devices/${end.device.id}` : end.user ? `/users/${end.user.id}` : null;
  const called = nameOf(end);
  return (
    <>
      {to ? <Link to={to}>{called}</Link> : called}
      <span className="cell-sub">{placeOf(end)}</span>
    </>
  );
}

const partyOf = ({ name, number }: NonNullable<HistoryCall['answered_by']>): string => [name, number].filter(Boolean).join(' · ');

/** One call read whole: who, whom, where, how it ended, and what was done in it. */
export function CallItem({ row }: { row: HistoryCall }) {
  const { t } = useText();
  const mayWrite = hasPermission(actorOf(useProfile()), 'can_create_conversations');
  const fact = (field: string, content: ReactNode) => (
    <div className="fact">
      <dt>{t(`areas.call-history.fields.${field}`)}</dt>
      <dd>{content}</dd>
    </div>
  );
  return (
    <section className="form-section">
      <h2 className="form-heading">{t(`areas.call-history.options.type.${row.type}`)}</h2>
      {row.sos && (
        <div className="notice notice-bad">
          <i className="pi pi-exclamation-circle" aria-hidden="true" />
          <span>{t('areas.call-history.sos_call')}</span>
        </div>
      )}
      {row.image_url && <img className="event-image" src={row.image_url} alt={t('areas.call-history.fields.image_url')} />}
      <dl className="facts">
        {fact('created_at', <When at={row.created_at} exact />)}
        {fact('from', <End end={row.from} />)}
        {fact('to', <End end={row.to} />)}
        {row.answered_by && fact('answered_by', partyOf(row.answered_by))}
        {row.transferred_by && fact('transferred_by', partyOf(row.transferred_by))}
        {row.transferred_to && fact('transferred_to', partyOf(row.transferred_to))}
        {row.group && fact('group', <Link to={`/groups/${row.group.id}`}>{row.group.name}</Link>)}
        {fact('waited', durationText(row.waited))}
        {row.status === 'answered' && fact('duration', durationText(row.duration))}
        {row.refusal && fact('refusal', trunkRefusalText({ t }, row.refusal))}
        {row.ended_at && fact('ended_at', <When at={row.ended_at} exact />)}
        {row.door_opened && fact('door_opened', [row.door_name ?? t('list.yes'), row.door_opened_by].filter(Boolean).join(' · '))}
        {row.door_reason && fact('door_reason', row.door_reason)}
        {row.note && fact('note', row.note)}
      </dl>
      {row.to.group && mayWrite && (
        <Link
          to={`/conversations?${new URLSearchParams({ new: 'group', group: row.to.group.id })}`}
          className="p-button p-component p-button-outlined"
        >
          <i className="pi pi-comments" aria-hidden="true" />
          <span className="p-button-label">
            {t('areas.call-history.message_group', { name: groupText({ name: row.to.group.name, path: row.to.address?.split(' · ') ?? [] }) })}
          </span>
        </Link>
      )}
    </section>
  );
}

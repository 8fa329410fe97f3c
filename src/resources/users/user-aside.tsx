import { Link } from 'react-router-dom';
import { hasPermission, may } from '#models/permissions.ts';
import { isActivated, type User } from '#models/users.ts';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';
import type { PieceProps } from '#src/views/area/resource.ts';
import { actorOf, useProfile } from '#src/views/profile-of.ts';
import { PageLink } from '#src/views/shell/page-link.tsx';
import { ActivationMark } from './cells.tsx';

/** When the person activated the account, or that they have not, and when they were last here. */
export function UserAside({ row }: PieceProps<User>) {
  const { t } = useText();
  const actor = actorOf(useProfile());
  const mayRead = hasPermission(actor, 'can_view_access_rules');
  if (!row) return null;
  return (
    <>
      <dl className="facts">
        <div className="fact">
          <dt>{t('areas.users.fields.activated_at')}</dt>
          <dd>{isActivated(row) ? <When at={new Date(row.activated_at * 1_000).toISOString()} /> : <ActivationMark user={row} />}</dd>
        </div>
        <div className="fact">
          <dt>{t('areas.users.fields.last_seen_at')}</dt>
          <dd>{row.last_seen_at ? <When at={row.last_seen_at} /> : t('areas.users.never_seen')}</dd>
        </div>
      </dl>
      {mayRead && (
        <Link className="aside-link" to={`/access-matrix?person_id=${row.id}&only_reached=true`}>
          {t('list.matrix.where')}
        </Link>
      )}
      {may(actor, 'create', 'identifiers') && (
        <PageLink className="aside-link" to={`/identifiers/add?type=card&owner=${row.id}`}>
          {t('areas.users.add_card')}
        </PageLink>
      )}
    </>
  );
}

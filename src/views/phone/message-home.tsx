import { Link } from 'react-router-dom';
import type { RecentCall } from '#machines/phone/ports.ts';
import { useText } from '#src/components/text.ts';
import { hasPermission } from '#models/permissions.ts';
import { actorOf, useProfile } from '../profile-of.ts';
import { useServices } from '../system.ts';

/** Writes to the people of the apartment a call came from or went to (experience 9); nothing where that is not known, or one may not write. */
export function MessageHome({ call: { home } }: { call: RecentCall }) {
  const { t } = useText();
  const { paths } = useServices();
  const mayWrite = hasPermission(actorOf(useProfile()), 'can_create_conversations');
  if (home === null || !mayWrite || !paths.has('/conversations')) return null;
  const label = t('phone.message_home', { name: home.name });
  return (
    <Link className="icon-button" to={`/conversations?${new URLSearchParams({ new: 'home', group: home.id })}`} aria-label={label} title={label}>
      <i className="pi pi-comment" aria-hidden="true" />
    </Link>
  );
}

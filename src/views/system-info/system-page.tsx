import { holds } from '#models/permissions.ts';
import { useText } from '#src/components/text.ts';
import { NoAccess } from '../area/no-access.tsx';
import { actorOf, useProfile } from '../profile-of.ts';
import { usePageTitle } from '../shell/page-title.ts';
import { IpBlockingCard } from './ip-blocking-card.tsx';
import './system-info.css';

/** What whoever runs the server needs to see of it. */
export function SystemPage() {
  const { t } = useText();
  const actor = actorOf(useProfile());
  usePageTitle(t('interface.menu.system-info'));
  if (!holds(actor, 'can_view_system_info')) return <NoAccess />;
  return (
    <div className="system-page">
      <IpBlockingCard />
    </div>
  );
}

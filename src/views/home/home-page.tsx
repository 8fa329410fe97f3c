import { Link } from 'react-router-dom';
import { holds, may, scopesOf } from '#models/permissions.ts';
import type { Profile } from '#models/profile.ts';
import { useText } from '#src/components/text.ts';
import { actorOf, useProfile } from '../profile-of.ts';
import { PageLink } from '../shell/page-link.tsx';
import { usePageTitle } from '../shell/page-title.ts';
import { Attention } from './attention.tsx';
import { LatestChanges, MyGroups, NotActivated, PeopleByRole } from './cards.tsx';
import { DemoMails } from './demo-mails.tsx';
import { Trends } from './trends.tsx';
import './home.css';

const additions = ['users', 'groups', 'roles'] as const;
const words = { users: 'add_user', groups: 'add_group', roles: 'add_role' } as const;

function QuickLinks({ profile }: { profile: Profile }) {
  const { t } = useText();
  const actor = actorOf(profile);
  return (
    <nav className="home-links" aria-label={t('interface.home.links')}>
      {additions
        .filter((area) => may(actor, 'create', area))
        .map((area) => (
          <PageLink key={area} to={`/${area}/add`} className="home-link">
            <i className="pi pi-plus" aria-hidden="true" />
            {t(`interface.home.${words[area]}`)}
          </PageLink>
        ))}
      <Link to="/profile" className="home-link">
        <i className="pi pi-user" aria-hidden="true" />
        {t('interface.home.my_profile')}
      </Link>
    </nav>
  );
}

/** What needs a person now, and what happened last; only what this person may see. */
export function HomePage() {
  const { t } = useText();
  const profile = useProfile();
  const actor = actorOf(profile);
  usePageTitle(t('interface.home.title'));
  const sees = (area: 'users' | 'roles'): boolean => scopesOf(actor, 'view', area).some((scope) => scope !== 'own');
  return (
    <div className="home">
      <div className="home-hello">
        <p className="home-name">{t('interface.home.hello', { name: profile.name })}</p>
        <QuickLinks profile={profile} />
      </div>
      <div className="home-figures">
        <Attention />
        <Trends />
      </div>
      <div className="home-columns">
        <div className="home-column">
          {sees('users') && <NotActivated />}
          {sees('roles') && (
            <div className="home-last">
              <PeopleByRole />
            </div>
          )}
        </div>
        <div className="home-column">
          <MyGroups />
          {may(actor, 'view', 'audit-events') && <LatestChanges />}
          {holds(actor, 'can_view_system_info') && <DemoMails />}
        </div>
      </div>
    </div>
  );
}

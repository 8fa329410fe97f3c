import { Link } from 'react-router-dom';
import type { AuditEvent } from '#models/audit-events.ts';
import type { Group } from '#models/groups.ts';
import type { Role } from '#models/roles.ts';
import type { User } from '#models/users.ts';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';
import { useProfile } from '../profile-of.ts';
import { PageLink } from '../shell/page-link.tsx';
import { HomeCard } from './home-card.tsx';
import { firstRows, listAddress, useRows } from './use-rows.ts';

const notActivated = firstRows(5, [{ field: 'activated_at', rule: 'equals', value: 0 }], ['-created_at']);
// Coming and going is the trail's business; here is what changed.
const latestChanges = firstRows(
  8,
  [
    { field: 'action', rule: 'not_equals', value: 'sign_in' },
    { field: 'action', rule: 'not_equals', value: 'sign_out' },
  ],
  ['-created_at'],
);
const allRoles = firstRows(20, [], ['name']);

/** People who were invited and have not come yet. */
export function NotActivated() {
  const { t } = useText();
  const answer = useRows<User>('users', notActivated);
  return (
    <HomeCard
      title={t('home.page.not_activated')}
      icon="pi-user-plus"
      emptyIcon="pi-check-circle"
      answer={answer}
      empty={t('home.page.all_activated')}
      lines={5}
      tall
      foot={<Link to={listAddress('/users', notActivated)}>{t('home.page.see_all_count', { count: answer.total })}</Link>}
    >
      {(user) => (
        <div className="home-row">
          <div className="home-what">
            <PageLink to={`/users/${user.id}`}>{user.name}</PageLink>
            <span className="quiet small">{user.email ?? user.login}</span>
          </div>
          <span className="quiet small home-aside">
            <When at={user.created_at} />
          </span>
        </div>
      )}
    </HomeCard>
  );
}

/** The groups the person belongs to, with where they stand and how many people they hold. */
export function MyGroups() {
  const { t } = useText();
  const { id, domains } = useProfile();
  const answer = useRows<Group>('groups', firstRows(5, [{ field: 'users', rule: 'has', value: id }], ['name']));
  return (
    <HomeCard
      title={t('home.page.groups')}
      icon="pi-sitemap"
      answer={answer}
      empty={t('home.page.groups_empty')}
      lines={Math.max(1, Math.min(5, domains.length))}
      tall
      foot={<Link to="/groups">{t('home.page.all_groups')}</Link>}
    >
      {(group) => (
        <div className="home-row">
          <div className="home-what">
            <PageLink to={`/groups/${group.id}`}>{group.name}</PageLink>
            <span className="quiet small">
              {group.path.slice(0, -1).join(' · ') || (group.children_count > 0 && t('home.page.subgroups_count', { count: group.children_count }))}
            </span>
          </div>
          <span className="quiet small home-aside">{t('home.page.people_count', { count: group.users_count })}</span>
        </div>
      )}
    </HomeCard>
  );
}

const areaPaths = ['users', 'roles', 'groups'] as const;

/** Who changed what, last of all. */
export function LatestChanges() {
  const { t } = useText();
  const answer = useRows<AuditEvent>('audit-events', latestChanges);
  const words = ({ action, user, entity_name }: AuditEvent): string =>
    t(`home.page.change.${action}`, {
      who: user?.name ?? t('home.page.by_system'),
      ...(entity_name === null ? { context: 'unnamed', what: t('interface.none') } : { what: entity_name }),
    });
  return (
    <HomeCard
      title={t('home.page.changes')}
      icon="pi-history"
      answer={answer}
      empty={t('home.page.changes_empty')}
      lines={8}
      foot={<Link to="/audit-events">{t('home.page.all_changes')}</Link>}
    >
      {(event) => {
        const linked = event.action !== 'delete' && event.entity_id !== null && areaPaths.some((area) => area === event.area);
        return (
          <div className="home-row">
            <div className="home-what">
              {linked ? <PageLink to={`/${event.area}/${event.entity_id}`}>{words(event)}</PageLink> : <span>{words(event)}</span>}
            </div>
            <span className="quiet small home-aside">
              <When at={event.created_at} />
            </span>
          </div>
        );
      }}
    </HomeCard>
  );
}

/** How many people hold each role. */
export function PeopleByRole() {
  const { t, locale } = useText();
  const answer = useRows<Role>('roles', allRoles);
  const most = Math.max(1, ...answer.rows.map(({ users_count }) => users_count));
  const peopleWith = (role: Role) => listAddress('/users', firstRows(20, [{ field: 'role', rule: 'equals', value: role.id }]));
  return (
    <HomeCard title={t('home.page.roles')} icon="pi-id-card" answer={answer} empty={t('home.page.roles_empty')} lines={6}>
      {(role) => (
        <Link to={peopleWith(role)} className="home-bar">
          <span className="home-bar-name">{role.name}</span>
          <span className="home-bar-line" aria-hidden="true">
            <span style={{ width: `${(role.users_count / most) * 100}%` }} />
          </span>
          <span className="home-bar-count">{role.users_count.toLocaleString(locale)}</span>
        </Link>
      )}
    </HomeCard>
  );
}

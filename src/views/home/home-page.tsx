import { Suspense } from 'react';
import { Link } from 'react-router-dom';
import { phoneOf } from '#machines/phone/phone-of.ts';
import { licensed } from '#models/licence-info.ts';
import { type Actor, hasPermission, may, mayAct, scopesOf } from '#models/permissions.ts';
import { lazyPart } from '#src/components/lazy-part.ts';
import type { Profile } from '#models/profile.ts';
import { useText } from '#src/components/text.ts';
import { actorOf, useProfile } from '../profile-of.ts';
import { PageLink } from '../shell/page-link.tsx';
import { usePageTitle } from '../shell/page-title.ts';
import { AnnouncesAwaited } from './announces-awaited.tsx';
import { Attention } from './attention.tsx';
import { LatestChanges, MyGroups, NotActivated, PeopleByRole } from './cards.tsx';
import { usePhone } from '../system.ts';
import { DemoMails } from './demo-mails.tsx';
import { DoorsAwaited } from './doors-awaited.tsx';
import { GuestsCard } from './guests-card.tsx';
import { NumberCard } from './number-card.tsx';
import { Trends } from './trends.tsx';
import './home.css';

const DeskCards = lazyPart(() => import('./phone-cards.tsx'));
const OwnDoors = lazyPart(async () => ({ default: (await import('./phone-cards.tsx')).OwnDoors }));
const OwnPeople = lazyPart(async () => ({ default: (await import('./phone-cards.tsx')).OwnPeople }));
const OwnCalls = lazyPart(async () => ({ default: (await import('./phone-cards.tsx')).OwnCalls }));
const AnnouncesCard = lazyPart(() => import('./announces-card.tsx'));
const ReservationsCard = lazyPart(() => import('./reservations-card.tsx'));

const additions = ['users', 'groups', 'roles'] as const;
const words = { users: 'add_user', groups: 'add_group', roles: 'add_role' } as const;

function QuickLinks({ profile }: { profile: Profile }) {
  const { t } = useText();
  const actor = actorOf(profile);
  return (
    <nav className="home-links" aria-label={t('home.page.links')}>
      {additions
        .filter((area) => may(actor, 'create', area))
        .map((area) => (
          <PageLink key={area} to={`/${area}/add`} className="home-link">
            <i className="pi pi-plus" aria-hidden="true" />
            {t(`home.page.${words[area]}`)}
          </PageLink>
        ))}
      {hasPermission(actor, 'can_create_conversations') && homeOf(actor) === 'apartment' && (
        <Link to="/conversations?new=desk" className="home-link">
          <i className="pi pi-comments" aria-hidden="true" />
          {t('home.page.write_to_desk')}
        </Link>
      )}
      <Link to="/profile" className="home-link">
        <i className="pi pi-user" aria-hidden="true" />
        {t('home.page.my_profile')}
      </Link>
    </nav>
  );
}

/** Which home is somebody's: by what they may do, whatever their role is called. */
function homeOf(actor: Actor): 'office' | 'desk' | 'apartment' {
  if (may(actor, 'create', 'roles') || hasPermission(actor, 'can_change_project_settings')) return 'office';
  if (mayAct(actor, 'takeWaitingCalls')) return 'desk';
  const looksAfter = (['users', 'devices', 'device-events', 'device-alarms', 'audit-events'] as const).some((area) =>
    scopesOf(actor, 'view', area).some((scope) => scope !== 'own'),
  );
  return looksAfter || hasPermission(actor, 'can_view_licenses', 'can_manage_licenses', 'can_view_system_info') ? 'office' : 'apartment';
}

/** Whoever looks after people and devices: trends, and what changed last. */
function Office() {
  const actor = actorOf(useProfile());
  const sees = (area: 'users' | 'roles'): boolean => scopesOf(actor, 'view', area).some((scope) => scope !== 'own');
  return (
    <>
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
          {hasPermission(actor, 'can_view_system_info') && <DemoMails />}
        </div>
      </div>
    </>
  );
}

/** A front desk: what waits, calls and doors, colleagues, the notes of the shift before; trends last. */
function FrontDesk() {
  const phone = usePhone();
  return (
    <>
      <div className="home-first">
        <Attention />
      </div>
      {phone && (
        <Suspense>
          <DeskCards phone={phone} />
        </Suspense>
      )}
      <div className="home-figures">
        <Trends />
      </div>
    </>
  );
}

/** What concerns somebody at home besides the telephone. */
function OwnCards() {
  const profile = useProfile();
  const actor = actorOf(profile);
  return (
    <>
      {may(actor, 'view', 'guest-identifiers') && may(actor, 'create', 'guest-identifiers') && <GuestsCard />}
      {licensed('amenity', profile.features, profile.license_info) && may(actor, 'create', 'amenity-reservations') && (
        <Suspense>
          <ReservationsCard />
        </Suspense>
      )}
    </>
  );
}

/** Somebody's own apartment: what they are told and asked, doors, guests, calls, people, the number. What the phone adds moves nothing away. */
function Apartment() {
  const phone = usePhone();
  const profile = useProfile();
  const doorsToCome = mayAct(actorOf(profile), 'haveDoors') ? <DoorsAwaited /> : null;
  return (
    <>
      <Suspense fallback={<AnnouncesAwaited />}>
        <AnnouncesCard />
      </Suspense>
      <div className="home-columns">
        <div className="home-column">
          {phoneOf(profile) && <Suspense fallback={doorsToCome}>{phone ? <OwnDoors phone={phone} /> : doorsToCome}</Suspense>}
          <NumberCard />
          <Suspense>{phone && <OwnPeople phone={phone} />}</Suspense>
          {!phoneOf(profile) && <MyGroups />}
        </div>
        <div className="home-column">
          <OwnCards />
          <Suspense>{phone && <OwnCalls phone={phone} />}</Suspense>
        </div>
      </div>
    </>
  );
}

const homes = { office: Office, desk: FrontDesk, apartment: Apartment } as const;

/** What a person comes for, by what they may do. */
export function HomePage() {
  const { t } = useText();
  const profile = useProfile();
  usePageTitle(t('home.page.title'));
  const Home = homes[homeOf(actorOf(profile))];
  return (
    <div className="home">
      <div className="home-hello">
        <p className="home-name">{t('home.page.hello', { name: profile.name })}</p>
        <QuickLinks profile={profile} />
      </div>
      <Home />
    </div>
  );
}

import type { GuestIdentifier } from '#models/guest-access.ts';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';
import { PageLink } from '../shell/page-link.tsx';
import { HomeCard } from './home-card.tsx';
import { firstRows, useRows } from './use-rows.ts';

const coming = firstRows(
  5,
  [
    { field: 'visit', rule: 'not_equals', value: 'over' },
    { field: 'visit', rule: 'not_equals', value: 'no_show' },
  ],
  ['-created_at'],
);

/** Whom one expects, and the way to invite somebody. */
export function GuestsCard() {
  const { t } = useText();
  const answer = useRows<GuestIdentifier>('guest-identifiers', coming);
  return (
    <HomeCard
      title={t('home.guests.title')}
      icon="pi-user-plus"
      answer={answer}
      empty={t('home.guests.empty')}
      lines={1}
      tall
      aside={
        <PageLink className="home-aside home-act" to="/guest-access/add">
          <i className="pi pi-plus" aria-hidden="true" />
          {t('home.guests.invite')}
        </PageLink>
      }
    >
      {({ id, name, visit, validatePeriod: { to } }) => (
        <div className="home-row">
          <div className="home-what">
            <PageLink to={`/guest-access/${id}`}>{name}</PageLink>
            <span className="quiet small">
              {to === null ? (
                t('home.guests.unlimited')
              ) : (
                <>
                  {t('home.guests.until')} <When at={to} exact />
                </>
              )}
            </span>
          </div>
          <span className={`tag home-aside ${visit === 'arrived' ? 'tag-good' : 'tag-info'}`}>
            {t(visit === 'arrived' ? 'home.guests.arrived' : 'home.guests.expected')}
          </span>
        </div>
      )}
    </HomeCard>
  );
}

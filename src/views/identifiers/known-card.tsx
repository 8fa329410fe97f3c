import type { PresentedCard } from '#models/enrolment.ts';
import { shownNumber } from '#models/identifier-value.ts';
import { useText } from '#src/components/text.ts';
import { useProfile } from '../profile-of.ts';
import { PageLink } from '../shell/page-link.tsx';

/** A card that is in the project already: as what and whose, as far as that may be told. */
export function KnownCard({ card: { type, value, known } }: { card: PresentedCard }) {
  const { t } = useText();
  const format = useProfile().profile.identifier_format;
  const what = { type: t(`areas.identifiers.options.type.${type}`), number: shownNumber(value, format) };
  if (!known) return null;
  const { identifier, owner } = known;
  return (
    <div className="notice notice-warn" role="alert">
      <i className="pi pi-id-card" aria-hidden="true" />
      <div>
        <strong>{t(owner ? 'areas.identifiers.enrol.owned' : 'areas.identifiers.enrol.known', { ...what, owner: owner?.name })}</strong>
        <span className="cell-sub choice-note">
          {identifier ? <PageLink to={`/identifiers/${identifier.id}`}>{identifier.name}</PageLink> : t('areas.identifiers.enrol.unseen')}
        </span>
      </div>
    </div>
  );
}

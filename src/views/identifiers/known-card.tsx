import { useState } from 'react';
import type { PresentedCard } from '#models/enrolment.ts';
import { shownNumber } from '#models/identifier-value.ts';
import { hasPermission } from '#models/permissions.ts';
import { Button } from '#src/components/button.tsx';
import { useText } from '#src/components/text.ts';
import { actorOf, useProfile } from '../profile-of.ts';
import { PageLink } from '../shell/page-link.tsx';
import { usePages } from '../shell/page-reports.ts';
import { TransferDialog } from './transfer-dialog.tsx';

/** A card that is in the project already: as what and whose, as far as that may be told. Where it may be, it can be moved to whom it is meant for (`to`, if that is known). */
export function KnownCard({ card: { type, value, known }, to }: { card: PresentedCard; to: string | null }) {
  const { t } = useText();
  const profile = useProfile();
  const pages = usePages();
  const [moving, setMoving] = useState(false);
  const format = profile.profile.identifier_format;
  const what = { type: t(`areas.identifiers.options.type.${type}`), number: shownNumber(value, format) };
  if (!known) return null;
  const { identifier, owner } = known;
  const actor = actorOf(profile);
  const mayMove = identifier !== null && owner !== null && hasPermission(actor, 'can_edit_identifiers') && hasPermission(actor, 'can_edit_all_users');
  return (
    <div className="notice notice-warn" role="alert">
      <i className="pi pi-id-card" aria-hidden="true" />
      <div>
        <strong>{t(owner ? 'areas.identifiers.enrol.owned' : 'areas.identifiers.enrol.known', { ...what, owner: owner?.name })}</strong>
        <span className="cell-sub choice-note">
          {identifier ? <PageLink to={`/identifiers/${identifier.id}`}>{identifier.name}</PageLink> : t('areas.identifiers.enrol.unseen')}
        </span>
        {mayMove && (
          <Button
            tone="plain"
            small
            icon="pi-arrow-right-arrow-left"
            label={t('areas.identifiers.transfer.offer', { name: owner.name })}
            onClick={() => setMoving(true)}
          />
        )}
        {moving && identifier && owner && (
          <TransferDialog
            identifier={identifier}
            owner={owner}
            to={to === owner.id ? null : to}
            onDone={() => pages.open(`/identifiers/${identifier.id}`)}
            onClose={() => setMoving(false)}
          />
        )}
      </div>
    </div>
  );
}

import { Suspense, useState } from 'react';
import { lazyPart } from '#src/components/lazy-part.ts';
import type { GuestIdentifier, VisitState } from '#models/guest-access.ts';
import { Button } from '#src/components/button.tsx';
import { useText } from '#src/components/text.ts';
import type { CellProps } from '#src/views/area/resource.ts';
import { LimitsCell } from '../identifiers/cells.tsx';
import './guests.css';

const ShareDialog = lazyPart(() => import('./share-dialog.tsx'));

/** Who comes, and for what. */
export function GuestCell({ row }: CellProps<string, GuestIdentifier>) {
  const { t } = useText();
  return (
    <>
      {row.name}
      {row.guestType && <span className="cell-sub">{t(`areas.guest-identifiers.options.guestType.${row.guestType}`)}</span>}
    </>
  );
}

const visits: Record<VisitState, string> = { expected: 'tag-info', arrived: 'tag-good', over: '', no_show: 'tag-warn' };

/** What became of the visit. */
export function VisitCell({ value }: CellProps<VisitState>) {
  const { t } = useText();
  return <span className={`tag ${visits[value]}`}>{t(`areas.guest-identifiers.options.visit.${value}`)}</span>;
}

/** Until when and how often. */
export const GuestLimitsCell = ({ row, value }: CellProps<unknown, GuestIdentifier>) => (
  <LimitsCell
    value={value}
    row={{
      period_restrict_active: row.restrictPeriod,
      period_restrict_from: row.validatePeriod.from,
      period_restrict_to: row.validatePeriod.to,
      passes_restrict_active: row.restrictPassCount,
      passes_max_count: row.passLimit,
      passes_count: row.passes_count,
    }}
  />
);

/** Passes the key on, at one touch. */
export function ShareCell({ row }: CellProps<string | null, GuestIdentifier>) {
  const { t } = useText();
  const [isOpen, setOpen] = useState(false);
  const label = t('areas.guest-identifiers.share.open');
  if (!row.url || row.state === 'revoked' || row.state === 'expired') return null;
  return (
    <>
      <Button
        tone="plain"
        small
        icon="pi-share-alt"
        label={label}
        title={label}
        className="share-button"
        onClick={(event) => {
          event.stopPropagation();
          setOpen(true);
        }}
      />
      {isOpen && (
        <Suspense>
          <ShareDialog row={row} close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

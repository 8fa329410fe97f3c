import { useContext } from 'react';
import { isGenerated, shownValue } from '#models/identifier-value.ts';
import type { Identifier, IdentifierState } from '#models/identifiers.ts';
import { useText } from '#src/components/text.ts';
import { ClockworkContext, exactTime, When } from '#src/components/when.tsx';
import { NoValue } from '#src/views/area/cell.tsx';
import type { CellProps } from '#src/views/area/resource.ts';
import { useProfile } from '#src/views/profile-of.ts';
import '#src/views/devices/devices.css';
import { identifierIcons } from './type-icon.ts';
import './identifiers.css';

/** What it is called, with the sign of its type. */
export function NameCell({ row }: CellProps<string, Pick<Identifier, 'name' | 'type' | 'description'>>) {
  const { t } = useText();
  const type = t(`areas.identifiers.options.type.${row.type}`);
  return (
    <span className="device-name">
      <i className={`pi ${identifierIcons[row.type]}`} aria-hidden="true" title={type} />
      <span>
        {row.name}
        <span className="cell-sub">{type}</span>
      </span>
    </span>
  );
}

/** What is presented at the reader, in the person's own notation; keys that only machines read are no use to a person. */
export function ValueCell({ row }: CellProps<string, Pick<Identifier, 'type' | 'value'>>) {
  const format = useProfile().profile.identifier_format;
  if (isGenerated(row.type)) return <NoValue />;
  return <span className="identifier-value">{shownValue(row.type, row.value, format)}</span>;
}

const tones: Readonly<Record<IdentifierState, string>> = {
  active: 'tag tag-good',
  not_yet_valid: 'tag tag-info',
  needs_photo: 'tag tag-warn',
  expired: 'tag',
  passes_used: 'tag',
  inactive: 'tag',
  lost: 'tag tag-bad',
  revoked: 'tag tag-bad',
};

/** Whether it opens, and if not, why. */
export function StateMark({ state }: { state: IdentifierState }) {
  const { t } = useText();
  return <span className={tones[state]}>{t(`areas.identifiers.options.state.${state}`)}</span>;
}
export const StateCell = ({ value }: CellProps<IdentifierState>) => <StateMark state={value} />;

/** Whose it is, or which guest has it. */
export function OwnerCell({ row }: CellProps<Identifier['owner'], Pick<Identifier, 'owner' | 'owner_type' | 'guest_type' | 'domain'>>) {
  const { t } = useText();
  const name = row.owner?.name ?? row.domain?.name;
  const guest = row.owner_type === 'guest' && row.guest_type ? t(`areas.identifiers.options.guest_type.${row.guest_type}`) : null;
  if (!name && !guest) return <NoValue />;
  return (
    <span className="cell-line" title={name}>
      {name ?? guest}
      {name && guest && <span className="cell-sub">{guest}</span>}
    </span>
  );
}

type Limited = Pick<
  Identifier,
  'period_restrict_active' | 'period_restrict_from' | 'period_restrict_to' | 'passes_restrict_active' | 'passes_max_count' | 'passes_count'
>;

/** Until when and how often it still opens. */
export function LimitsCell({ row }: CellProps<unknown, Limited>) {
  const { t } = useText();
  const clockwork = useContext(ClockworkContext);
  const { period_restrict_active: isPeriod, period_restrict_from: from, period_restrict_to: to } = row;
  if (!isPeriod && !row.passes_restrict_active) return <span className="cell-none">{t('areas.identifiers.limits.none')}</span>;
  const clock = (moment: string): string => exactTime(Date.parse(moment), clockwork, 'HH:mm');
  return (
    <span className="cell-line" title={isPeriod && from && to ? `${clock(from)} – ${clock(to)}` : undefined}>
      {isPeriod && to && <time dateTime={to}>{t('areas.identifiers.limits.until', { time: clock(to) })}</time>}
      {row.passes_restrict_active && (
        <span className={isPeriod ? 'cell-sub' : undefined}>
          {t('areas.identifiers.limits.passes', { used: row.passes_count, count: row.passes_max_count ?? 0 })}
        </span>
      )}
    </span>
  );
}

/** When it was used last, or that it never was. */
export function UsedCell({ value }: CellProps<string | null>) {
  const { t } = useText();
  return value ? <When at={value} /> : <span className="cell-none">{t('areas.identifiers.never_used')}</span>;
}

import type { AccessRule } from '#models/access-rules.ts';
import { Label } from '#src/components/chips.tsx';
import { groupText } from '#src/components/group-text.ts';
import { useSharedText } from '#src/components/shared-text.ts';
import type { CellProps } from '#src/views/area/resource.ts';

const mostShown = 3;

/** Whom a rule is about: its groups by name, its people and identifiers by number. */
export function WhoCell({ row }: CellProps<unknown, AccessRule>) {
  const { t } = useSharedText();
  const { domains, users_count: people, identifiers_count: identifiers } = row;
  const parts = [
    ...domains.slice(0, mostShown).map(groupText),
    ...(domains.length > mostShown ? [t('areas.access-rules.more_groups', { count: domains.length - mostShown })] : []),
    ...(people > 0 ? [t('areas.access-rules.people', { count: people })] : []),
    ...(identifiers > 0 ? [t('areas.access-rules.identifiers', { count: identifiers })] : []),
  ];
  return <>{parts.join(', ') || <span className="tag tag-warn">{t('areas.access-rules.nobody')}</span>}</>;
}

/** The schedules of a rule; without any it always holds. */
export function SchedulesCell({ value }: CellProps<AccessRule['time_rules'], AccessRule>) {
  const { t } = useSharedText();
  return <>{value.map(({ name }) => name).join(', ') || <span className="quiet">{t('areas.access-rules.always')}</span>}</>;
}

/** Whether a rule opens or bars. */
export function EffectCell({ value }: CellProps<boolean, AccessRule>) {
  const { t } = useSharedText();
  return <span className={value ? 'tag tag-bad' : 'tag tag-ok'}>{t(value ? 'areas.access-rules.bars' : 'areas.access-rules.opens')}</span>;
}

/** The doors of a rule by name. */
export function DevicesCell({ value }: CellProps<AccessRule['devices'], AccessRule>) {
  return (
    <span className="chips">
      {value.slice(0, mostShown).map(({ id, name }) => (
        <Label key={id} name={name} />
      ))}
      {value.length > mostShown && <span className="quiet">+{value.length - mostShown}</span>}
    </span>
  );
}

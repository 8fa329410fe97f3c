import type { AccessRule } from '#models/access-rules.ts';
import { groupText } from '#src/components/group-text.ts';
import { useText } from '#src/components/text.ts';
import type { CellProps } from '#src/views/area/resource.ts';

const mostShown = 3;
const shortened = (names: readonly string[]): string =>
  [names.slice(0, mostShown).join(', '), ...(names.length > mostShown ? [`+${names.length - mostShown}`] : [])].join(' ');

/** The groups of a rule; one without groups, people and identifiers is about nobody yet. */
export function GroupsCell({ row }: CellProps<unknown, AccessRule>) {
  const { t } = useText();
  const { domains, users_count: people, identifiers_count: identifiers } = row;
  if (domains.length + people + identifiers === 0) return <span className="tag tag-warn">{t('areas.access-rules.nobody')}</span>;
  return <>{shortened(domains.map(groupText))}</>;
}

/** The schedules of a rule; without any it always holds. */
export function SchedulesCell({ value }: CellProps<AccessRule['time_rules'], AccessRule>) {
  const { t } = useText();
  return <>{value.map(({ name }) => name).join(', ') || <span className="quiet">{t('areas.access-rules.always')}</span>}</>;
}

/** Whether a rule opens or bars. */
export function EffectCell({ value }: CellProps<boolean, AccessRule>) {
  const { t } = useText();
  return <span className={value ? 'tag tag-bad' : 'tag tag-good'}>{t(value ? 'areas.access-rules.bars' : 'areas.access-rules.opens')}</span>;
}

/** The first doors of a rule by name. */
export function DevicesCell({ value }: CellProps<AccessRule['devices'], AccessRule>) {
  return <>{shortened(value.map(({ name }) => name))}</>;
}

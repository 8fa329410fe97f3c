import { isActivated, type User } from '#models/users.ts';
import { Label } from '#src/components/chips.tsx';
import { groupText, wholeGroupText } from '#src/components/group-text.ts';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';
import { NoValue } from '#src/views/area/cell.tsx';
import type { CellProps } from '#src/views/area/resource.ts';

/** The person's name, and under it the address to write to. */
export function PersonCell({ row }: CellProps<string, User>) {
  const { t } = useText();
  return (
    <>
      {row.name}
      <span className="cell-sub">{row.email ?? t('areas.users.no_email')}</span>
    </>
  );
}

/** Where the person belongs: the first group with the houses above it, and how many more there are. */
export function GroupsCell({ value }: CellProps<User['domains'], User>) {
  const { t } = useText();
  const [first, ...others] = value;
  if (!first) return <NoValue />;
  return (
    <span className="cell-line" title={value.map(wholeGroupText).join('\n')}>
      {groupText(first)}
      {others.length > 0 && ` ${t('list.and_more', { count: others.length })}`}
    </span>
  );
}

/** The coloured labels on a person. */
export function MarkersCell({ value }: CellProps<User['markers'], User>) {
  const { t } = useText();
  if (value.length === 0) return <NoValue />;
  return (
    <span className="cell-labels" title={value.map(({ name }) => name).join(', ')}>
      {value.slice(0, 2).map(({ id, name, color }) => (
        <Label key={id} name={name} color={color} />
      ))}
      {value.length > 2 && <span className="label-tag">{t('list.and_more', { count: value.length - 2 })}</span>}
    </span>
  );
}

/** Whether the person has completed the registration, in words first. */
export function ActivationMark({ user }: { user: Pick<User, 'activated_at'> }) {
  const { t } = useText();
  const done = isActivated(user);
  return <span className={done ? 'tag tag-good' : 'tag'}>{t(`areas.users.states.${done ? 'activated' : 'not_activated'}`)}</span>;
}

/** The mark of completed registration, in a list. */
export const ActivationCell = ({ row }: CellProps<number, User>) => <ActivationMark user={row} />;

/** When the person was last here, or that they never were. */
export function SeenCell({ value }: CellProps<User['last_seen_at'], User>) {
  const { t } = useText();
  return value ? <When at={value} /> : <span className="cell-none">{t('areas.users.never_seen')}</span>;
}

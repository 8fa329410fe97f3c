import type { Elevator } from '#models/elevators.ts';
import { useText } from '#src/components/text.ts';
import { NoValue } from '#src/views/area/cell.tsx';
import type { CellProps } from '#src/views/area/resource.ts';

/** The devices that control an elevator. */
export function ControllersCell({ value }: CellProps<Elevator['controllers'], Elevator>) {
  if (value.length === 0) return <NoValue />;
  return <>{value.map(({ device }) => device.name).join(', ')}</>;
}

/** How many floors there are, and from which to which. */
export function FloorsCell({ row: { floors } }: CellProps<number, Elevator>) {
  const { t } = useText();
  const [first, last] = [floors[0]?.name, floors.at(-1)?.name];
  return (
    <span className="cell-line">
      {t('areas.elevators.floors_of', { count: floors.length })}
      {floors.length > 1 && <span className="cell-sub">{t('areas.elevators.from_to', { first, last })}</span>}
    </span>
  );
}

/** Whether floors are freed by identifiers. */
export function AccessCell({ value }: CellProps<boolean, Elevator>) {
  const { t } = useText();
  return <span className={value ? 'tag tag-good' : 'tag'}>{t(value ? 'areas.elevators.by_identifier' : 'areas.elevators.open')}</span>;
}

import type { ElevatorAccessRule } from '#models/elevator-access-rules.ts';
import { elevatorText } from '#src/views/elevators/elevator-text.ts';
import { useText } from '#src/components/text.ts';
import { NoValue } from '#src/views/area/cell.tsx';
import type { CellProps } from '#src/views/area/resource.ts';

const mostShown = 2;

/** The first elevators of a rule, each with how many floors it opens there. */
export function OpenedCell({ value }: CellProps<ElevatorAccessRule['elevators'], ElevatorAccessRule>) {
  const { t } = useText();
  if (value.length === 0) return <NoValue />;
  const named = value
    .slice(0, mostShown)
    .map(({ elevator, floors }) => t('areas.elevator-access-rules.opened', { name: elevatorText(elevator), count: floors.length }));
  return <>{[named.join(', '), ...(value.length > mostShown ? [`+${value.length - mostShown}`] : [])].join(' ')}</>;
}

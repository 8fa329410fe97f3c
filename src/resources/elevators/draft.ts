import type { ControllerMode } from '#models/elevators.ts';
import type { Chosen } from '#src/components/fields/field-props.ts';

/** A controller as the form edits it. */
export interface ControllerLine {
  device: Chosen;
  mode: ControllerMode;
}
/** A controller as the sheet hands it back: with the mode it had. */
type Picked = Chosen & { mode?: ControllerMode };

export const asPicked = ({ device, mode }: ControllerLine): Picked => ({ ...device, mode });
const asController = (entry: ControllerLine | Picked): ControllerLine =>
  'device' in entry ? entry : { device: { id: entry.id, name: entry.name }, mode: entry.mode ?? 'access' };

/** The controllers of a draft, whether they were there before or have just come from the sheet. */
export function controllersIn(value: unknown): { lines: ControllerLine[]; isFresh: boolean } {
  const given = Array.isArray(value) ? (value as (ControllerLine | Picked)[]) : [];
  return { lines: given.map(asController), isFresh: given.some((entry) => !('device' in entry)) };
}

/** A floor as the form edits it: the number is text while it is typed. */
export interface FloorLine {
  number: string | number;
  name: string;
  group: Chosen | null;
}
export const floorsIn = (value: unknown): FloorLine[] => (Array.isArray(value) ? (value as FloorLine[]) : []);

/** One more floor above the others, at the next relay. */
export function nextFloor(floors: readonly FloorLine[]): FloorLine {
  const relays = floors.map(({ number }) => Number(number)).filter(Number.isInteger);
  const names = floors.map(({ name }) => Number(name)).filter(Number.isInteger);
  return { number: Math.max(0, ...relays) + 1, name: String(names.length > 0 ? Math.max(...names) + 1 : floors.length + 1), group: null };
}

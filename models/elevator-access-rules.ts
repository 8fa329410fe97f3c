import { z } from 'zod';
import { defineModel, named, type RowOf } from './define-model.ts';
import { name, optionalText, ref, refs, rule } from './rules.ts';

const floorNumber = z.int().min(1).max(64);
/** An elevator with the floors that are opened there, by their relays. */
const opened = z.strictObject({ elevator: ref('elevators'), floors: z.array(floorNumber).max(64) });

/** A line that has just come from the sheet has none yet. */
const hasFloors = ({ floors = [] }: { floors?: readonly unknown[] }): boolean => floors.length > 0;
/** Elevators without floors are ignored; where none has any, they stay, so that it can be said. */
const floorless = <Item extends { floors?: readonly unknown[] }>(list: readonly Item[]): Item[] => {
  const withFloors = list.filter(hasFloors);
  return withFloors.length > 0 ? withFloors : [...list];
};
type Opened = z.infer<typeof opened>;
/** Every elevator once, its floors once each and in order. */
function gathered(list: readonly Opened[]): Opened[] {
  const floors = new Map<string, Set<number>>();
  for (const item of list) floors.set(item.elevator, new Set([...(floors.get(item.elevator) ?? []), ...item.floors]));
  return [...floors].map(([elevator, numbers]) => ({ elevator, floors: [...numbers].toSorted((one, other) => one - other) }));
}

/** Which people may go to which floors of which elevators. */
export const elevatorAccessRules = defineModel({
  name: 'elevator-access-rules',
  fields: {
    name: name(),
    description: optionalText(),
    users: refs('users', 1, 'elevator_rule_needs_user'),
    elevators: z
      .array(opened)
      .max(500)
      .transform((list) => floorless(gathered(list)))
      .refine((list) => list.length > 0, rule('elevator_rule_needs_elevator'))
      .refine((list) => list.length === 0 || list.some(hasFloors), rule('elevator_rule_needs_floor'))
      .meta({ kind: 'opened-floors', ref: 'elevators' }),
  },
  shown: {
    /** In a list only when asked for. */
    users: z.array(named),
    users_count: z.int(),
    /** Elevators of two houses have the same name: with the name of the group they stand in, if that is in sight. */
    elevators: z.array(opened.extend({ elevator: z.strictObject({ ...named.shape, domain: z.string().nullable() }) })),
    created_by: z.uuid().nullable(),
  },
  initial: { name: '', description: '', users: [], elevators: [] },
  filters: { name: 'text', description: 'text', users: 'refs', elevators: 'refs', created_at: 'time' },
  sorts: ['name', 'created_at', 'updated_at'],
  relations: ['users'],
  encode: (wire) => (Array.isArray(wire['elevators']) ? { ...wire, elevators: floorless(wire['elevators'] as { floors?: number[] }[]) } : wire),
  feature: 'elevator',
});
export type ElevatorAccessRule = RowOf<typeof elevatorAccessRules>;

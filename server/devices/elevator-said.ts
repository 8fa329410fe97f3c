import { and, eq } from 'drizzle-orm';
import { z } from 'zod';
import { elevatorEventTypes } from '#models/elevator-events.ts';
import type { DeviceEventType } from '#models/device-events.ts';
import type { Db } from '../db/database.ts';
import { elevatorAccessRules, elevatorControllers, elevators } from '../db/schema/index.ts';
import type { Said, Reporter } from './said.ts';

const reported = z.object({ floor: z.int().nullish(), floors: z.array(z.int()).nullish(), rule_id: z.uuid().nullish() });

/** Whether a controller's event is about its elevator. */
export const isOfElevator = (type: DeviceEventType): boolean => (elevatorEventTypes as readonly DeviceEventType[]).includes(type);

/** What an event of a controller says of its elevator, by the names of now: the log says so when they are long gone. Nothing for other devices. */
export async function elevatorThen(db: Db, { id, projectId }: Reporter, { event, data }: Said): Promise<Record<string, unknown>> {
  if (!isOfElevator(event)) return {};
  const [found] = await db
    .select({ id: elevators.id, name: elevators.name, floors: elevators.floors })
    .from(elevatorControllers)
    .innerJoin(elevators, eq(elevators.id, elevatorControllers.elevatorId))
    .where(eq(elevatorControllers.deviceId, id));
  if (!found) return {};
  const { floor, floors, rule_id: ruleId } = reported.safeParse(data ?? {}).data ?? {};
  const numbers = floors ?? (typeof floor === 'number' ? [floor] : []);
  const names = numbers.map((number) => found.floors.find((one) => one.number === number)?.name ?? String(number));
  const [rule] = ruleId
    ? await db
        .select({ name: elevatorAccessRules.name })
        .from(elevatorAccessRules)
        .where(and(eq(elevatorAccessRules.id, ruleId), eq(elevatorAccessRules.projectId, projectId)))
    : [];
  return {
    elevator: { id: found.id, name: found.name },
    ...(names.length > 0 && { floor_name: names.join(', ') }),
    ...(rule && { elevator_rule: rule.name }),
  };
}

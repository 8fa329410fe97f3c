import { and, eq, sql } from 'drizzle-orm';
import type { CallDirection, ElevatorCalled } from '#models/elevator-calls.ts';
import type { ControllerMode, Elevator } from '#models/elevators.ts';
import { audit } from '#server/audit.ts';
import type { Principal, Services } from '#server/context.ts';
import { deviceTasks, elevatorControllers, devices, users } from '#server/db/schema/index.ts';
import { queueTask } from '#server/devices/queue.ts';
import { requireReachable, moveTasks, outcomeOf } from '#server/devices/tasks.ts';
import { HttpError, invalidField } from '#server/http-error.ts';

/** So long somebody waits for the controller's own word, ms. */
const confirmation = 5_000;

interface Wanted {
  floor: number | null;
  apartment: string | null;
  direction: CallDirection;
}
interface Controller {
  id: string;
  name: string;
  mode: ControllerMode;
}

/** Somebody who may use no elevators calls none. @throws HttpError `forbidden` */
async function requireNotBarred({ db }: Services, { id }: Principal): Promise<void> {
  const [person] = await db.select({ isBarred: users.elevatorAccessDisabled }).from(users).where(eq(users.id, id));
  if (person?.isBarred) throw new HttpError('forbidden', { issues: [{ path: ['floor'], rule: 'elevator_access_disabled', params: {} }] });
}

/** The floor on which a flat lies: by the group that lies there. @throws HttpError */
async function floorOf({ db }: Services, elevatorId: string, apartment: string): Promise<number> {
  const { rows } = await db.execute<{ number: number }>(sql`
    select (floor ->> 'number')::int as number from elevators, jsonb_array_elements(floors) floor join groups flat on flat.path @> array[(floor ->> 'group')::uuid]
    where elevators.id = ${elevatorId} and (lower(flat.logic_address) = lower(${apartment}) or lower(flat.name) = lower(${apartment}))
    order by cardinality(flat.path) desc limit 1`);
  const [found] = rows;
  if (!found) throw invalidField(['apartment'], 'elevator_apartment_unknown');
  return found.number;
}

const fits: Readonly<Record<CallDirection, readonly ControllerMode[]>> = { up: ['up', 'up_and_down'], down: ['down', 'up_and_down'] };

/** Who calls the car: a controller for that direction; where there is none, the one that controls the floors. */
async function controllerFor({ db }: Services, elevatorId: string, direction: CallDirection): Promise<Controller> {
  const all = await db
    .select({ id: devices.id, name: devices.name, mode: elevatorControllers.mode })
    .from(elevatorControllers)
    .innerJoin(devices, eq(devices.id, elevatorControllers.deviceId))
    .where(eq(elevatorControllers.elevatorId, elevatorId))
    .orderBy(devices.name);
  const chosen = all.find(({ mode }) => fits[direction].includes(mode)) ?? all.find(({ mode }) => mode === 'access');
  if (!chosen) throw invalidField(['direction'], 'elevator_direction_unknown');
  return chosen;
}

/**
 * Calls the car of an elevator. `confirmed` only when the controller itself said so within 5 s; what was not sent by then is not sent any more.
 * @throws HttpError `forbidden`, `invalid_data`, `device_offline`, `device_protocol_none`, `device_unavailable`
 */
export async function callElevator(services: Services, principal: Principal, elevator: Elevator, wanted: Wanted): Promise<ElevatorCalled> {
  const { db, now } = services;
  await requireNotBarred(services, principal);
  if (wanted.floor === null && !wanted.apartment) throw invalidField(['floor'], 'required');
  const number = wanted.floor ?? (await floorOf(services, elevator.id, wanted.apartment ?? ''));
  const floor = elevator.floors.find((one) => one.number === number);
  if (!floor) throw invalidField(['floor'], 'elevator_floor_unknown');
  const controller = await controllerFor(services, elevator.id, wanted.direction);
  const payload = { floor: number, direction: wanted.direction, apartment: wanted.apartment };
  const id = await db.transaction(async (tx) => {
    const device = await requireReachable(tx, controller.id);
    const changes = { floor: { before: null, after: floor.name }, direction: { before: null, after: wanted.direction } };
    await audit(tx, principal, { area: 'elevators', action: 'call_elevator', entityId: elevator.id, entityName: elevator.name, changes }, now());
    return queueTask(tx, { projectId: device.projectId, deviceId: device.id, kind: 'call_elevator', payload, createdBy: principal.id });
  });
  const task = await outcomeOf(services, id, confirmation);
  if (task?.status === 'error') throw new HttpError('device_unavailable', task.error ? { reason: task.error } : undefined);
  const answer = { floor: floor.name, direction: wanted.direction };
  if (task?.status === 'completed') return { ...answer, outcome: 'confirmed' };
  await db.transaction((tx) => moveTasks(tx, and(eq(deviceTasks.id, id)), 'task.stop', { finishedAt: now() }, now()));
  return { ...answer, outcome: 'unconfirmed' };
}

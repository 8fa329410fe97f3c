import { and, eq, isNull } from 'drizzle-orm';
import { lengthOf } from '#models/time.ts';
import type { Db } from '../database.ts';
import { deviceEvents, identifiers } from '../schema/index.ts';
import { demoId, dice } from './chance.ts';
import { insertRows } from './insert-rows.ts';

/** An elevator of the demo, with who lives on which floor. */
export interface DemoElevator {
  id: string;
  name: string;
  device: { id: string; name: string };
  floors: readonly { number: number; name: string; rule: string; people: readonly { id: string; name: string }[] }[];
}
type Event = typeof deviceEvents.$inferInsert;

const [days, perDay] = [30, 9];

/** The cards that open, by whose they are. */
async function cardsOf(db: Db, projectId: string): Promise<Map<string, { id: string; value: string }>> {
  const cards = await db
    .select({ id: identifiers.id, userId: identifiers.userId, value: identifiers.value })
    .from(identifiers)
    .where(and(eq(identifiers.projectId, projectId), eq(identifiers.type, 'card'), isNull(identifiers.lostAt), isNull(identifiers.revokedAt)));
  return new Map(cards.flatMap(({ id, userId, value }) => (userId ? [[userId, { id, value }] as const] : [])));
}

/** What happens in the elevators of one project, written down as it happens. */
class Rides {
  readonly events: Event[] = [];
  readonly #projectId: string;
  readonly #at: Date;
  readonly #cards: ReadonlyMap<string, { id: string; value: string }>;
  readonly #dice = dice(31);

  constructor(projectId: string, at: Date, cards: ReadonlyMap<string, { id: string; value: string }>) {
    this.#projectId = projectId;
    this.#at = at;
    this.#cards = cards;
  }

  /** Somebody goes home, some time on that day. */
  happen(elevator: DemoElevator, day: number): void {
    const { below, pick, chance } = this.#dice;
    const time = day + below(lengthOf(1, 'day'));
    const home = pick(elevator.floors.filter(({ people }) => people.length > 0));
    const person = pick(home.people);
    const card = this.#cards.get(person.id);
    const called = { floor: home.number, floor_name: home.name };
    if (!card || chance(0.2)) this.#add(elevator, time, 'elevator_called', { ...called, direction: chance(0.5) ? 'up' : 'down' });
    else {
      const who = {
        userId: person.id,
        userName: person.name,
        identifierId: card.id,
        identifierType: 'card',
        identifierMask: card.value.slice(-4),
      } as const;
      if (chance(0.06)) return this.#add(elevator, time, 'access_denied', {}, { ...who, reason: 'no_rule', priority: 'medium' });
      this.#add(elevator, time, 'access_granted', { floors: [home.number], floor_name: home.name, elevator_rule: home.rule }, who);
    }
    this.#add(elevator, time + 20_000, 'elevator_arrived', called);
  }

  #add({ id, name, device }: DemoElevator, time: number, type: Event['type'], data: object, more: Partial<Event> = {}): void {
    if (time >= this.#at.getTime()) return;
    this.events.push({
      id: demoId(`${this.#projectId} elevator event ${this.events.length}`),
      projectId: this.#projectId,
      deviceId: device.id,
      deviceName: device.name,
      type,
      priority: 'low',
      userId: null,
      userName: null,
      identifierId: null,
      identifierType: null,
      identifierMask: null,
      reason: null,
      data: { elevator: { id, name }, ...data },
      occurredAt: new Date(time),
      createdAt: new Date(time),
      ...more,
    });
  }
}

/** A month in the elevators of a project: people free their floors with a card and arrive, one now and then is refused, cars are called. */
export async function seedElevatorEvents(
  db: Db,
  { projectId, at, elevators }: { projectId: string; at: Date; elevators: readonly DemoElevator[] },
): Promise<void> {
  const rides = new Rides(projectId, at, await cardsOf(db, projectId));
  for (const elevator of elevators.filter(({ floors }) => floors.some(({ people }) => people.length > 0)))
    for (let back = days; back >= 0; back -= 1)
      for (let count = 0; count < perDay; count += 1) rides.happen(elevator, at.getTime() - back * lengthOf(1, 'day'));
  await insertRows(db, deviceEvents, rides.events);
}

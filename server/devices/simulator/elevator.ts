import { createActor } from 'xstate';
import { z } from 'zod';
import { elevatorCarMachine, type ElevatorCarActor } from '#machines/lifecycles/elevator-car.machine.ts';
import type { SimulatedElevator } from '#models/simulator.ts';
import { lengthOf } from '#models/time.ts';
import type { Clock } from '#server/timers.ts';

const floorOf = z.object({ relay: z.number(), floor: z.number(), logic_address: z.string(), is_public: z.boolean() });
/** What the controller was sent of its elevator. */
const settingsOf = z.object({
  lift_controller: z.object({ enabled: z.boolean(), settings: z.object({ lift_release_time: z.number(), floor_map: z.array(floorOf) }) }),
});
/** From floor to floor, and how long the doors stand open; ms. */
const [travel, doors] = [1_500, 4_000];

/** The elevator behind a simulated controller: a car that takes its time, doors that open, floors that are free for a while. */
export class Elevator {
  #map: readonly z.infer<typeof floorOf>[] = [];
  #text = '';
  #actor: ElevatorCarActor | undefined;
  readonly #arrived: (floor: number) => void;
  readonly #clock: Clock;

  /** `arrived`: the car stands open at a floor. */
  constructor(arrived: (floor: number) => void, clock: Clock) {
    this.#arrived = arrived;
    this.#clock = clock;
  }

  /** Takes settings; another shaft is another elevator, whose car stands below. */
  take(settings: unknown): void {
    const read = settingsOf.safeParse(settings);
    const { enabled, settings: own } = read.success ? read.data.lift_controller : { enabled: false, settings: undefined };
    const text = JSON.stringify(own ?? null);
    if (text === this.#text) return;
    this.#text = text;
    this.#actor?.stop();
    this.#actor = undefined;
    this.#map = (own?.floor_map ?? []).toSorted((one, other) => one.floor - other.floor);
    if (!enabled || !own || this.#map.length === 0) return;
    const open = this.#map.filter(({ is_public }) => is_public).map(({ relay }) => relay);
    const release = lengthOf(Math.max(1, own.lift_release_time), 'second');
    const input = { shaft: this.#map.map(({ relay }) => relay), open, travel, doors, release };
    this.#actor = createActor(elevatorCarMachine, { input, clock: this.#clock as never });
    this.#actor.on('car.arrived', ({ floor }) => this.#arrived(floor));
    this.#actor.start();
  }

  /** The floors it has, by their relays. */
  get floors(): readonly number[] {
    return this.#map.map(({ relay }) => relay);
  }
  /** Lets these floors be chosen for a while. */
  free(floors: readonly number[]): void {
    this.#actor?.send({ type: 'floors.free', floors });
  }
  /** Wants the car at a floor. @returns whether there is such a floor */
  call(floor: number): boolean {
    if (!this.#actor || !this.floors.includes(floor)) return false;
    this.#actor.send({ type: 'car.call', floor });
    return true;
  }
  /** Presses a floor inside; one that is not free stays dark. */
  choose(floor: number): void {
    this.#actor?.send({ type: 'floor.choose', floor });
  }
  close(): void {
    this.#actor?.stop();
  }

  /** How it stands; null for a controller that controls none. */
  get shown(): SimulatedElevator | null {
    const snapshot = this.#actor?.getSnapshot();
    if (!snapshot) return null;
    const { at, stops, freed, open } = snapshot.context;
    return {
      at,
      stops: [...stops],
      state: snapshot.hasTag('moving') ? 'moving' : snapshot.hasTag('open') ? 'open' : 'standing',
      floors: this.#map.map(({ relay, logic_address }) => ({
        number: relay,
        name: logic_address,
        is_public: open.includes(relay),
        is_free: freed.includes(relay),
      })),
    };
  }
}

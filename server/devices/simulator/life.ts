import { hasDoor } from '#models/device-models.ts';
import { readableAt, type SimulatedDevice } from '#models/simulator.ts';
import { hourHere } from '#models/time.ts';
import type { Services } from '#server/context.ts';
import { projects } from '#server/db/schema/index.ts';
import { carriedAt } from './carried.ts';
import type { SimulatorPort } from '#server/ports.ts';

/** The pause before somebody passes, ms: from 20 s when people leave or come home to a minute at night. */
export function pauseBefore(hour: number, chance: number): number {
  const [shortest, longest] = hour >= 17 && hour < 22 ? [20, 35] : hour >= 7 && hour < 10 ? [20, 45] : hour < 6 ? [45, 60] : [30, 60];
  return Math.round((shortest + (longest - shortest) * chance) * 1_000);
}

/** Main doors and gates see more of people than the rest. */
const doors = ({ online, door_open: open, ...device }: SimulatedDevice): SimulatedDevice[] => {
  if (!online || open || !hasDoor(device) || readableAt(device).length === 0) return [];
  const times = /lobby|gate|entrance|parking/i.test(device.name) ? 6 : 1;
  return Array.from({ length: times }, () => ({ ...device, online, door_open: open }));
};

/** The people of the demo: they come and go by themselves, now and then somebody with something that opens nothing. */
export class Life {
  readonly #services: Services;
  readonly #simulator: SimulatorPort;

  constructor(services: Services, simulator: SimulatorPort) {
    this.#services = services;
    this.#simulator = simulator;
  }

  /** Begins; it ends with the simulator. */
  begin(): void {
    const pause = pauseBefore(hourHere(this.#services.now()), this.#services.random());
    setTimeout(() => void this.#goOn(), pause).unref();
  }

  async #goOn(): Promise<void> {
    if (this.#simulator.isClosed) return;
    await this.passOnce().catch((error: unknown) => this.#services.log.debug({ err: error }, 'somebody of the demo could not pass'));
    this.begin();
  }

  /** Somebody passes a door of one of the projects. @returns false where the project chosen has no door that is closed and connected */
  async passOnce(): Promise<boolean> {
    const { random } = this.#services;
    const pick = <T>(all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)];
    const project = pick(await this.#services.db.select({ id: projects.id }).from(projects));
    const device = project && pick((await this.#simulator.shown(project.id)).flatMap(doors));
    if (!project || !device) return false;
    const chance = random();
    const wanted = (await carriedAt(this.#services, project.id, device)).filter(({ state }) => (state === 'good') === chance < 0.85);
    const one = chance < 0.92 ? pick(wanted) : undefined;
    await this.#simulator.act(device.id, one ? { act: 'present', type: one.type, identifier_id: one.id } : { act: 'open_by_hand' });
    return true;
  }
}

import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { LastAct, ScenarioName, ScenarioRun, SimulatedDevice } from '#models/simulator.ts';
import type { Principal, Services } from '#server/context.ts';
import { endSoon, expireLicence, restoreLicence } from '#server/licences/issuer.ts';
import { HttpError } from '#server/http-error.ts';
import { queueTask } from '../queue.ts';
import { carriedAt } from './carried.ts';
import { isPause, type Role, type Scenario, scenarios, type Staged } from './scenarios.ts';
import type { SimulatorPort } from '#server/ports.ts';

/** Who takes part: by part, and everybody. */
interface Cast {
  parts: Readonly<Record<string, SimulatedDevice>>;
  all: readonly SimulatedDevice[];
}
interface Running {
  run: ScenarioRun;
  stop: AbortController;
}

const lookEvery = 50;

export const licenceActs = { expire: expireLicence, end_soon: endSoon, restore: restoreLicence } as const;

const fits = ({ types, named }: Role, device: SimulatedDevice): boolean =>
  types.includes(device.type) && (named === undefined || device.name.toLowerCase().includes(named));

/** Who plays each part: the first by name that fits and answers. @throws HttpError `device_unavailable` when nobody can */
const castFrom = (all: readonly SimulatedDevice[], { cast }: Scenario): Cast => ({
  all,
  parts: Object.fromEntries(
    Object.entries(cast).map(([part, role]) => {
      const device = all.find((one) => one.online && fits(role, one)) ?? all.find(({ type, online }) => role.types.includes(type) && online);
      if (!device) throw new HttpError('device_unavailable');
      return [part, device];
    }),
  ),
});

/** What a step is called: a key below `simulator.steps`. */
function nameOf(step: Staged): string {
  if ('channel' in step) return `channel_${step.channel}`;
  if ('licence' in step) return `licence_${step.licence}`;
  if ('carried' in step) return `carried_${step.carried}`;
  if ('everyone' in step) return `everyone_${step.everyone}`;
  if ('until' in step) return `until_${step.until}`;
  return 'task' in step ? `task_${step.task}` : step.act.act;
}

/** Plays scenarios, one at a time in each project, and tells how far the last one has come. */
export class Player {
  readonly #services: Services;
  readonly #simulator: SimulatorPort;
  readonly #runs = new Map<string, Running>();

  constructor(services: Services, simulator: SimulatorPort) {
    this.#services = services;
    this.#simulator = simulator;
  }

  runOf(projectId: string): ScenarioRun | null {
    return this.#runs.get(projectId)?.run ?? null;
  }

  /**
   * Begins a scenario with these devices; the one before is stopped.
   * @throws HttpError `device_unavailable` when nobody can play a part
   */
  play(principal: Principal, name: ScenarioName, devices: readonly SimulatedDevice[]): void {
    const scenario = scenarios[name];
    const cast = castFrom(devices, scenario);
    this.stop(principal.projectId);
    const total = [...scenario.steps, ...scenario.atLast].filter((step) => !isPause(step)).length;
    const run: ScenarioRun = { id: randomUUID(), name, state: 'running', done: 0, total, lines: [] };
    const stop = new AbortController();
    this.#runs.set(principal.projectId, { run, stop });
    void this.#run(principal, scenario, cast, run, stop.signal);
  }

  stop(projectId: string): void {
    this.#runs.get(projectId)?.stop.abort();
  }

  async #run(principal: Principal, { steps, atLast }: Scenario, cast: Cast, run: ScenarioRun, signal: AbortSignal): Promise<void> {
    const complain = (error: unknown): void => {
      if (signal.aborted) return;
      run.state = 'failed';
      this.#services.log.warn({ err: error, scenario: run.name }, 'a scenario could not be played to its end');
    };
    try {
      for (const step of steps) {
        if (signal.aborted) break;
        if (isPause(step)) await pause(step.wait, undefined, { signal, ref: false });
        else await this.#step(principal, step, cast, run, signal);
      }
    } catch (error) {
      complain(error);
    }
    // What was staged is put right, however the scene ended.
    for (const step of atLast) await this.#step(principal, step, cast, run).catch(complain);
    if (run.state === 'running') run.state = signal.aborted ? 'stopped' : 'done';
  }

  async #step(principal: Principal, step: Staged, cast: Cast, run: ScenarioRun, signal?: AbortSignal): Promise<void> {
    const device = 'at' in step ? cast.parts[step.at] : undefined;
    if ('everyone' in step) await this.#everyone(cast, step.everyone);
    if ('until' in step && device) await this.#answered(device.id, step.within, signal);
    const reason = await this.#do(principal, step, device);
    run.done += 1;
    const at = new Date().toISOString();
    run.lines.push({ step: nameOf(step), device: device ? { id: device.id, name: device.name } : null, reason, at });
  }

  /** All phones at once: those that cannot call stay as they are. */
  async #everyone({ all }: Cast, act: 'call' | 'hang_up'): Promise<void> {
    const phones = all.filter(({ phone, online }) => online && phone !== null);
    await Promise.allSettled(phones.map(({ id }) => this.#simulator.act(id, { act })));
  }
  async #answered(id: string, within: number, signal?: AbortSignal): Promise<void> {
    const end = Date.now() + within;
    while (Date.now() < end && this.#simulator.isCalling(id)) await pause(lookEvery, undefined, { ...(signal && { signal }), ref: false });
  }

  /** Answers why a device said no; null where none did. */
  async #do(principal: Principal, step: Staged, device: SimulatedDevice | undefined): Promise<LastAct['reason']> {
    const { projectId } = principal;
    if ('channel' in step) this.#simulator.stageChannel(projectId, step.channel);
    if ('licence' in step) await licenceActs[step.licence](this.#services, projectId);
    if (!device) return null;
    if ('act' in step) return (await this.#simulator.act(device.id, step.act)).reason;
    if ('task' in step) await queueTask(this.#services.db, { projectId, deviceId: device.id, kind: step.task, createdBy: principal.id });
    if ('carried' in step) return this.#present(projectId, device, step.carried);
    return null;
  }

  async #present(projectId: string, device: SimulatedDevice, wanted: 'good' | 'bad'): Promise<LastAct['reason']> {
    const all = await carriedAt(this.#services, projectId, device);
    const fitting = all.filter(({ state }) => (state === 'good') === (wanted === 'good'));
    const one = fitting[Math.floor(Math.random() * fitting.length)];
    const { reason } = await this.#simulator.act(
      device.id,
      one ? { act: 'present', type: one.type, identifier_id: one.id } : { act: 'present', type: 'card', value: '0000000000' },
    );
    return reason;
  }
}

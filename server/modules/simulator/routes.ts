import { and, eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { calls } from '#models/api.ts';
import { holds } from '#models/permissions.ts';
import type { ScenarioRun, SimulatedDevice, SimulatorState } from '#models/simulator.ts';
import { sightOf, viewable } from '#server/access/scope.ts';
import type { Asker, Services } from '#server/context.ts';
import { devices, projects } from '#server/db/schema/index.ts';
import { carriedAt } from '#server/devices/simulator/carried.ts';
import { licenceActs, Player } from '#server/devices/simulator/player.ts';
import { issueFile, issuerMode, setIssuerMode } from '#server/licences/issuer.ts';
import type { SimulatorPort } from '#server/ports.ts';
import { Refusal } from '#server/refusal.ts';
import { serve } from '#server/serve.ts';
import { runningCalls } from './calls.ts';

/** A run as somebody may see it: devices out of sight are not named. */
const runFor = (run: ScenarioRun | null, seen: ReadonlySet<string>): ScenarioRun | null =>
  run && { ...run, lines: run.lines.map((line) => (line.device && !seen.has(line.device.id) ? { ...line, device: null } : line)) };

/** The stage through somebody's eyes. */
class Stage {
  readonly #services: Services;
  readonly simulator: SimulatorPort;
  readonly player: Player;

  constructor(services: Services, simulator: SimulatorPort) {
    this.#services = services;
    this.simulator = simulator;
    this.player = new Player(services, simulator);
  }

  /** The devices that somebody may see, or the one of them with this id, as they stand on the stage. */
  async devices(asker: Asker, id?: string): Promise<SimulatedDevice[]> {
    const { db } = this.#services;
    const visible = await db
      .select({ id: devices.id })
      .from(devices)
      .where(and(viewable(sightOf(asker), 'devices'), id === undefined ? undefined : eq(devices.id, id)));
    const ids = new Set(visible.map((device) => device.id));
    return (await this.simulator.shown(asker.projectId)).filter((device) => ids.has(device.id));
  }

  /** @throws Refusal `not_found` for a device that is out of sight or that nothing plays */
  async device(asker: Asker, id: string): Promise<SimulatedDevice> {
    const [device] = await this.devices(asker, id);
    if (!device) throw new Refusal('not_found');
    return device;
  }

  async state(asker: Asker): Promise<SimulatorState> {
    const all = await this.devices(asker);
    const seen = new Set(all.map(({ id }) => id));
    return {
      devices: all,
      channel: this.simulator.channelOf(asker.projectId),
      cloud: await issuerMode(this.#services.db),
      run: runFor(this.player.runOf(asker.projectId), seen),
      calls: await runningCalls(this.#services, asker),
    };
  }
}

/** The simulator of the demo. Without the demo it is not there for anybody; nobody stages anything at a device they may not see. */
export function serveSimulator(app: FastifyInstance, services: Services): void {
  const stage = services.simulator && new Stage(services, services.simulator);
  const there = (): Stage => {
    if (!stage) throw new Refusal('not_found');
    return stage;
  };

  serve(app, services, calls.simulator, ({ asker }) => there().state(asker));
  serve(app, services, calls.simulatorCarried, async ({ asker, params }) =>
    carriedAt(services, asker.projectId, await there().device(asker, params.id)),
  );
  serve(app, services, calls.simulatorAct, async ({ asker, params, body }) => {
    const { id } = await there().device(asker, params.id);
    await there().simulator.act(id, body);
    return there().state(asker);
  });
  serve(app, services, calls.simulatorChannel, ({ asker, body }) => {
    there().simulator.stageChannel(asker.projectId, body.state);
    return there().state(asker);
  });
  serveVendorStage(app, services, there);
  serve(app, services, calls.playScenario, async ({ asker, params }) => {
    if (params.name === 'licence-ends' && !holds(asker, 'can_manage_licenses')) throw new Refusal('forbidden');
    there().player.play(asker, params.name, await there().devices(asker));
    return there().state(asker);
  });
  serve(app, services, calls.stopScenario, ({ asker }) => {
    there().player.stop(asker.projectId);
    return there().state(asker);
  });
}

/** The licences of the demo, as their vendor would let them end and issue them. */
function serveVendorStage(app: FastifyInstance, services: Services, there: () => Stage): void {
  serve(app, services, calls.simulatorLicence, async ({ asker, body }) => {
    there();
    await licenceActs[body.act](services, asker.projectId);
  });
  serve(app, services, calls.simulatorCloud, async ({ asker, body }) => {
    const staged = there();
    await setIssuerMode(services.db, body.mode);
    return staged.state(asker);
  });
  serve(app, services, calls.simulatorLicenceFile, async ({ asker, body }) => {
    there();
    const [project] = await services.db.select({ uid: projects.uid }).from(projects).where(eq(projects.id, asker.projectId));
    return issueFile(services, project?.uid ?? '', body.kind);
  });
}

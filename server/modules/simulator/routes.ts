import { and, eq, sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { calls } from '#models/api.ts';
import { hasPermission } from '#models/permissions.ts';
import type { ScenarioRun, SimulatedDevice, SimulatorState } from '#models/simulator.ts';
import { scopeOf, viewable } from '#server/access/scope.ts';
import type { Principal, Services } from '#server/context.ts';
import { namesAlong } from '#server/crud/group-path.ts';
import { devices, groups, projects } from '#server/db/schema/index.ts';
import { carriedAt } from '#server/devices/simulator/carried.ts';
import { licenceActs, Player } from '#server/devices/simulator/player.ts';
import { issueFile, issuerMode, setIssuerMode } from '#server/licences/issuer.ts';
import type { SimulatorPort } from '#server/ports.ts';
import { HttpError } from '#server/http-error.ts';
import { serve } from '#server/serve.ts';
import { runningCalls } from './calls.ts';

/** So many groups tell where a device is, the nearest ones: it is one building, and all its groups have the others in common. */
const nearest = 2;

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
  async devices(principal: Principal, id?: string): Promise<SimulatedDevice[]> {
    const { db } = this.#services;
    const scope = scopeOf(principal);
    const visible = await db
      .select({ id: devices.id, path: sql<string[]>`${namesAlong(scope, groups.path)}` })
      .from(devices)
      .innerJoin(groups, eq(groups.id, devices.domainId))
      .where(and(viewable(scope, 'devices'), id === undefined ? undefined : eq(devices.id, id)));
    const places = new Map(visible.map((device) => [device.id, device.path.slice(-nearest).join(' · ')]));
    const shown = await this.simulator.shown(principal.projectId);
    return shown.flatMap((device) => (places.has(device.id) ? [{ ...device, group: places.get(device.id) ?? '' }] : []));
  }

  /** @throws HttpError `not_found` for a device that is out of sight or that nothing plays */
  async device(principal: Principal, id: string): Promise<SimulatedDevice> {
    const [device] = await this.devices(principal, id);
    if (!device) throw new HttpError('not_found');
    return device;
  }

  async state(principal: Principal): Promise<SimulatorState> {
    const all = await this.devices(principal);
    const seen = new Set(all.map(({ id }) => id));
    return {
      devices: all,
      channel: this.simulator.channelOf(principal.projectId),
      cloud: await issuerMode(this.#services.db),
      run: runFor(this.player.runOf(principal.projectId), seen),
      calls: await runningCalls(this.#services, principal),
    };
  }
}

/** The simulator of the demo. Without the demo it is not there for anybody; nobody stages anything at a device they may not see. */
export function serveSimulator(app: FastifyInstance, services: Services): void {
  const stage = services.simulator && new Stage(services, services.simulator);
  const there = (): Stage => {
    if (!stage) throw new HttpError('not_found');
    return stage;
  };

  serve(app, services, calls.simulator, ({ principal }) => there().state(principal));
  serve(app, services, calls.simulatorCarried, async ({ principal, params }) =>
    carriedAt(services, principal.projectId, await there().device(principal, params.id)),
  );
  serve(app, services, calls.simulatorAct, async ({ principal, params, body }) => {
    const { id } = await there().device(principal, params.id);
    await there().simulator.act(id, body);
    return there().state(principal);
  });
  serve(app, services, calls.simulatorChannel, ({ principal, body }) => {
    there().simulator.stageChannel(principal.projectId, body.state);
    return there().state(principal);
  });
  serveVendorStage(app, services, there);
  serve(app, services, calls.playScenario, async ({ principal, params }) => {
    if (params.name === 'licence-ends' && !hasPermission(principal, 'can_manage_licenses')) throw new HttpError('forbidden');
    there().player.play(principal, params.name, await there().devices(principal));
    return there().state(principal);
  });
  serve(app, services, calls.stopScenario, ({ principal }) => {
    there().player.stop(principal.projectId);
    return there().state(principal);
  });
}

/** The licences of the demo, as their vendor would let them end and issue them. */
function serveVendorStage(app: FastifyInstance, services: Services, there: () => Stage): void {
  serve(app, services, calls.simulatorLicence, async ({ principal, body }) => {
    there();
    await licenceActs[body.act](services, principal.projectId);
  });
  serve(app, services, calls.simulatorCloud, async ({ principal, body }) => {
    const staged = there();
    await setIssuerMode(services.db, body.mode);
    return staged.state(principal);
  });
  serve(app, services, calls.simulatorLicenceFile, async ({ principal, body }) => {
    there();
    const [project] = await services.db.select({ uid: projects.uid }).from(projects).where(eq(projects.id, principal.projectId));
    return issueFile(services, project?.uid ?? '', body.kind);
  });
}

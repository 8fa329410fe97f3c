import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import { maxFrameBytes } from '#models/realtime.ts';
import type { OpenSession } from '../access/principal.ts';
import type { Services } from '../context.ts';
import type { Totals } from '../crud/totals.ts';
import { failureBody } from '../http/errors.ts';
import { HttpError } from '../http-error.ts';
import { base } from '../serve.ts';
import { admit, OpenCounts } from './admission.ts';
import { closeCodes } from './connection.ts';
import { Hub } from './hub.ts';
import { countChannel } from './metrics.ts';
import { Socket } from './socket.ts';

/** Makes a WebSocket of a request that asked for one and has passed all rules. */
type Upgrade = (welcome: (ws: WebSocket) => void) => void;

const route = { method: 'GET', url: `${base}/ws`, exposeHeadRoute: false, config: { access: 'signedIn' } } as const;
const tickEvery = 1_000;
const closingTime = 1_500;

/** Sends requests for an upgrade through the routes like all others, so that every rule of the server holds for them. */
function routeUpgrades(app: FastifyInstance): WeakMap<IncomingMessage, Upgrade> {
  const upgrades = new WeakMap<IncomingMessage, Upgrade>();
  const server = new WebSocketServer({ noServer: true, maxPayload: maxFrameBytes, perMessageDeflate: false, clientTracking: false });
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket as never);
    response.once('finish', () => socket.end());
    upgrades.set(request, (welcome) => {
      response.detachSocket(socket as never);
      server.handleUpgrade(request, socket, head, welcome);
    });
    app.routing(request, response);
  });
  return upgrades;
}

/** Lets the channel tick as long as the server runs, and sends everybody away before it closes. */
function runTicks(app: FastifyInstance, { now, timers }: Services, hub: Hub, sockets: ReadonlySet<Socket>): void {
  const timer = timers.every(tickEvery, () => {
    hub.tick();
    const at = now().getTime();
    for (const socket of sockets) socket.tick(at);
  });
  app.addHook('onReady', () => hub.open());
  app.addHook('preClose', async () => {
    timer.cancel();
    for (const socket of sockets) socket.close(closeCodes.goingAway);
    const begun = performance.now();
    while (sockets.size > 0 && performance.now() - begun < closingTime) await new Promise((done) => setTimeout(done, 20));
    await hub.close();
  });
}

/** Where the simulator of the demo cuts the channel of a project, all who are in go. */
function cutOnStage({ simulator }: Services, sockets: ReadonlySet<Socket>): void {
  simulator?.onChannel((projectId, state) => {
    if (state !== 'cut') return;
    for (const { connection } of sockets) if (connection.principal.projectId === projectId) connection.close(closeCodes.tryLater);
  });
}

const askForUpgrade = (reply: FastifyReply) =>
  reply
    .code(426)
    .header('upgrade', 'websocket')
    .send(failureBody('wrong_parameters', { parameter: 'upgrade', value: '' }));

/** The realtime channel at `/api/v0/ws`: WebSocket with the access token in the address (spec B7, RT-01 to RT-10). */
export function serveRealtime(app: FastifyInstance, services: Services, totals: Totals): void {
  const hub = new Hub(services, totals);
  const counts = new OpenCounts(services.config);
  const sockets = new Set<Socket>();
  const metrics = countChannel(app, () => sockets.size);
  const upgrades = routeUpgrades(app);
  const sessions = new WeakMap<FastifyRequest, OpenSession>();

  const welcome = ({ log, ip }: FastifyRequest, session: OpenSession, ws: WebSocket): void => {
    const one = new Socket(ws, session, { hub, services, metrics });
    const leave = counts.enter(session);
    sockets.add(one);
    hub.add(one.connection);
    log.info({ route: route.url, ip, user: session.principal.id }, 'realtime opened');
    ws.on('close', (code) => {
      leave();
      sockets.delete(one);
      hub.remove(one.connection);
      log.info({ user: session.principal.id, code }, 'realtime closed');
    });
  };

  app.route({
    ...route,
    onRequest: async (request) => {
      const session = await admit(request, services);
      if (services.simulator?.channelOf(session.principal.projectId) === 'cut') throw new HttpError('unavailable', undefined, 5);
      counts.requireRoom(session);
      sessions.set(request, session);
    },
    handler: (request, reply) => {
      const [upgrade, session] = [upgrades.get(request.raw), sessions.get(request)];
      if (!upgrade || !session) return askForUpgrade(reply);
      reply.hijack();
      upgrade((ws) => welcome(request, session, ws));
      return reply;
    },
  });

  cutOnStage(services, sockets);
  runTicks(app, services, hub, sockets);
}

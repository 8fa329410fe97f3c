import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { constants } from '#models/constants.ts';
import { type Call, takesForm } from '#models/define-call.ts';
import type { Services } from '../context.ts';
import { HttpError } from '../http-error.ts';

/** A body has to be there in this time; a form with files in this. */
const bodyTime = 10_000;
const formTime = 120_000;

const timeOf = (call: Call | undefined): number => (call?.largeFiles ? constants.backupTimeout : call && takesForm(call) ? formTime : bodyTime);

/**
 * Time-outs and sizes of the HTTP server. Fastify leaves the first off; a client that drips its request would stay for ever. Its own limit of 10 s for
 * what is made ready before it listens is off: on a slow machine, or beside long work that goes on after a crash, the start takes longer.
 */
export const serverLimits = {
  pluginTimeout: 0,
  requestTimeout: constants.backupTimeout,
  keepAliveTimeout: 65_000,
  bodyLimit: 1024 * 1024,
  http: { headersTimeout: 5_000, connectionsCheckingInterval: 2_000, maxHeaderSize: 16 * 1024 },
  routerOptions: { maxParamLength: 512 },
} as const;

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts a request of somebody signed in; refuses the one that is too many. */
    limitUser: (request: FastifyRequest) => void;
  }
}

const minute = 60_000;
const mostKeys = 100_000;

/** Counts by key within the running minute and refuses what is over. All counts start afresh together. */
function minuteCounter(most: number): (key: string) => void {
  const counts = new Map<string, number>();
  let began = 0;
  return (key) => {
    const now = performance.now();
    if (now - began >= minute || counts.size > mostKeys) {
      counts.clear();
      began = now;
    }
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count > most) throw new HttpError('too_many_requests', undefined, (began + minute - now) / 1_000);
  };
}

/** Whether all of a request has come. One that was injected comes whole. */
const isWhole = (raw: IncomingMessage): boolean => (raw.complete as boolean | undefined) ?? true;
/** Whether the client has to wait until the server has read what is there. */
const isFull = (raw: IncomingMessage): boolean => raw.readableLength >= raw.readableHighWaterMark;

/**
 * Takes bodies of JSON and forms only, and cuts off who takes too long to send one. The server's own time-out knows no routes, so it holds the longest.
 * What a busy server has not read in time is not the client's delay: the time begins again.
 */
export function limitBodies(app: FastifyInstance): void {
  app.removeContentTypeParser('text/plain');
  app.addHook('onRequest', async ({ raw, headers, routeOptions }) => {
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
    // Timers come before input: what came while the process was busy is taken first.
    const timer = setTimeout(() => setImmediate(judge), timeOf(routeOptions.config.call));
    const judge = () => {
      if (isWhole(raw)) return;
      if (isFull(raw)) timer.refresh();
      else raw.destroy();
    };
    const stop = () => clearTimeout(timer);
    raw.once('end', stop).once('close', stop);
  });
}

/** Lets an address and a person make so many requests a minute, and says when to come again. */
export function limitRates(app: FastifyInstance, { config }: Services): void {
  const countAddress = minuteCounter(config.ratePerIp);
  const countUser = minuteCounter(config.ratePerUser);
  app.decorate('limitUser', ({ principal }: FastifyRequest) => countUser(principal?.id ?? ''));
  app.addHook('onRequest', async ({ ip }) => countAddress(ip));
}

import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { type DestinationStream, pino } from 'pino';

/** Names under which secrets travel, wherever in a logged object they stand (three levels deep). */
const secretNames = [
  'authorization',
  'cookie',
  'password',
  'password_hash',
  'passwordHash',
  'new_password',
  'old',
  'new',
  'token',
  'refresh',
  'access_token',
  'secret',
];
const paths = secretNames.flatMap((name) => ['', '*.', '*.*.'].map((depth) => `${depth}${name}`));

/** What an error may tell a log: what it is and where it arose, not the values a statement carried. */
const plainError = (error: unknown): unknown => {
  if (!(error instanceof Error)) return { message: 'something that is no error was thrown' };
  const { name, stack } = error;
  const cause: unknown = error.cause === undefined ? undefined : plainError(error.cause);
  // Drizzle puts the parameters of a statement into the message; the statement alone tells enough.
  const message = error.message.split('\nparams:')[0] ?? '';
  const frames = (stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return { name, code: (error as NodeJS.ErrnoException).code, message, stack: frames.slice(0, 12), cause };
};

/** The server's log: one line of JSON each, without secrets. */
export const makeLog = (level: string, to?: DestinationStream): FastifyBaseLogger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths, censor: '***' },
      serializers: { err: plainError, error: plainError },
    },
    to ?? pino.destination({ sync: true }),
  );

/** One line for each request: who, which route, how it ended. Addresses are named by their route, so nothing typed into them is kept. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const { principal, method, ip } = request;
    const route = request.routeOptions.url ?? '(no such path)';
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    const level = reply.statusCode >= 500 ? 'warn' : /^\/(?:healthz|readyz|metrics|\*)/.test(route) ? 'debug' : 'info';
    request.log[level]({ method, route, status: reply.statusCode, ms, ip, ...(principal && { user: principal.id }) }, 'request');
  });
}

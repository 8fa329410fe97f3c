import type { FastifyRequest } from 'fastify';
import { type OpenSession, originOf, sessionOfToken, tokenOf } from '../access/principal.ts';
import type { Config } from '../config.ts';
import type { Services } from '../context.ts';
import { HttpError } from '../http-error.ts';

/**
 * May a page of this origin open the channel: one that this server itself has delivered, under the address it was asked by
 * or its public one. Programs that are no browser send no origin.
 */
export function isOwnOrigin(origin: string | undefined, host: string | undefined, { publicUrl, tls }: Pick<Config, 'publicUrl' | 'tls'>): boolean {
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const { protocol, host: from } = new URL(origin);
  const own = new URL(publicUrl);
  if (protocol === own.protocol && from === own.host) return true;
  return from === host && protocol === (tls ? 'https:' : own.protocol);
}

/** The token of a request for the channel: browsers can send it in the address only. It is never logged. */
const channelToken = (request: FastifyRequest): string | null => {
  const given = (request.query as Record<string, unknown>)['access_token'];
  return typeof given === 'string' && /^[\w~+/.=-]{16,512}$/.test(given) ? given : tokenOf(request);
};

/** Lets somebody in whose token holds. @throws HttpError `forbidden` for a foreign page, `not_authorized` for a dead token. */
export async function admit(request: FastifyRequest, services: Services): Promise<OpenSession> {
  const { origin, host } = request.headers;
  if (!isOwnOrigin(origin, host, services.config)) throw new HttpError('forbidden');
  const token = channelToken(request);
  const session = token ? await sessionOfToken(services, token, originOf(request)) : null;
  if (!session) throw new HttpError('not_authorized');
  if (session.principal.mustEnrol) throw new HttpError('second_factor_required');
  request.principal = session.principal;
  request.server.limitUser(request);
  return session;
}

/** How many connections each person and each address has open. */
export class OpenCounts {
  readonly #counts = new Map<string, number>();
  readonly #config: Config;

  constructor(config: Config) {
    this.#config = config;
  }

  /** @throws HttpError `too_many_requests` for one more than may be. */
  requireRoom({ principal }: OpenSession): void {
    const { socketsPerUser, socketsPerIp } = this.#config;
    if (this.#of(principal.id) >= socketsPerUser || this.#of(principal.ip) >= socketsPerIp) throw new HttpError('too_many_requests', undefined, 10);
  }

  /** Counts one in; answers how to count it out. */
  enter({ principal }: OpenSession): () => void {
    const keys = [principal.id, principal.ip];
    for (const key of keys) this.#counts.set(key, this.#of(key) + 1);
    return () => {
      for (const key of keys)
        if (this.#of(key) > 1) this.#counts.set(key, this.#of(key) - 1);
        else this.#counts.delete(key);
    };
  }

  #of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }
}

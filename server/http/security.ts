import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../context.ts';
import { HttpError } from '../http-error.ts';
import { nodePlace } from '../telephony/settings.ts';

const nonces = new WeakMap<ServerResponse, string>();

/** The nonce that lets this one answer carry style elements; index.html names it. */
export function nonceOf(response: ServerResponse): string {
  const known = nonces.get(response);
  if (known) return known;
  const fresh = randomBytes(18).toString('base64');
  nonces.set(response, fresh);
  return fresh;
}

/** A host as browsers send it, with or without a port: nothing else may find its way into a header. */
const plainHost = /^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;
const withoutPort = (host: string): string => host.replace(/:\d+$/, '');

/**
 * Whom a page may talk to: where it came from, our phones' SIP beside it, and the other SIP servers that phones are sent to.
 * A page comes from the host it was asked at; behind a proxy that may be another than the one we see.
 */
export function connectSources({ config, sipPort = config.sipPort, sipServers, sipSettings }: Services, host: string | undefined): string[] {
  const secure = isEncrypted(config) ? 'wss' : 'ws';
  const hosts = new Set([new URL(config.publicUrl).host, ...(host !== undefined && plainHost.test(host) ? [host.toLowerCase()] : [])]);
  const own = [...hosts].flatMap((each) => [`${secure}://${each}`, `${secure}://${withoutPort(each)}:${sipPort}`]);
  const nodes = (sipSettings?.all() ?? []).flatMap((each) => each.nodes.map((node) => `${secure}://${nodePlace(node, sipPort)}`));
  return ["'self'", ...new Set([...own, ...nodes, ...(sipServers?.() ?? [])])];
}

/** What a page of ours may load, run and talk to: itself, and nobody else. */
const contentSecurityPolicy = (services: Services) => ({
  useDefaults: false,
  directives: {
    'default-src': ["'self'"],
    'script-src': ["'self'"],
    'style-src': ["'self'", (_request: unknown, response: ServerResponse) => `'nonce-${nonceOf(response)}'`],
    'img-src': ["'self'", 'data:', 'blob:'],
    'font-src': ["'self'"],
    'connect-src': [({ headers }: IncomingMessage) => connectSources(services, headers.host).join(' ')],
    'media-src': ["'self'", 'blob:'],
    'worker-src': ["'self'"],
    'frame-ancestors': ["'none'"],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
  },
});

const isEncrypted = ({ tls, publicUrl }: Services['config']): boolean => tls !== null || publicUrl.startsWith('https://');

/** Puts the headers on every answer that keep a browser from being talked into mischief. */
export async function secure(app: FastifyInstance, services: Services): Promise<void> {
  await app.register(helmet, {
    global: true,
    contentSecurityPolicy: contentSecurityPolicy(services),
    hsts: isEncrypted(services.config) && { maxAge: 31_536_000 },
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginEmbedderPolicy: false,
    // The inspector opens in a window of its own and is spoken to there.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
  } as Parameters<typeof helmet>[1]);
  app.addHook('onRequest', async (request, reply) => {
    void reply
      .header('x-request-id', request.id)
      .header('permissions-policy', 'camera=(self), microphone=(self), geolocation=(), payment=(), usb=()');
    if (request.url.startsWith('/api/')) void reply.header('cache-control', 'no-store');
    const encoding = request.headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity') throw new HttpError('unsupported_media');
  });
  app.addHook('onSend', async (request, reply) => {
    if (request.principal && !reply.hasHeader('doorward-profile')) void reply.header('doorward-profile', request.principal.profileVersion);
  });
}

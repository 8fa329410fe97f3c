import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../context.ts';
import { Refusal } from '../refusal.ts';

const nonces = new WeakMap<ServerResponse, string>();

/** The nonce that lets this one answer carry style elements; index.html names it. */
export function nonceOf(response: ServerResponse): string {
  const known = nonces.get(response);
  if (known) return known;
  const fresh = randomBytes(18).toString('base64');
  nonces.set(response, fresh);
  return fresh;
}

/** What a page of ours may load, run and talk to: itself, and nobody else. */
const contentSecurityPolicy = {
  useDefaults: false,
  directives: {
    'default-src': ["'self'"],
    'script-src': ["'self'"],
    'style-src': ["'self'", (_request: unknown, response: ServerResponse) => `'nonce-${nonceOf(response)}'`],
    'img-src': ["'self'", 'data:', 'blob:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'", 'ws:', 'wss:'],
    'media-src': ["'self'", 'blob:'],
    'worker-src': ["'self'"],
    'frame-ancestors': ["'none'"],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
  },
};

/** Puts the headers on every answer that keep a browser from being talked into mischief. */
export async function secure(app: FastifyInstance, { config }: Services): Promise<void> {
  const encrypted = config.tls !== null || config.publicUrl.startsWith('https://');
  await app.register(helmet, {
    global: true,
    contentSecurityPolicy,
    hsts: encrypted && { maxAge: 31_536_000 },
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
    if (encoding !== undefined && encoding !== 'identity') throw new Refusal('unsupported_media');
  });
  app.addHook('onSend', async (request, reply) => {
    if (request.asker && !reply.hasHeader('doorward-profile')) void reply.header('doorward-profile', request.asker.profileVersion);
  });
}

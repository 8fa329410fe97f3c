import type { integrations } from '../db/schema/index.ts';
import type { Services } from '../context.ts';
import { authorizationOf } from '../devices/http-device.ts';
import { unseal } from '../devices/secrets.ts';
import { HttpError } from '../http-error.ts';
import { pictureType } from '../modules/pictures.ts';
import { trustOf } from './certificate.ts';
import { Forbidden } from './guard.ts';
import { type Answered, reach } from './reach.ts';

type Server = typeof integrations.$inferSelect;

const timeout = 5_000;
const mostBytes = 4 * 1024 * 1024;

/** Asks for a picture: without a login first, then as the camera wants to know who asks (basic or digest). */
async function ask(services: Services, server: Server, accessPoint: string): Promise<Answered> {
  const { origin } = new URL(server.url);
  const url = new URL(accessPoint, origin).href;
  // The login goes nowhere else, whatever was let through as a path.
  if (new URL(url).origin !== origin) throw new Forbidden('the address is not allowed');
  const asked = {
    url,
    method: 'GET',
    trust: trustOf(server.certificateCipher === null ? null : unseal(services, server.certificateCipher)),
    timeout,
    mostBytes,
    loopback: services.config.integrationLoopback,
  } as const;
  const first = await reach(asked);
  const { login, passwordCipher } = server;
  if (first.status !== 401 || login === null || passwordCipher === null) return first;
  const { pathname, search } = new URL(url);
  const authorization = authorizationOf(first.headers['www-authenticate'] ?? '', login, unseal(services, passwordCipher), 'GET', pathname + search);
  return reach({ ...asked, headers: { authorization } });
}

/**
 * What a camera shows now, as a data address. What it sends is believed by its bytes only, and must be a picture of a usual kind and size.
 * @throws HttpError `integration_unavailable` where it is not reached, does not let the server in, or sends something else
 */
export async function stillOf(services: Services, server: Server, accessPoint: string): Promise<string> {
  const answer = await ask(services, server, accessPoint).catch((error: unknown) => {
    services.log.info({ integration: server.id, err: error }, 'a camera gave no picture');
    throw new HttpError('integration_unavailable');
  });
  if (answer.status !== 200) throw new HttpError('integration_unavailable');
  try {
    return `data:${pictureType(answer.bytes)};base64,${answer.bytes.toString('base64')}`;
  } catch {
    throw new HttpError('integration_unavailable');
  }
}

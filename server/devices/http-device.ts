import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import type { Config } from '../config.ts';
import { mayDial } from './addresses.ts';
import { deviceInfo, type DeviceInfo, type DeviceRequest, deviceResponse, type DeviceResponse, readMessage } from './protocol.ts';

/** Where a device is reached by HTTP, and by what it knows the server. */
export interface HttpAddress {
  ip: string;
  port: number;
  login: string | null;
  password: string | null;
}
interface Answer {
  status: number;
  challenge: string | undefined;
  text: string;
}

const timeout = 5_000;
const mostBytes = 256 * 1024;
const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** One exchange. Redirects are not followed; what is too long or too late is an error. */
function exchange(
  { ip, port }: HttpAddress,
  method: 'GET' | 'POST',
  path: string,
  body: string | null,
  authorization: string | null,
  time: number,
): Promise<Answer> {
  return new Promise((done, fail) => {
    const headers = {
      ...(body !== null && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      ...(authorization && { authorization }),
    };
    const sent = request({ host: ip, port, method, path, headers, timeout: time, agent: false, signal: AbortSignal.timeout(time) }, (answer) => {
      const parts: Buffer[] = [];
      let bytes = 0;
      answer.on('data', (part: Buffer) => {
        bytes += part.length;
        if (bytes > mostBytes) sent.destroy(new Error('the answer is too long'));
        else parts.push(part);
      });
      answer.on('end', () =>
        done({ status: answer.statusCode ?? 0, challenge: answer.headers['www-authenticate'], text: Buffer.concat(parts).toString('utf8') }),
      );
      answer.on('error', fail);
    });
    sent.on('error', fail);
    sent.on('timeout', () => sent.destroy(new Error('the device does not answer')));
    sent.end(body ?? undefined);
  });
}

const basic = (login: string, password: string): string => `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;

/** The answer to a digest challenge (RFC 7616, MD5 with qop auth): what devices of the field ask for. */
function digest(challenge: string, login: string, password: string, method: string, uri: string): string {
  const part = (name: string): string => new RegExp(`${name}="?([^",]+)"?`, 'i').exec(challenge)?.[1] ?? '';
  const [realm, nonce, opaque] = [part('realm'), part('nonce'), part('opaque')];
  const [nc, cnonce] = ['00000001', randomBytes(8).toString('hex')];
  const response = md5([md5(`${login}:${realm}:${password}`), nonce, nc, cnonce, 'auth', md5(`${method}:${uri}`)].join(':'));
  const fields = { username: login, realm, nonce, uri, cnonce, response, ...(opaque && { opaque }) };
  const quoted = Object.entries(fields).map(([name, value]) => `${name}="${value.replaceAll(/["\\\r\n]/g, '')}"`);
  return `Digest ${[...quoted, `qop=auth`, `nc=${nc}`, 'algorithm=MD5'].join(', ')}`;
}

/** Who asks, as a challenge wants to hear it: digest, or basic for everything else. */
export const authorizationOf = (challenge: string, login: string, password: string, method: string, uri: string): string =>
  /^digest/i.test(challenge) ? digest(challenge, login, password, method, uri) : basic(login, password);

async function withCredentials(address: HttpAddress, method: 'GET' | 'POST', path: string, body: string | null): Promise<Answer> {
  const { login, password } = address;
  const first = await exchange(address, method, path, body, null, timeout);
  if (first.status !== 401 || login === null || password === null) return first;
  return exchange(address, method, path, body, authorizationOf(first.challenge ?? '', login, password, method, path), timeout);
}

/**
 * Asks a device for something by HTTP.
 * @throws Error when it is not reached, does not let the server in, or answers what cannot be read
 */
export async function askByHttp(config: Pick<Config, 'demo'>, address: HttpAddress, asked: DeviceRequest): Promise<DeviceResponse> {
  if (!mayDial(address.ip, config)) throw new Error('the address is not allowed');
  const { status, text } = await withCredentials(address, 'POST', '/v0/request', JSON.stringify(asked));
  if (status === 401) return { id: asked.id, ok: false, error: 'wrong_credentials' };
  const response = status === 200 ? readMessage(deviceResponse, text) : null;
  if (!response || response.id !== asked.id) throw new Error('the answer cannot be read');
  return response;
}

/** Who answers at an address; null for nobody, or nobody of ours. */
export async function infoByHttp({ ip, port }: { ip: string; port: number }, time = 1_000): Promise<DeviceInfo | null> {
  try {
    const { status, text } = await exchange({ ip, port, login: null, password: null }, 'GET', '/v0/info', null, null, time);
    return status === 200 ? readMessage(deviceInfo, text) : null;
  } catch {
    return null;
  }
}

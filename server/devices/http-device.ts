import { createHash, randomBytes } from 'node:crypto';
import { type ClientRequest, request } from 'node:http';
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

/** A device that can be reached answers within this time, ms. */
const answerTime = 5_000;
const mostBytes = 256 * 1024;
const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** Ends a request that is not connected after `connectTime`, ms, or not answered in full `answerTime` later. What came while this process was busy is heard first. */
function limitTime(sent: ClientRequest, connectTime: number): void {
  let timer: NodeJS.Timeout | undefined;
  const wait = (time: number, reason: string): void => {
    clearTimeout(timer);
    const own = setTimeout(() => setImmediate(() => timer === own && sent.destroy(new Error(reason))), time);
    timer = own;
  };
  wait(connectTime, 'the device was not reached in time');
  sent.once('socket', (socket) => socket.once('connect', () => wait(answerTime, 'the device did not answer in time')));
  sent.once('close', () => clearTimeout(timer));
}

/** One exchange. Redirects are not followed; what is too long or too late is an error. */
function exchange(
  { ip, port }: HttpAddress,
  method: 'GET' | 'POST',
  path: string,
  body: string | null,
  authorization: string | null,
  connectTime: number,
): Promise<Answer> {
  return new Promise((done, fail) => {
    const headers = {
      ...(body !== null && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      ...(authorization && { authorization }),
    };
    const sent = request({ host: ip, port, method, path, headers, agent: false }, (answer) => {
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
    limitTime(sent, connectTime);
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
  const first = await exchange(address, method, path, body, null, answerTime);
  if (first.status !== 401 || login === null || password === null) return first;
  return exchange(address, method, path, body, authorizationOf(first.challenge ?? '', login, password, method, path), answerTime);
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

/** Nobody is at an address that does not take a connection within this time, ms. */
const nobodyAfter = 1_000;

/** Who answers at an address; null for nobody, or nobody of ours. */
export async function infoByHttp({ ip, port }: { ip: string; port: number }): Promise<DeviceInfo | null> {
  try {
    const { status, text } = await exchange({ ip, port, login: null, password: null }, 'GET', '/v0/info', null, null, nobodyAfter);
    return status === 200 ? readMessage(deviceInfo, text) : null;
  } catch {
    return null;
  }
}

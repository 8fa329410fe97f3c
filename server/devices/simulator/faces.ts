import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect, type MqttClient } from 'mqtt';
import { deviceRequest, deviceTopics, type DeviceStatus, readMessage } from '../protocol.ts';
import type { SimulatedDevice } from './device.ts';

/** How a simulated device meets the world. */
export interface Face {
  isOnline: () => boolean;
  goOnline: () => void;
  /** The plug is pulled: nobody says goodbye. */
  goOffline: () => void;
  say: (said: DeviceStatus) => void;
  close: () => Promise<void>;
}

const heartbeatEvery = 20_000;

/** A device that is a client of the broker, with a retained status and a last will. */
export function mqttFace(device: () => SimulatedDevice, url: string): Face {
  let client: MqttClient | null = null;
  let beat: NodeJS.Timeout | undefined;
  const { plan } = device();
  const [status, request, response] = [deviceTopics.status(plan.serial), deviceTopics.request(plan.serial), deviceTopics.response(plan.serial)];
  const publish = (topic: string, message: object, retain = false): void => {
    client?.publish(topic, JSON.stringify(message), { qos: 1, retain });
  };

  const goOnline = (): void => {
    if (client) return;
    const fresh = connect(url, {
      clientId: plan.serial,
      username: plan.serial,
      password: device().password ?? '',
      clean: true,
      keepalive: 30,
      reconnectPeriod: 5_000,
      connectTimeout: 10_000,
      // The broker of the demo is this very process: whatever certificate it has is its own.
      rejectUnauthorized: false,
      will: { topic: status, payload: Buffer.from(JSON.stringify({ type: 'offline' })), qos: 1, retain: true },
    });
    client = fresh;
    fresh.on('connect', () => {
      fresh.subscribe(request, { qos: 1 });
      publish(status, { type: 'online', firmware: plan.firmware }, true);
    });
    fresh.on('message', (_topic, payload) => {
      const asked = readMessage(deviceRequest, payload);
      if (asked)
        void device()
          .handle(asked)
          .then((answer) => publish(response, answer));
    });
    // A server that is away is met again later; a wrong password likewise, when the settings have come.
    fresh.on('error', () => undefined);
    beat = setInterval(() => publish(status, { type: 'heartbeat' }), heartbeatEvery);
    beat.unref();
  };
  const leave = (): MqttClient | null => {
    clearInterval(beat);
    const left = client;
    client = null;
    return left;
  };
  device().onRestart(() => {
    leave()?.end(true);
    setTimeout(() => {
      goOnline();
      setTimeout(() => device().rebooted(), 500).unref();
    }, 2_000).unref();
  });
  return {
    isOnline: () => client?.connected === true,
    goOnline,
    // Cut, not ended: the broker publishes the last will.
    goOffline: () => {
      const left = leave();
      left?.stream.destroy();
      left?.end(true);
    },
    say: (said) => publish(status, said),
    close: async () => {
      const left = leave();
      if (left) await new Promise<void>((done) => left.end(true, {}, () => done()));
    },
  };
}

const most = 256 * 1024;
/** Words in one answer: each may carry a picture, and an answer has its limit too. */
const mostWords = 40;
async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) {
    text += String(part);
    if (text.length > most) throw new Error('too long');
  }
  return text;
}

/** Where a device answers by HTTP. */
export interface HttpPlace {
  host: string;
  port: number;
}

/**
 * A device that answers by HTTP at an address of its own on this machine; what it has to say waits until it is asked. Where
 * the address cannot be had (another demo has it, or the system knows one loopback address only) it takes a free one and says so.
 */
export function httpFace(
  device: () => SimulatedDevice,
  at: HttpPlace,
  credentials: { login: string; password: string } | null,
  moved: (to: HttpPlace) => void = () => undefined,
): Face {
  const { plan } = device();
  const waiting: { n: number; said: DeviceStatus }[] = [];
  let count = 0;
  let online = false;
  const send = (response: ServerResponse, code: number, body: object, headers: Record<string, string> = {}): void => {
    response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
  const isLetIn = ({ headers }: IncomingMessage): boolean =>
    credentials === null || headers.authorization === `Basic ${Buffer.from(`${credentials.login}:${credentials.password}`).toString('base64')}`;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { serial, type, model, firmware } = plan;
    if (request.method === 'GET' && request.url === '/v0/info') return send(response, 200, { serial, type, model, firmware });
    if (request.method !== 'POST' || request.url !== '/v0/request') return send(response, 404, {});
    if (!isLetIn(request)) return send(response, 401, {}, { 'www-authenticate': 'Basic realm="device"' });
    const asked = readMessage(deviceRequest, await bodyOf(request));
    if (!asked) return send(response, 400, {});
    if (asked.kind !== 'words') return send(response, 200, await device().handle(asked));
    const after = Number(asked.body['after'] ?? 0);
    const words = waiting.filter(({ n }) => n > after).slice(0, mostWords);
    return send(response, 200, {
      id: asked.id,
      ok: true,
      body: { words: words.map(({ said }) => said), last: words.at(-1)?.n ?? Math.min(after, count) },
    });
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  let place = at;
  let fallBacks = 0;
  const listen = (): void => {
    server.listen(place).unref();
  };
  server.on('listening', () => {
    online = true;
    const { port } = server.address() as AddressInfo;
    if (place.port !== port) moved((place = { host: place.host, port }));
  });
  server.on('error', ({ code }: NodeJS.ErrnoException) => {
    online = false;
    fallBacks += 1;
    if (fallBacks > 1 || (code !== 'EADDRINUSE' && code !== 'EADDRNOTAVAIL')) return;
    place = { host: code === 'EADDRNOTAVAIL' ? '127.0.0.1' : place.host, port: 0 };
    listen();
  });
  const goOnline = (): void => {
    if (!online) listen();
  };
  const goOffline = (): void => {
    online = false;
    server.close();
    server.closeAllConnections();
  };
  device().onRestart(() => {
    goOffline();
    setTimeout(() => {
      goOnline();
      device().rebooted();
    }, 2_000).unref();
  });
  return {
    isOnline: () => online,
    goOnline,
    goOffline,
    say: (said) => {
      count += 1;
      waiting.push({ n: count, said });
      if (waiting.length > 500) waiting.shift();
    },
    close: async () => {
      online = false;
      server.closeAllConnections();
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
}

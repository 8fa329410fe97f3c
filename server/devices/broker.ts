import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { Aedes, type AedesOptions, type AedesPublishPacket, type AuthenticateError, type Client } from 'aedes';
import type { Services } from '../context.ts';
import { type Admitted, Admission } from './admission.ts';
import type { BrokerIdentity } from './broker-certificate.ts';
import { CappedConnection } from './capped.ts';
import { Entrances } from './entrances.ts';
import { deviceTopics, packetLimit, readDeviceTopic } from './protocol.ts';
import type { Listener, Wire } from './wire.ts';

const notAuthorized = 5;
const badPassword = 4;
const unavailable = 3;

/** An open connection: from where, and which device it turned out to be. */
interface Visitor {
  address: string;
  device: Admitted | null;
  connection: CappedConnection;
}

const connackError = (message: string, returnCode: number) => Object.assign(new Error(message), { returnCode });

/** Where the broker listens, and how many connections one address may have; all devices of a site often share one. */
export interface BrokerPlace {
  host: string;
  port: number;
  perAddress?: number;
}

/** The embedded broker, listening; `port` is the one it got. */
export interface Broker extends Wire {
  port: number;
  /** The port over TLS; null while there is none. */
  securePort: () => number | null;
  /** Shows devices this certificate from now on; those that are connected over TLS without one that counts are let go of. */
  adopt: (identity: BrokerIdentity | null) => Promise<void>;
}

/** Which device an authenticated client is. aedes keeps clients, we keep who they are. */
type Visitors = WeakMap<object, Visitor>;

type Done = (error: AuthenticateError | null, success: boolean) => void;

/** Tells the broker whether a device may come in; one that could not be looked up may try again. */
async function answer({ log }: Services, outcome: Promise<AuthenticateError | null>, done: Done): Promise<void> {
  const failure = await outcome.catch((error: unknown) => {
    log.error({ err: error }, 'a device could not be looked up');
    return connackError('server unavailable', unavailable);
  });
  done(failure, failure === null);
}

/** How the broker tells clients apart: who may sign in, and what each may say and hear. */
function rulesOf(
  services: Services,
  admission: Admission,
  visitors: Visitors,
): Pick<AedesOptions, 'authenticate' | 'authorizePublish' | 'authorizeSubscribe'> {
  const visitorOf = (client: Client | null): Visitor | undefined => (client ? visitors.get(client.conn) : undefined);
  const refused = (client: Client, cause: string, topic: string): Error => {
    const visitor = visitorOf(client);
    void admission.refuse(visitor?.device ?? null, cause, visitor?.address ?? '', { topic: topic.slice(0, 200) });
    return connackError('not authorized', notAuthorized);
  };
  /** Lets a device in, or says by which code of MQTT it is not. */
  const signIn = async (client: Client, serial: string, password: string): Promise<AuthenticateError | null> => {
    const visitor = visitorOf(client);
    if (!visitor || serial === '' || client.id !== serial) {
      await admission.refuse(null, 'wrong_client_id', visitor?.address ?? '', { serial: serial.slice(0, 64) });
      return connackError('identifier rejected', badPassword);
    }
    visitor.device = await admission.admit(serial, password, visitor.address);
    return visitor.device ? null : connackError('bad user name or password', badPassword);
  };
  return {
    authenticate: (client, username = '', password, done) => void answer(services, signIn(client, username, password?.toString() ?? ''), done),
    authorizePublish: (client, packet, done) => {
      if (!client) return done(null);
      const own = visitorOf(client)?.device?.serial;
      const topic = readDeviceTopic(packet.topic);
      const allowed = own !== undefined && topic?.serial === own && topic.part !== 'request' && (!packet.retain || topic.part === 'status');
      return allowed ? done(null) : done(refused(client, 'foreign_topic', packet.topic));
    },
    authorizeSubscribe: (client, subscription, done) => {
      const own = visitorOf(client)?.device?.serial;
      if (own !== undefined && subscription.topic === deviceTopics.request(own)) return done(null, subscription);
      return done(refused(client, 'foreign_subscription', subscription.topic));
    },
  };
}

const limits = {
  connectTimeout: 5_000,
  keepaliveLimit: 600,
  maxClientsIdLength: 64,
  maxTopicLevels: 6,
  maxInflightInbound: 20,
  queueLimit: 200,
  drainTimeout: 10_000,
} as const satisfies AedesOptions;

/** Counts open connections by address. */
class Crowd {
  readonly #open = new Map<string, number>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** Answers how to leave again; null where there are too many already. */
  enter(address: string): (() => void) | null {
    const count = this.#open.get(address) ?? 0;
    if (count >= this.#most) return null;
    this.#open.set(address, count + 1);
    return () => {
      const left = (this.#open.get(address) ?? 1) - 1;
      if (left > 0) this.#open.set(address, left);
      else this.#open.delete(address);
    };
  }
}

/** What a connection that comes in meets. */
interface Hall {
  services: Services;
  aedes: Aedes;
  admission: Admission;
  visitors: Visitors;
  crowd: Crowd;
  /** All that are open, also those of whom nobody knows yet who they are. */
  sockets: Set<Socket>;
}

/** Takes a connection in, unless there are too many from its address already. */
function receive(socket: Socket, { services, aedes, admission, visitors, crowd, sockets }: Hall): void {
  const address = socket.remoteAddress ?? '';
  const leave = crowd.enter(address);
  socket.on('error', () => socket.destroy());
  if (!leave) {
    services.log.warn({ ip: address }, 'a device was refused: too many connections from its address');
    socket.destroy();
    return;
  }
  sockets.add(socket);
  socket.once('close', () => {
    leave();
    sockets.delete(socket);
  });
  socket.setNoDelay(true);
  const limit = (): number => (visitor.device ? packetLimit.device : packetLimit.stranger);
  const connection = new CappedConnection(socket, limit, (bytes) => void admission.refuse(visitor.device, 'too_large', address, { bytes }));
  const visitor: Visitor = { address, device: null, connection };
  connection.on('error', () => undefined);
  visitors.set(connection, visitor);
  aedes.handle(connection);
}

/** Who is connected, by serial number, and which of them listen to what they are asked. */
interface Sessions {
  connected: ReadonlyMap<string, Client>;
  listening: WeakSet<Client>;
}

/** aedes publishes a last will when a connection ends, unless it was taken from it. */
const withoutWill = (client: Client): Client => Object.assign(client, { will: null });

/** Passes on what devices say, that they came and that they are gone. */
function follow(aedes: Aedes, visitors: Visitors, listener: Listener, log: Services['log']): Sessions {
  const connected = new Map<string, Client>();
  const listening = new WeakSet<Client>();
  const serialOf = (client: Client): string | undefined => visitors.get(client.conn)?.device?.serial;
  aedes.on('publish', (packet: AedesPublishPacket, client: Client | null) => {
    const topic = readDeviceTopic(packet.topic);
    if (!client || !topic || topic.part === 'request') return;
    listener.heard({ serial: topic.serial, part: topic.part, payload: Buffer.from(packet.payload), retained: false });
  });
  aedes.on('client', (client: Client) => {
    const serial = serialOf(client);
    if (serial !== undefined) connected.set(serial, client);
  });
  aedes.on('subscribe', (subscriptions, client: Client) => {
    const serial = serialOf(client);
    if (serial === undefined || !subscriptions.some(({ topic }) => topic === deviceTopics.request(serial))) return;
    listening.add(client);
    listener.came(serial);
  });
  aedes.on('clientDisconnect', (client: Client) => {
    const serial = serialOf(client);
    // One that signs in a second time takes the place of the first; the first then goes without anybody being gone.
    if (serial === undefined || connected.get(serial) !== client) return;
    connected.delete(serial);
    listener.gone(serial);
  });
  for (const event of ['clientError', 'connectionError'] as const)
    aedes.on(event, (client: Client, error: Error) => log.debug({ serial: serialOf(client), reason: error.message }, 'a device connection broke'));
  return { connected, listening };
}

/**
 * Opens the embedded MQTT broker. A device signs in with its serial number as client id and user name and its password,
 * publishes its own responses and status, and hears its own requests; everything else is refused and on record.
 * @throws the error of listening
 */
export async function openBroker(services: Services, { host, port, perAddress = 2_500 }: BrokerPlace, listener: Listener): Promise<Broker> {
  const admission = new Admission(services);
  const visitors: Visitors = new WeakMap();
  const aedes = new Aedes({ ...limits, ...rulesOf(services, admission, visitors) });
  await aedes.listen();
  const { connected, listening: ready } = follow(aedes, visitors, listener, services.log);
  const hall: Hall = { services, aedes, admission, visitors, crowd: new Crowd(perAddress), sockets: new Set() };
  const entrances = new Entrances(services, host, (socket) => receive(socket, hall));
  const got = await entrances.open(port);
  const hears = (serial: string): boolean => {
    const client = connected.get(serial);
    return client !== undefined && ready.has(client);
  };

  return {
    port: got,
    securePort: () => entrances.securePort,
    adopt: async (identity) => {
      await entrances.adopt(identity);
      // Nobody goes on under a certificate that was taken back; the port of the server's own files stays.
      if (!identity && !services.config.tls) for (const socket of hall.sockets) if (socket instanceof TLSSocket) socket.destroy();
    },
    hears,
    send: (serial, payload) =>
      new Promise((done, fail) => {
        // Nobody would hear it: the sender is told at once and may try again, rather than wait for an answer.
        if (!hears(serial)) return fail(new Error('the device is not connected'));
        aedes.publish({ cmd: 'publish', topic: deviceTopics.request(serial), payload, qos: 1, retain: false, dup: false }, (error) =>
          error ? fail(error) : done(),
        );
      }),
    drop: (serial) => {
      const client = connected.get(serial);
      if (client) withoutWill(client).close();
    },
    close: async () => {
      const closed = entrances.close();
      await new Promise<void>((done) => aedes.close(() => done()));
      // The broker closes those it has let in; who is still at the door would keep the server waiting.
      for (const socket of hall.sockets) socket.destroy();
      await closed;
    },
  };
}

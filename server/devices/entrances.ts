import { readFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import type { Services } from '../context.ts';
import type { BrokerIdentity } from './broker-certificate.ts';

/** ms in which a device must have agreed on keys. */
const handshakeTimeout = 10_000;

const listening = (server: Server, host: string, port: number): Promise<number> =>
  new Promise((done, fail) => {
    server.once('error', fail);
    server.listen({ host, port }, () => {
      const at = server.address();
      done(typeof at === 'object' && at ? at.port : port);
    });
  });

/**
 * Where devices come in: one port as the server was started, and another over TLS while there is an uploaded certificate. Where the server has
 * certificate files of its own, its one port is over TLS already, and the uploaded certificate takes the place of the files there.
 */
export class Entrances {
  readonly #services: Services;
  readonly #host: string;
  readonly #taken: (socket: Socket) => void;
  readonly #open = new Set<Server>();
  #main: Server | TlsServer | null = null;
  #secure: TlsServer | null = null;
  #identity: BrokerIdentity | null = null;
  /** The port for TLS that it got. */
  securePort: number | null = null;

  constructor(services: Services, host: string, taken: (socket: Socket) => void) {
    this.#services = services;
    this.#host = host;
    this.#taken = taken;
  }

  /** The certificate files the server was started with. */
  #ownFiles(): BrokerIdentity | null {
    const { tls } = this.#services.config;
    return tls && { cert: readFileSync(tls.cert, 'utf8'), key: readFileSync(tls.key, 'utf8') };
  }

  #follow<S extends Server>(server: S): S {
    server.on('error', (error) => this.#services.log.error({ err: error }, 'the broker has a fault'));
    this.#open.add(server);
    return server;
  }

  /** Opens the port of the settings; answers the one it got. @throws the error of listening */
  async open(port: number): Promise<number> {
    const own = this.#ownFiles();
    const server = own ? createTlsServer({ ...own, handshakeTimeout }, this.#taken) : createServer(this.#taken);
    const got = await listening(server, this.#host, port);
    this.#main = this.#follow(server);
    if (own) this.securePort = got;
    return got;
  }

  /** Uses a certificate for the connections that come from now on; null: none that was uploaded. A port that cannot be had is logged. */
  async adopt(identity: BrokerIdentity | null): Promise<void> {
    if (identity?.cert === this.#identity?.cert && identity?.key === this.#identity?.key) return;
    this.#identity = identity;
    const { config, log } = this.#services;
    if (config.tls) return (this.#main as TlsServer | null)?.setSecureContext(identity ?? this.#ownFiles() ?? {});
    if (identity && this.#secure) return this.#secure.setSecureContext(identity);
    if (!identity) return this.#closeSecure();
    const server = createTlsServer({ ...identity, handshakeTimeout }, this.#taken);
    try {
      this.securePort = await listening(server, this.#host, config.mqttsPort);
      this.#secure = this.#follow(server);
    } catch (error) {
      this.#identity = null;
      log.error({ err: error, port: config.mqttsPort }, 'the broker cannot listen over TLS, it is tried again later');
    }
  }

  #closeSecure(): void {
    if (this.#secure) {
      this.#open.delete(this.#secure);
      this.#secure.close();
    }
    this.#secure = null;
    this.securePort = null;
  }

  /** Lets nobody in any more; resolves when all who came in are gone. */
  async close(): Promise<void> {
    await Promise.all([...this.#open].map((server) => new Promise<void>((done) => server.close(() => done()))));
  }
}

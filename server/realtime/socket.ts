import type { RawData, WebSocket } from 'ws';
import { frameOf, probeTopic, readClientFrame } from '#models/realtime.ts';
import type { OpenSession } from '../access/principal.ts';
import type { Services } from '../context.ts';
import { closeCodes, Connection } from './connection.ts';
import type { Hub } from './hub.ts';
import type { ChannelMetrics } from './metrics.ts';

/** A reader with more than this waiting (bytes) is given up: the others must not pay for it. */
const mostWaiting = 1024 * 1024;
const pingEvery = 20_000;
const missesAllowed = 2;
/** Frames a client may send at once, and every second after that. */
const burst = 300;
const perSecond = 50;
/** So late is a channel that the demo has delayed, ms. */
const stagedDelay = 3_000;
/** A close that nobody answers is over after this time. */
const closeTimeout = 2_000;

const alive = Buffer.from(frameOf(probeTopic, 'Alive', {}));

/** One WebSocket of the channel: its frames in order, its sign of life, its limits. */
export class Socket {
  readonly connection: Connection;
  readonly #ws: WebSocket;
  readonly #hub: Hub;
  readonly #services: Services;
  readonly #metrics: ChannelMetrics;
  #work: Promise<void> = Promise.resolve();
  #allowance = burst;
  #filledAt: number;
  #pingAt: number;
  #unanswered = 0;
  /** What the demo's staged delay holds back, and until when. */
  readonly #late: Buffer[] = [];
  #dueAt = 0;

  constructor(ws: WebSocket, session: OpenSession, { hub, services, metrics }: { hub: Hub; services: Services; metrics: ChannelMetrics }) {
    this.#ws = ws;
    this.#hub = hub;
    this.#services = services;
    this.#metrics = metrics;
    const at = services.now().getTime();
    this.#filledAt = performance.now();
    this.#pingAt = at + pingEvery;
    this.connection = new Connection({ send: (frame) => this.#send(frame), close: (code) => this.close(code) }, session, at);
    ws.on('message', (data, isBinary) => this.#receive(data, isBinary));
    ws.on('ping', () => this.#spend(1));
    ws.on('pong', () => (this.#unanswered = 0));
    ws.on('error', (error) => services.log.debug({ err: error }, 'a realtime connection broke'));
    ws.on('close', () => (this.connection.isOpen = false));
  }

  /** Pings when it is time, and gives up a client that has answered none of the last pings. */
  tick(at: number): void {
    if (at < this.#pingAt) return;
    if (this.#unanswered >= missesAllowed) return this.#giveUp('silent');
    this.#pingAt = at + pingEvery;
    this.#unanswered += 1;
    this.#ws.ping();
  }

  close(code: number): void {
    this.connection.isOpen = false;
    this.#ws.close(code);
    setTimeout(() => this.#ws.terminate(), closeTimeout).unref();
  }

  #giveUp(why: 'slow' | 'silent'): void {
    this.#metrics.dropped(why);
    this.connection.isOpen = false;
    this.#ws.terminate();
  }

  /** Frames that were late once stay in order, also when the channel is whole again. */
  #send(frame: Buffer): void {
    const now = performance.now();
    const late = this.#services.simulator?.channelOf(this.connection.principal.projectId) === 'delayed' ? stagedDelay : 0;
    this.#dueAt = Math.max(this.#dueAt, now + late);
    if (this.#dueAt <= now) return this.#write(frame);
    this.#late.push(frame);
    setTimeout(() => {
      const [first] = this.#late.splice(0, 1);
      if (first) this.#write(first);
    }, this.#dueAt - now).unref();
  }

  #write(frame: Buffer): void {
    if (this.#ws.readyState !== this.#ws.OPEN) return;
    if (this.#ws.bufferedAmount > mostWaiting) return this.#giveUp('slow');
    this.#metrics.sent();
    this.#ws.send(frame, { binary: false });
  }

  /** Takes so much of the client's allowance; false, and the connection closed, when it is used up. */
  #spend(cost: number): boolean {
    const now = performance.now();
    this.#allowance = Math.min(burst, this.#allowance + ((now - this.#filledAt) / 1_000) * perSecond);
    this.#filledAt = now;
    this.#allowance -= cost;
    if (this.#allowance >= 0) return true;
    if (this.connection.isOpen) this.#metrics.dropped('flood');
    this.connection.close(closeCodes.policy);
    return false;
  }

  #receive(data: RawData, isBinary: boolean): void {
    this.#metrics.received();
    if (!this.connection.isOpen || !this.#spend(1)) return;
    const frame = isBinary ? null : readClientFrame((data as Buffer).toString());
    if (!frame) return this.#hub.refuse(this.connection, '', 'wrong_parameters');
    const { command, topic } = frame;
    if (command === 'publish') {
      // Topics belong to the server; the only thing a client may publish is the question whether it is there.
      if (topic === probeTopic) this.#send(alive);
      else this.#hub.refuse(this.connection, topic, 'forbidden');
      return;
    }
    this.#work = this.#work.then(() => this.#obey(command, topic));
  }

  async #obey(command: 'subscribe' | 'unsubscribe', topic: string): Promise<void> {
    if (!this.connection.isOpen) return;
    if (command === 'unsubscribe') return this.#hub.unsubscribe(this.connection, topic);
    await this.#hub.subscribe(this.connection, topic).catch((error: unknown) => {
      this.#services.log.warn({ err: error }, 'a subscription could not be looked at');
      this.#hub.refuse(this.connection, topic, 'unavailable');
    });
  }
}

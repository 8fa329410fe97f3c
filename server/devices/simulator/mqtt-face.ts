import { connect, type MqttClient } from 'mqtt';
import type { Timer } from '#server/timers.ts';
import { deviceRequest, deviceTopics, type DeviceStatus, readMessage } from '../protocol.ts';
import type { SimulatedDevice } from './device.ts';
import { type Face, restartTime } from './face.ts';

const heartbeatEvery = 20_000;
/** It tells that it has begun anew a moment after it is there again, ms. */
const settled = 500;

/** A device that is a client of the broker, with a retained status and a last will. */
export class MqttFace implements Face {
  readonly #device: () => SimulatedDevice;
  readonly #url: string;
  readonly #serial: string;
  #client: MqttClient | null = null;
  #beat: Timer | undefined;

  /** `url`: the broker's. */
  constructor(device: () => SimulatedDevice, url: string) {
    this.#device = device;
    this.#url = url;
    this.#serial = device().plan.serial;
    device().onRestart(() => this.#restart());
  }

  isOnline(): boolean {
    return this.#client?.connected === true;
  }
  isListenedTo(): boolean {
    return this.isOnline();
  }
  goOnline(): void {
    if (this.#client) return;
    const client = this.#connect();
    this.#client = client;
    client.on('connect', () => {
      client.subscribe(deviceTopics.request(this.#serial), { qos: 1 });
      this.#publish(
        deviceTopics.status(this.#serial),
        { type: 'online', firmware: this.#device().plan.firmware, copy: this.#device().copyVersion },
        true,
      );
    });
    client.on('message', (_topic, payload) => void this.#hear(payload));
    // A server that is away is met again later; a wrong password likewise, when the settings have come.
    client.on('error', () => undefined);
    this.#beat = this.#device().timers.every(heartbeatEvery, () => this.say({ type: 'heartbeat' }));
  }
  /** Cut, not ended: the broker publishes the last will. */
  goOffline(): void {
    const left = this.#leave();
    left?.stream.destroy();
    left?.end(true);
  }
  say(said: DeviceStatus): void {
    this.#publish(deviceTopics.status(this.#serial), said);
  }
  async close(): Promise<void> {
    const left = this.#leave();
    if (left) await new Promise<void>((done) => left.end(true, {}, () => done()));
  }

  #connect(): MqttClient {
    return connect(this.#url, {
      clientId: this.#serial,
      username: this.#serial,
      password: this.#device().requests.password ?? '',
      clean: true,
      keepalive: 30,
      reconnectPeriod: 5_000,
      // The broker of the demo is this very process: whatever certificate it has is its own.
      rejectUnauthorized: false,
      will: { topic: deviceTopics.status(this.#serial), payload: Buffer.from(JSON.stringify({ type: 'offline' })), qos: 1, retain: true },
    });
  }
  async #hear(payload: Buffer): Promise<void> {
    const asked = readMessage(deviceRequest, payload);
    if (asked) this.#publish(deviceTopics.response(this.#serial), await this.#device().handle(asked));
  }
  #publish(topic: string, message: object, retain = false): void {
    this.#client?.publish(topic, JSON.stringify(message), { qos: 1, retain });
  }
  #leave(): MqttClient | null {
    this.#beat?.cancel();
    const left = this.#client;
    this.#client = null;
    return left;
  }
  #restart(): void {
    this.#leave()?.end(true);
    const { timers } = this.#device();
    timers.after(restartTime, () => {
      this.goOnline();
      timers.after(settled, () => this.#device().rebooted());
    });
  }
}

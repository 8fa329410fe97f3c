import type { Services } from '../context.ts';
import type { Timer } from '../timers.ts';
import { askByHttp } from './http-device.ts';
import type { StoredDevice } from './orders.ts';
import { answerTime, type DeviceRequest, deviceResponse, type DeviceResponse, readMessage } from './protocol.ts';
import { unseal } from './secrets.ts';
import type { Wire } from './wire.ts';

/** Nothing is known of the outcome: the device did not answer in time, or was not reached. */
export class NoAnswer extends Error {}

interface Pending {
  serial: string;
  answered: (response: DeviceResponse) => void;
  failed: (error: NoAnswer) => void;
  timer: Timer;
}

/** Sends requests to devices by whichever protocol they speak, and matches what comes back. */
export class Link {
  readonly #services: Services;
  readonly #wire: () => Wire;
  readonly #pending = new Map<string, Pending>();

  constructor(services: Services, wire: () => Wire) {
    this.#services = services;
    this.#wire = wire;
  }

  /** @throws NoAnswer */
  async ask(device: StoredDevice, request: DeviceRequest): Promise<DeviceResponse> {
    if (device.protocol === 'mqtt') return this.#askByWire(device.login, request);
    const { ipAddress: ip, port, deviceLogin: login, devicePasswordCipher: cipher } = device;
    if (device.protocol !== 'http' || ip === null) throw new NoAnswer('not_reached');
    try {
      return await askByHttp(this.#services.config, { ip, port, login, password: cipher === null ? null : unseal(this.#services, cipher) }, request);
    } catch (error) {
      this.#services.log.debug({ device: device.id, reason: String(error) }, 'a device was not reached');
      throw new NoAnswer('not_reached');
    }
  }

  #askByWire(serial: string, request: DeviceRequest): Promise<DeviceResponse> {
    return new Promise((answered, failed) => {
      const timer = this.#services.timers.after(answerTime, () => this.#settle(request.id)?.failed(new NoAnswer('no_answer')));
      this.#pending.set(request.id, { serial, answered, failed, timer });
      this.#wire()
        .send(serial, JSON.stringify(request))
        .catch(() => this.#settle(request.id)?.failed(new NoAnswer('not_reached')));
    });
  }

  #settle(id: string): Pending | undefined {
    const found = this.#pending.get(id);
    found?.timer.cancel();
    this.#pending.delete(id);
    return found;
  }

  /** A response came by the wire; one that nobody waits for, or from another device than was asked, is dropped. */
  heard(serial: string, payload: Buffer): void {
    const response = readMessage(deviceResponse, payload);
    if (!response) {
      this.#services.log.warn({ serial, bytes: payload.length }, 'a response cannot be read');
      return;
    }
    if (this.#pending.get(response.id)?.serial === serial) this.#settle(response.id)?.answered(response);
  }

  /** The connection of a device ended: what it was asked for is not answered any more. */
  gone(serial: string): void {
    for (const [id, pending] of this.#pending) if (pending.serial === serial) this.#settle(id)?.failed(new NoAnswer('not_reached'));
  }

  close(): void {
    for (const id of this.#pending.keys()) this.#settle(id)?.failed(new NoAnswer('not_reached'));
  }
}

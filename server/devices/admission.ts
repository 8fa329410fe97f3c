import { createHash, timingSafeEqual } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import { audit } from '../audit.ts';
import type { Services } from '../context.ts';
import { devices } from '../db/schema/index.ts';
import { blocksOf } from '../blocks.ts';
import type { Limiter } from '../limiter.ts';
import { notifyLimited } from '../notify-limited.ts';
import { seal, unseal } from './secrets.ts';
import { spokenProtocol } from './tasks.ts';
import { lengthOf } from '#models/time.ts';

/** A device that may sign in to the broker. */
export interface Admitted {
  id: string;
  projectId: string;
  name: string;
  serial: string;
}

/** All devices of a site often share one address. */
const limits = { pair: 5, address: 60, name: 60, spare: 20 };
/** The trail is told of the same refusal once an hour. */
const notifyEvery = lengthOf(1, 'hour');

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
const isSame = (a: string, b: string): boolean => timingSafeEqual(hash(a), hash(b));

/** Decides which devices are let in, and puts on record what was refused: in the log always, in the trail once an hour and cause. */
export class Admission {
  readonly #services: Services;
  readonly #limiter: Limiter;
  /** Opened in the place of the password of a device that there is not, so that it takes as long. */
  readonly #nobody: string;
  readonly #recordedAt = new Map<string, number>();

  constructor(services: Services) {
    this.#services = services;
    this.#limiter = blocksOf(services).limiter('mqtt', limits, () => services.now().getTime());
    this.#nobody = seal(services, 'nobody has this password');
  }

  #isClosed(serial: string, address: string): boolean {
    const closed = this.#limiter.closed(serial, address) > 0;
    if (closed) this.#services.log.warn({ serial, ip: address }, 'a device was not let in: too many wrong passwords');
    return closed;
  }

  /** The device that signs in with its serial number and password; null for everybody else. */
  async admit(login: string, password: string, address: string): Promise<Admitted | null> {
    const serial = login.toLowerCase();
    if (this.#isClosed(serial, address)) return null;
    const [device] = await this.#services.db
      .select()
      .from(devices)
      .where(and(eq(sql`lower(${devices.login})`, serial), eq(spokenProtocol, 'mqtt')));
    // Guesses made at once are all under way before the first has failed.
    if (this.#isClosed(serial, address)) return null;
    const stored = unseal(this.#services, device?.passwordCipher ?? this.#nobody);
    const fits = isSame(stored, password);
    if (device?.passwordCipher && stored !== '' && fits) {
      this.#limiter.succeeded(serial, address);
      return { id: device.id, projectId: device.projectId, name: device.name, serial: device.login };
    }
    const found = device ? { ...device, serial: device.login } : null;
    // The refusal does not wait for it: how long it takes must not say whether there is such a device.
    void this.refuse(found, 'wrong_password', address, { serial: login });
    if (this.#limiter.failed(serial, address, { cause: device ? 'AUTH_FAILED' : 'UNKNOWN' }).isNews)
      void notifyLimited(this.#services, { area: 'devices', name: login, ip: address, userAgent: 'mqtt' }, async () => (found ? [found] : []));
    return null;
  }

  /** Puts a refusal on record. A device that nobody knows belongs to no project's trail. */
  async refuse(device: Admitted | null, cause: string, address: string, more: Record<string, unknown> = {}): Promise<void> {
    const { db, log, now } = this.#services;
    log.warn({ cause, ip: address, ...(device && { device: device.id, serial: device.serial }), ...more }, 'a device was refused');
    if (!device) return;
    const key = `${device.id} ${cause}`;
    const at = now();
    if (at.getTime() - (this.#recordedAt.get(key) ?? -Infinity) < notifyEvery) return;
    this.#recordedAt.set(key, at.getTime());
    const actor = { projectId: device.projectId, id: device.id, name: device.name, ip: address, userAgent: 'mqtt' };
    const changes = { cause: { before: null, after: cause } };
    await audit(db, actor, { area: 'devices', action: 'refused', entityId: device.id, entityName: device.name, changes }, at).catch(
      (error: unknown) => log.error({ err: error }, 'a refusal could not be put on record'),
    );
  }
}

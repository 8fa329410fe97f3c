import { createHash, timingSafeEqual } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import { audit } from '../audit.ts';
import type { Services } from '../context.ts';
import { devices } from '../db/schema/index.ts';
import { unseal } from './secrets.ts';
import { spokenProtocol } from './tasks.ts';

/** A device that may sign in to the broker. */
export interface Admitted {
  id: string;
  projectId: string;
  name: string;
  serial: string;
}

const window = 60_000;
/** Wrong passwords of one serial number, or from one address, before nothing is looked up for a minute. */
const triesPerSerial = 5;
const triesPerAddress = 30;
/** The trail is told of the same refusal once an hour. */
const tellEvery = 3_600_000;

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
const isSame = (a: string, b: string): boolean => timingSafeEqual(hash(a), hash(b));

/** Decides which devices are let in, and puts on record what was refused: in the log always, in the trail once an hour and cause. */
export class Admission {
  readonly #services: Services;
  readonly #failures = new Map<string, { count: number; since: number }>();
  readonly #told = new Map<string, number>();

  constructor(services: Services) {
    this.#services = services;
  }

  #braked(key: string, tries: number): boolean {
    const found = this.#failures.get(key);
    return found !== undefined && found.count >= tries && this.#services.now().getTime() - found.since < window;
  }

  #fail(key: string): void {
    const at = this.#services.now().getTime();
    if (this.#failures.size > 10_000) this.#failures.clear();
    const found = this.#failures.get(key);
    if (found && at - found.since < window) found.count += 1;
    else this.#failures.set(key, { count: 1, since: at });
  }

  /** The device that signs in with its serial number and password; null for everybody else. */
  async admit(serial: string, password: string, address: string): Promise<Admitted | null> {
    const [bySerial, byAddress] = [`serial:${serial.toLowerCase()}`, `address:${address}`];
    if (this.#braked(bySerial, triesPerSerial) || this.#braked(byAddress, triesPerAddress)) {
      this.#services.log.warn({ serial, ip: address }, 'a device was not let in: too many wrong passwords');
      return null;
    }
    const [device] = await this.#services.db
      .select()
      .from(devices)
      .where(and(eq(sql`lower(${devices.login})`, serial.toLowerCase()), eq(spokenProtocol, 'mqtt')));
    const stored = device?.passwordCipher ? unseal(this.#services, device.passwordCipher) : '';
    if (device && stored !== '' && isSame(stored, password)) {
      this.#failures.delete(bySerial);
      return { id: device.id, projectId: device.projectId, name: device.name, serial: device.login };
    }
    this.#fail(bySerial);
    this.#fail(byAddress);
    await this.refuse(device ? { ...device, serial: device.login } : null, 'wrong_password', address, { serial });
    return null;
  }

  /** Puts a refusal on record. A device that nobody knows belongs to no project's trail. */
  async refuse(device: Admitted | null, cause: string, address: string, more: Record<string, unknown> = {}): Promise<void> {
    const { db, log, now } = this.#services;
    log.warn({ cause, ip: address, ...(device && { device: device.id, serial: device.serial }), ...more }, 'a device was refused');
    if (!device) return;
    const key = `${device.id} ${cause}`;
    const at = now();
    if (at.getTime() - (this.#told.get(key) ?? -Infinity) < tellEvery) return;
    this.#told.set(key, at.getTime());
    const actor = { projectId: device.projectId, id: device.id, name: device.name, ip: address, userAgent: 'mqtt' };
    const changes = { cause: { before: null, after: cause } };
    await audit(db, actor, { area: 'devices', action: 'refused', entityId: device.id, entityName: device.name, changes }, at).catch(
      (error: unknown) => log.error({ err: error }, 'a refusal could not be put on record'),
    );
  }
}

import { sql } from 'drizzle-orm';
import { topics } from '#models/realtime.ts';
import { idArray } from '../access/measures.ts';
import type { Services } from '../context.ts';
import type { Timer } from '../timers.ts';
import { devices } from '../db/schema/index.ts';
import { type Announced, announce } from '../realtime/publish.ts';
import { silence } from './protocol.ts';

/** For so long a device that beats may say nothing, ms: twice its keep-alive, a minute at least. */
const beatSilence = sql`greatest(${silence}::float8, coalesce((${devices.settings} #>> '{mqtt,keep_alive}')::float8, 0) * 2000)`;
/** One that need not beat may be silent for as long as it is connected. */
export const silenceOf = sql<number>`case when (${devices.management} ->> 'heartbeat')::boolean then ${beatSilence} else 'infinity'::float8 end`;

/** A device as signs of life are kept of it; `silence` in ms. */
interface Alive {
  id: string;
  projectId: string;
  silence?: number;
}

/** How one device stands, as far as this process has heard. */
interface Standing {
  deviceId: string;
  projectId: string;
  online: boolean;
  heardAt: number;
  silence: number;
  firmware: string | null;
  /** What the database was last told; null before the first time. */
  written: boolean | null;
  /** Heard again since it was written. */
  fresh: boolean;
}

const flushEvery = 1_000;
/** Times of last signs of life are written this often; the flips at once. */
const signsEvery = 15_000;

/**
 * Knows which devices are there. Signs of life touch memory only; once a second those that came or went are written and
 * told, so that a device that flutters is told of as it stood at the end of that second.
 */
export class Presence {
  readonly #services: Services;
  readonly #standings = new Map<string, Standing>();
  readonly #flipped: (deviceId: string, projectId: string, online: boolean) => void;
  #timer: Timer | undefined;
  #signsAt = 0;
  #staleAt = 0;
  #closed = false;
  #writing: Promise<void> = Promise.resolve();

  constructor(services: Services, flipped: (deviceId: string, projectId: string, online: boolean) => void) {
    this.#services = services;
    this.#flipped = flipped;
  }

  open(): void {
    this.#timer = this.#services.timers.every(flushEvery, () => void this.flush());
  }
  /** The last word is written. When the server ends no device has gone: what happens afterwards is not looked at. */
  async close(): Promise<void> {
    this.#timer?.cancel();
    await this.flush();
    this.#closed = true;
  }

  isOnline(serial: string): boolean {
    return this.#standings.get(serial)?.online === true;
  }

  /** A device was heard. */
  heard(serial: string, { id, projectId, silence: mostSilent = silence }: Alive, firmware?: string | null): void {
    const at = this.#services.now().getTime();
    const known = this.#standings.get(serial);
    if (known) {
      Object.assign(known, { deviceId: id, projectId, online: true, heardAt: at, silence: mostSilent, fresh: true, ...(firmware && { firmware }) });
    } else
      this.#standings.set(serial, {
        deviceId: id,
        projectId,
        online: true,
        heardAt: at,
        silence: mostSilent,
        firmware: firmware ?? null,
        written: null,
        fresh: true,
      });
  }

  /** A device said goodbye, its connection ended, or it did not answer. */
  gone(serial: string, device?: Alive): void {
    const known = this.#standings.get(serial);
    if (known) known.online = false;
    else if (device)
      this.#standings.set(serial, {
        deviceId: device.id,
        projectId: device.projectId,
        online: false,
        heardAt: this.#services.now().getTime(),
        silence,
        firmware: null,
        written: null,
        fresh: false,
      });
  }

  /** A device that is no longer spoken to is not known either. */
  forget(serial: string): void {
    this.#standings.delete(serial);
  }

  /** Writes and tells what has changed; one write at a time. */
  flush(): Promise<void> {
    this.#writing = this.#writing
      .then(() => this.#write())
      .catch((error: unknown) => this.#services.log.error({ err: error }, 'the state of devices could not be written'));
    return this.#writing;
  }

  async #write(): Promise<void> {
    if (this.#closed) return;
    const at = this.#services.now().getTime();
    for (const standing of this.#standings.values()) if (standing.online && at - standing.heardAt > standing.silence) standing.online = false;
    const flips = [...this.#standings.values()].filter(({ online, written }) => online !== written);
    const signs =
      at - this.#signsAt >= signsEvery
        ? [...this.#standings.values()].filter(({ fresh, silence: most, online, written }) => (fresh || most === Infinity) && online && written)
        : [];
    if (signs.length > 0 || flips.length > 0) this.#signsAt = signs.length > 0 ? at : this.#signsAt;
    if (flips.length > 0) await this.#writeFlips(flips);
    if (signs.length > 0) await this.#writeSigns(signs);
    if (at - this.#staleAt >= signsEvery) {
      this.#staleAt = at;
      await this.#writeStale(at);
    }
  }

  /** Devices that the database has as present and that no process has heard for long: they went while the server was away. */
  async #writeStale(at: number): Promise<void> {
    const now = new Date(at - 2 * signsEvery).toISOString();
    const gone = await this.#services.db.transaction(async (tx) => {
      const { rows } = await tx.execute<{ id: string; project: string; at: string }>(sql`update ${devices} set online = false
        where ${devices.online} and ${devices.protocol} <> 'none' and extract(epoch from ${now}::timestamptz - ${devices.statusAt}) * 1000 > ${beatSilence}
        returning ${devices.id} as id, ${devices.projectId} as project, ${devices.statusAt}::text as at`);
      await announce(
        tx,
        rows.flatMap(({ id, project, at: heard }) => statusMessages({ deviceId: id, projectId: project }, false, Date.parse(heard))),
      );
      return rows;
    });
    for (const { id, project } of gone) this.#flipped(id, project, false);
  }

  async #writeFlips(flips: readonly Standing[]): Promise<void> {
    const now = flips.map((standing) => ({ standing, online: standing.online, heardAt: standing.heardAt }));
    const lines = now.map(({ standing, online, heardAt }) => ({
      id: standing.deviceId,
      online,
      at: new Date(heardAt).toISOString(),
      firmware: standing.firmware,
    }));
    await this.#services.db.transaction(async (tx) => {
      await tx.execute(sql`update ${devices} set online = line.online, status_at = line.at, firmware = coalesce(line.firmware, ${devices.firmware})
        from json_to_recordset(${JSON.stringify(lines)}::json) as line(id uuid, online boolean, at timestamptz, firmware text) where ${devices.id} = line.id`);
      await announce(
        tx,
        now.flatMap(({ standing, online, heardAt }) => statusMessages(standing, online, heardAt)),
      );
    });
    for (const { standing, online } of now) {
      const first = standing.written === null;
      standing.written = online;
      standing.fresh = false;
      if (!first || online) this.#flipped(standing.deviceId, standing.projectId, online);
    }
  }

  async #writeSigns(signs: readonly Standing[]): Promise<void> {
    const ids = signs.map(({ deviceId }) => deviceId);
    await this.#services.db.execute(
      sql`update ${devices} set status_at = ${this.#services.now().toISOString()}::timestamptz where ${devices.id} = any(${idArray(ids)})`,
    );
    for (const sign of signs) sign.fresh = false;
  }
}

function statusMessages({ deviceId, projectId }: Pick<Standing, 'deviceId' | 'projectId'>, online: boolean, heardAt: number): Announced[] {
  return [
    {
      project: projectId,
      topic: topics.device(deviceId),
      name: 'DeviceStatus',
      payload: { id: deviceId, online, at: new Date(heardAt).toISOString() },
    },
    { project: projectId, topic: topics.area('devices'), name: 'RowsChanged', payload: { area: 'devices', ids: [deviceId] } },
  ];
}

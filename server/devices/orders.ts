import { eq, sql } from 'drizzle-orm';
import type { DeviceTaskKind } from '#models/device-tasks.ts';
import type { Services } from '../context.ts';
import type { Db } from '../db/database.ts';
import { type devices, groups, identifiers, userDomains } from '../db/schema/index.ts';
import { unseal } from './secrets.ts';

export type StoredDevice = typeof devices.$inferSelect;
type Body = Record<string, unknown>;

const unsealed = (services: Services, cipher: string | null): string | null => (cipher === null ? null : unseal(services, cipher));

/** The settings as a device is sent them, secrets and all: they are looked up now and kept nowhere else. */
export function settingsFor(services: Services, device: StoredDevice): Body {
  const sip = (device.settings['sip'] ?? {}) as Body;
  return {
    name: device.name,
    port: device.port,
    password: unsealed(services, device.passwordCipher),
    device_login: device.deviceLogin,
    device_password: unsealed(services, device.devicePasswordCipher),
    get_logs: device.getLogs,
    management: device.management,
    device_settings: { ...device.settings, sip: { ...sip, password: unsealed(services, device.sipPasswordCipher) } },
  };
}

/** The settings as they are sent, secrets left out. */
export function shownSettingsFor(device: StoredDevice): Body {
  return {
    name: device.name,
    port: device.port,
    device_login: device.deviceLogin,
    get_logs: device.getLogs,
    management: device.management,
    device_settings: device.settings,
  };
}

/**
 * The identifiers a device must know: those of the people who live behind it, at or below its group. What is switched
 * off or revoked goes along, so that the device can say why it refuses.
 */
export async function dataFor(db: Db, device: StoredDevice): Promise<Body> {
  const behind = sql`${identifiers.userId} in (select ${userDomains.userId} from ${userDomains} join ${groups} on ${groups.id} = ${userDomains.groupId}
    where ${device.domainId}::uuid = any(${groups.path}))`;
  const rows = await db
    .select()
    .from(identifiers)
    .where(sql`${eq(identifiers.projectId, device.projectId)} and ${behind}`);
  const time = (restricted: boolean, moment: Date | null): string | null => (restricted ? (moment?.toISOString() ?? null) : null);
  return {
    identifiers: rows.map((row) => ({
      id: row.id,
      type: row.type,
      value: row.value,
      is_active: row.isActive,
      is_revoked: row.revokedAt !== null,
      from: time(row.periodRestrictActive, row.periodRestrictFrom),
      to: time(row.periodRestrictActive, row.periodRestrictTo),
      passes: row.passesRestrictActive && row.passesMaxCount !== null ? Math.max(0, row.passesMaxCount - row.passesCount) : null,
    })),
    schedules: [],
    access_rules: [],
  };
}

/** The body of a request for a task. */
export async function bodyFor(services: Services, device: StoredDevice, kind: DeviceTaskKind, payload: Body): Promise<Body> {
  switch (kind) {
    case 'apply_settings':
    case 'init':
      return settingsFor(services, device);
    case 'synchronise':
      return dataFor(services.db, device);
    case 'reinit':
      return { ...settingsFor(services, device), ...(await dataFor(services.db, device)), erase: true };
    case 'set_protocol':
      // The new way has credentials of its own.
      return { ...settingsFor(services, device), ...payload };
    case 'restart':
    case 'open_door':
    case 'remote_control':
      return payload;
    default:
      throw new Error(`a device cannot be asked for ${String(kind satisfies never)}`);
  }
}

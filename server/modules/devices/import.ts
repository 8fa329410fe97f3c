import { and, eq, inArray, sql } from 'drizzle-orm';
import { deviceModels, isDeviceType } from '#models/device-models.ts';
import { devices as model } from '#models/devices.ts';
import { devices } from '#server/db/schema/index.ts';
import type { Fields, Importer, Read } from '#server/import/importer.ts';
import { devicesRepository } from './repository.ts';

const lowLogin = sql<string>`lower(${devices.login})`;
const elsewhere = '\u0000';

/** A model by its name, whatever the case; what the type does not have is told by the rules of devices. */
function readModel(text: string, { type }: Fields): Read {
  const known = isDeviceType(type) ? deviceModels[type].find(({ name }) => name.toLowerCase() === text.toLowerCase()) : undefined;
  return { value: known?.name ?? text };
}

/** Devices from the file of a backup: a row is known by its serial number, whatever the case. Secrets are not among it: they are typed at both ends. */
export const devicesImporter: Importer = {
  area: 'devices',
  repository: devicesRepository,
  read: { model: readModel },
  complete: (fields) => fields,
  // What the file does not speak of is what every new device starts with.
  fresh: (fields) => ({ ...model.toWire({ ...model.initial, protocol: 'none' }), ...fields }),
  keyOf: ({ login }) => (typeof login === 'string' ? login.toLowerCase() : null),
  keyField: 'login',
  unique: {
    field: 'login',
    async find(db, projectId, logins) {
      if (logins.length === 0) return new Map();
      const rows = await db
        .select({ login: lowLogin, projectId: devices.projectId })
        .from(devices)
        .where(inArray(lowLogin, [...logins]));
      return new Map(rows.map((row) => [row.login, row.projectId === projectId ? row.login : elsewhere]));
    },
  },
  async find(db, projectId, logins) {
    if (logins.length === 0) return new Map();
    const rows = await db
      .select({ id: devices.id, login: lowLogin })
      .from(devices)
      .where(and(eq(devices.projectId, projectId), inArray(lowLogin, [...logins])));
    return new Map(rows.map(({ id, login }) => [login, id]));
  },
};

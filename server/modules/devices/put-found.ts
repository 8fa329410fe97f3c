import { and, eq, inArray } from 'drizzle-orm';
import type { PutOutcome } from '#models/device-calls.ts';
import { devices as model } from '#models/devices.ts';
import { toIssues } from '#models/issues.ts';
import type { Principal, Services } from '#server/context.ts';
import { createRow } from '#server/crud/write.ts';
import { foundDevices } from '#server/db/schema/index.ts';
import { problemAsData } from '#server/http/errors.ts';
import { HttpError } from '#server/http-error.ts';
import { devicesRepository } from './repository.ts';
import { foundDevice } from './search.ts';

/** A found device as a new row: what it said of itself, and for the rest what every new device starts with. */
function rowOf(
  { serial, ipAddress, port, type, model: name }: typeof foundDevices.$inferSelect,
  called: string,
  domain: string,
): Record<string, unknown> {
  const draft = { ...model.initial, name: called, domain, type, model: name, login: serial, protocol: 'http', ip_address: ipAddress, port };
  const result = model.write.safeParse(model.toWire(draft));
  if (!result.success) throw new HttpError('invalid_data', { issues: toIssues(result.error) });
  return result.data;
}

/** Takes a found device into the project and answers its id. @throws HttpError as creating a device does, and `not_found` */
export async function takeFound(
  services: Services,
  principal: Principal,
  { serial, name, domain }: { serial: string; name: string; domain: string },
): Promise<string> {
  const found = await foundDevice(services, principal, serial);
  return createRow(services, devicesRepository, principal, rowOf(found, name, domain));
}

/** Puts devices of a search into a group, each on its own, and answers what became of each. */
export async function putFound(
  services: Services,
  principal: Principal,
  { request_id: searchId, domain, items }: { request_id: string; domain: string; items: readonly { serial: string; name: string }[] },
): Promise<PutOutcome[]> {
  const serials = items.map(({ serial }) => serial);
  const rows = await services.db
    .select({ serial: foundDevices.serial })
    .from(foundDevices)
    .where(and(eq(foundDevices.projectId, principal.projectId), eq(foundDevices.searchId, searchId), inArray(foundDevices.serial, serials)));
  const here = new Set(rows.map(({ serial }) => serial));
  const outcomes: PutOutcome[] = [];
  for (const { serial, name } of items) {
    try {
      if (!here.has(serial)) throw new HttpError('not_found');
      outcomes.push({ serial, id: await takeFound(services, principal, { serial, name, domain }), problem: null });
    } catch (error) {
      outcomes.push({ serial, id: null, problem: problemAsData(error) });
    }
  }
  return outcomes;
}

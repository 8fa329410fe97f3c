import { and, desc, eq, lt, sql } from 'drizzle-orm';
import type { DeviceSearch } from '#models/device-calls.ts';
import type { FoundDevice } from '#models/devices.ts';
import { utc } from '#models/time.ts';
import { scopeOf, visibleIds } from '#server/access/scope.ts';
import type { Principal, Services } from '#server/context.ts';
import { devices, deviceSearches, foundDevices } from '#server/db/schema/index.ts';
import { addressesBetween, type Answering, searchAddresses } from '#server/devices/search.ts';
import { HttpError } from '#server/http-error.ts';

type Stored = typeof deviceSearches.$inferSelect;
type Found = typeof foundDevices.$inferSelect;
/** A search of which nothing was heard for so long went down with its server, ms. */
const lost = 30_000;
const batchTime = 400;
const retentionDays = 30;

/** A found device as it is told: whether somebody has it already, and by which name, as far as the principal may see. */
async function asFound({ db }: Services, principal: Principal, rows: readonly Found[]): Promise<(FoundDevice & { found_at: string })[]> {
  if (rows.length === 0) return [];
  const serials = sql.join(
    rows.map(({ serial }) => sql`${serial.toLowerCase()}`),
    sql`, `,
  );
  const { rows: known } = await db.execute<{ serial: string; name: string | null }>(
    sql`select lower(${devices.login}) as serial, case when ${devices.id} in ${visibleIds(scopeOf(principal), 'devices')} then ${devices.name} end as name
      from ${devices} where lower(${devices.login}) in (${serials})`,
  );
  const names = new Map(known.map(({ serial, name }) => [serial, name]));
  return rows.map(({ serial, ipAddress, port, type, model, firmware, foundAt }) => ({
    serial,
    ip_address: ipAddress,
    port,
    type: type as FoundDevice['type'],
    model,
    firmware,
    is_known: names.has(serial.toLowerCase()),
    name: names.get(serial.toLowerCase()) ?? null,
    found_at: foundAt.toISOString(),
  }));
}

async function asSearch(services: Services, principal: Principal, { id, state, done, total, updatedAt }: Stored): Promise<DeviceSearch> {
  const rows = await services.db
    .select()
    .from(foundDevices)
    .where(and(eq(foundDevices.searchId, id), eq(foundDevices.projectId, principal.projectId)))
    .orderBy(sql`${foundDevices.ipAddress}::inet`, foundDevices.port);
  const silent = state === 'running' && services.now().getTime() - updatedAt.getTime() > lost;
  const found = (await asFound(services, principal, rows)).map(({ found_at: _when, ...device }) => device);
  return { request_id: id, state: silent ? 'failed' : state, done, total, found };
}

/** Someone's own search. @throws HttpError `not_found` */
async function ownSearch({ db }: Services, principal: Principal, id: string): Promise<Stored> {
  const [search] = await db
    .select()
    .from(deviceSearches)
    .where(and(eq(deviceSearches.id, id), eq(deviceSearches.userId, principal.id)));
  if (!search) throw new HttpError('not_found');
  return search;
}

async function store(
  { db, now }: Services,
  projectId: string,
  searchId: string,
  { serial, ip, port, type, model, firmware = null }: Answering,
): Promise<void> {
  const seen = { searchId, ipAddress: ip, port, type, model, firmware, foundAt: now() };
  await db
    .insert(foundDevices)
    .values({ projectId, serial, ...seen })
    .onConflictDoUpdate({ target: [foundDevices.projectId, foundDevices.serial], set: seen });
}

/** Runs a search to its end; how far it is, is written down now and then, and a wish to stop is heard then. */
async function run(services: Services, { id, projectId }: Stored, addresses: readonly string[]): Promise<void> {
  const { db, now, log } = services;
  let done = 0;
  let cancelled = false;
  const writes: Promise<void>[] = [];
  const write = async (state: Stored['state']): Promise<void> => {
    const [row] = await db
      .update(deviceSearches)
      .set({ done, state: sql`case when ${deviceSearches.state} = 'running' then ${state} else ${deviceSearches.state} end`, updatedAt: now() })
      .where(eq(deviceSearches.id, id))
      .returning({ state: deviceSearches.state });
    cancelled = row?.state === 'cancelled' || row === undefined;
  };
  const timer = setInterval(
    () => writes.push(write('running').catch((error: unknown) => log.warn({ err: error }, 'the progress of a search was not written'))),
    batchTime,
  );
  try {
    await searchAddresses(services, addresses, {
      found: (device) => void writes.push(store(services, projectId, id, device)),
      done: (count) => {
        done = count;
      },
      isCancelled: () => cancelled,
    });
    await Promise.all(writes);
    await write('completed');
  } catch (error) {
    log.error({ err: error, search: id }, 'a search for devices broke off');
    await write('failed').catch(() => undefined);
  } finally {
    clearInterval(timer);
  }
}

/** Begins a search. @throws HttpError `invalid_data` for a range that may not be searched, `not_unique` for an id used before */
export async function beginSearch(
  services: Services,
  principal: Principal,
  wanted: { start_ip: string; end_ip: string; request_id: string },
): Promise<DeviceSearch> {
  const { db, now } = services;
  const addresses = addressesBetween(services, wanted.start_ip, wanted.end_ip);
  await db.delete(foundDevices).where(lt(foundDevices.foundAt, utc(now()).subtract(retentionDays, 'day').toDate()));
  const at = now();
  const [search] = await db
    .insert(deviceSearches)
    .values({
      id: wanted.request_id,
      projectId: principal.projectId,
      userId: principal.id,
      state: 'running',
      total: addresses.length,
      createdAt: at,
      updatedAt: at,
    })
    .onConflictDoNothing()
    .returning();
  if (!search) throw new HttpError('not_unique');
  void run(services, search, addresses);
  return asSearch(services, principal, search);
}

/** How somebody's own search stands. @throws HttpError `not_found` for that of another */
export const readSearch = async (services: Services, principal: Principal, id: string): Promise<DeviceSearch> =>
  asSearch(services, principal, await ownSearch(services, principal, id));

/** Stops a search at the next address; what was found stays. One that is over stays as it ended. */
export async function cancelSearch(services: Services, principal: Principal, id: string): Promise<void> {
  await ownSearch(services, principal, id);
  await services.db
    .update(deviceSearches)
    .set({ state: 'cancelled', updatedAt: services.now() })
    .where(and(eq(deviceSearches.id, id), eq(deviceSearches.state, 'running')));
}

/** Found devices of the project that nobody has, newest first. */
export async function readPool(services: Services, principal: Principal): Promise<(FoundDevice & { found_at: string })[]> {
  const rows = await services.db
    .select()
    .from(foundDevices)
    .where(eq(foundDevices.projectId, principal.projectId))
    .orderBy(desc(foundDevices.foundAt), foundDevices.serial)
    .limit(500);
  return (await asFound(services, principal, rows)).filter(({ is_known: known }) => !known);
}

/** One found device of the project, by its serial number. @throws HttpError `not_found` */
export async function foundDevice({ db }: Services, principal: Principal, serial: string): Promise<Found> {
  const [found] = await db
    .select()
    .from(foundDevices)
    .where(and(eq(foundDevices.projectId, principal.projectId), eq(foundDevices.serial, serial)));
  if (!found) throw new HttpError('not_found');
  return found;
}

import { desc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConciergeDevice } from '#models/devices.ts';
import type { PermissionCode } from '#models/permission-catalogue.ts';
import { auditEvents, devices, sipNumbers } from '#server/db/schema/index.ts';
import { buildEstate, codeOf, dataOf, deviceRow, type Estate, makePerson, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

const opens: PermissionCode[] = ['can_call_panel', 'can_view_descendant_devices'];
let server: TestServer;
let estate: Estate;
const made: Record<string, typeof devices.$inferSelect> = {};
const person = (permissions: readonly PermissionCode[]): Promise<Person> => makePerson(server, estate, { permissions, in: [estate.groups.north] });

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
  const { db } = server.services;
  const { n1, n2, s1, abroad } = estate.groups;
  const add = async (name: string, domainId: string, over: Partial<typeof devices.$inferInsert> = {}): Promise<void> => {
    const row = deviceRow({ projectId: estate.here, domainId, name, ...over });
    const [device] = await db
      .insert(devices)
      .values({ ...row, settings: { ...row.settings, ...over.settings } as typeof row.settings })
      .returning();
    if (device) made[name] = device;
  };
  const camera = (enabled: boolean, integration: string | null) => ({
    settings: { integration_axxon: { enabled, integration, camera: null } } as never,
  });
  await add('lobby', n1, { online: true, ...camera(true, estate.groups.n1) });
  await add('Gate', n2, { type: 'barrier', model: 'BR-3', online: false, ...camera(false, estate.groups.n1) });
  await add('Attic', n1, { online: null, ...camera(true, null) });
  await add('Eye', n1, { type: 'ip_camera', model: 'IC-4' });
  await add('Silent', n1, { protocol: 'none' });
  await add('South', s1);
  await add('Abroad', abroad, { projectId: estate.there });
  const number = { projectId: estate.here, name: 'Number' };
  await db.insert(sipNumbers).values([
    { ...number, number: '2001', deviceId: made['lobby']?.id ?? '' },
    { ...number, number: '2002', deviceId: made['Gate']?.id ?? '', isActive: false },
  ]);
});
afterAll(() => server.close());

describe('the doors one may open', () => {
  const doors = async (who: Person) => dataOf<ConciergeDevice[]>(await who.client.get('/concierge-devices'));
  it('are those in sight that have a door and a protocol, by name', async () => {
    const plain = { type: 'panel', status: null, sip_number: null, has_camera: false };
    const known = (name: string) => ({ id: made[name]?.id, token: made[name]?.token, name });
    expect(await doors(await person([...opens, 'can_view_device_heartbeat', 'can_view_all_groups']))).toEqual([
      { ...plain, ...known('Attic'), path: ['town', 'north', 'n1'] },
      { ...plain, ...known('Gate'), type: 'barrier', status: 'offline', path: ['town', 'north', 'n2'] },
      { ...plain, ...known('lobby'), status: 'online', sip_number: { number: '2001' }, has_camera: true, path: ['town', 'north', 'n1'] },
    ]);
  });
  it('say nothing of their status to who may not know it', async () => {
    const found = await doors(await person(opens));
    expect(found.map(({ name, status }) => [name, status])).toEqual([
      ['Attic', null],
      ['Gate', null],
      ['lobby', null],
    ]);
  });
  it('are none without the right to open', async () => {
    expect(await doors(await person(['can_view_own_identifiers', 'can_view_descendant_devices']))).toEqual([]);
  });
});

it('others may be given access to the doors one may edit, by name', async () => {
  const names = async (codes: PermissionCode[]) => {
    const { client } = await person(codes);
    return dataOf<{ id: string; name: string }[]>(await client.get('/devices/permitted'));
  };
  const known = (name: string) => ({ id: made[name]?.id, name });
  expect(await names(['can_view_descendant_devices', 'can_edit_devices'])).toEqual(['Attic', 'Gate', 'lobby', 'Silent'].map(known));
});

describe('a door opened by its token', () => {
  const lastSaid = async (who: Person) => {
    const { db } = server.services;
    const [row] = await db.select().from(auditEvents).where(eq(auditEvents.userId, who.id)).orderBy(desc(auditEvents.createdAt)).limit(1);
    return row && { action: row.action, entityId: row.entityId, entityName: row.entityName, changes: row.changes };
  };
  const verb = { before: null, after: 'open_door' };
  it.each<[string, PermissionCode[], string, string, boolean]>([
    ['of a device in sight, without the right', ['can_view_own_identifiers', 'can_view_descendant_devices'], 'lobby', 'forbidden', true],
    ['of a device without a door', opens, 'Eye', 'forbidden', true],
    ['of a device out of sight', opens, 'South', 'not_found', false],
    ['of another project', opens, 'Abroad', 'not_found', false],
    ['of nothing', opens, 'nothing', 'not_found', false],
  ])('%s is refused, and the trail says so', async (_what, permissions, name, code, isNamed) => {
    const who = await person(permissions);
    const device = made[name];
    expect(codeOf(await who.client.post('/devices/open', { token: device?.token ?? 'x'.repeat(40) }))).toBe(code);
    const named = isNamed ? { entityId: device?.id, entityName: name } : { entityId: null, entityName: null };
    expect(await lastSaid(who)).toEqual({ action: 'refused', ...named, changes: { verb } });
  });
  it('that hears nobody is not opened', async () => {
    const who = await person(opens);
    expect(codeOf(await who.client.post('/devices/open', { token: made['Silent']?.token }))).toBe('device_protocol_none');
    expect(codeOf(await who.client.post('/devices/open', { token: made['Gate']?.token }))).toBe('device_offline');
  });
});

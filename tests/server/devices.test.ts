import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls } from '#models/api.ts';
import { defaultDeviceSettings } from '#models/device-settings.ts';
import type { Device } from '#models/devices.ts';
import type { Job } from '#models/job.ts';
import type { PermissionCode } from '#models/permission-catalogue.ts';
import { auditEvents, deviceEvents, devices, deviceTasks } from '#server/db/schema/index.ts';
import { unseal } from '#server/devices/secrets.ts';
import { buildEstate, codeOf, dataOf, deviceBody, deviceRow, type Estate, groupBody, jobIsOver, makePerson, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let estate: Estate;
let admin: Person;
const everything: PermissionCode[] = [
  'can_view_all_devices',
  'can_create_devices',
  'can_edit_devices',
  'can_delete_devices',
  'can_view_device_tasks',
  'can_view_device_events',
  'can_view_device_heartbeat',
  'can_view_all_groups',
  'can_create_root_group',
  'can_edit_all_groups',
  'can_delete_all_groups',
  'can_view_audit_events',
];
beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
  admin = await makePerson(server, estate, { permissions: everything, in: [estate.groups.town] });
});
afterAll(() => server.close());

const person = (permissions: PermissionCode[], ...where: string[]) => makePerson(server, estate, { permissions, in: where });
const make = async (over: Record<string, unknown> = {}): Promise<string> => {
  const answer = await admin.client.put('/devices', deviceBody({ domain: estate.groups.n1, ...over }));
  expect(answer.statusCode, answer.body).toBe(200);
  return dataOf<string>(answer);
};
const stored = async (id: string) => {
  const [device] = await server.services.db.select().from(devices).where(eq(devices.id, id));
  if (!device) throw new Error('the device is gone');
  return device;
};
const tasksOf = async (id: string) =>
  (await server.services.db.select().from(deviceTasks).where(eq(deviceTasks.deviceId, id))).map(({ kind, status }) => [kind, status]);
const issuesOf = (answer: { json: () => unknown }) =>
  ((answer.json() as { data?: { issues?: { path: string[]; rule: string }[] } }).data?.issues ?? []).map(
    ({ path, rule }) => `${path.join('.')} ${rule}`,
  );

describe('a device', () => {
  it('keeps what it is told of a video system, and names no integration that is not there', async () => {
    const system = (integration_axxon: object) => ({ device_settings: { ...defaultDeviceSettings, integration_axxon } });
    const unchanged = { enabled: false, integration: null, camera: 'hosts/Server1/DeviceIpint.2' };
    const id = await make(system(unchanged));
    const shown = async () => dataOf<Record<string, unknown>>(await admin.client.get(`/devices/${id}`))['device_settings'];
    expect(await shown()).toMatchObject({ integration_axxon: unchanged });
    expect((await admin.client.patch(`/devices/${id}`, system({ ...unchanged, camera: null }))).statusCode).toBe(200);
    expect(await shown()).toMatchObject({ integration_axxon: { ...unchanged, camera: null } });
    expect(issuesOf(await admin.client.patch(`/devices/${id}`, system({ ...unchanged, enabled: true })))).toEqual([
      'device_settings.integration_axxon.integration device_needs_integrator',
    ]);
    expect(codeOf(await admin.client.patch(`/devices/${id}`, system({ ...unchanged, integration: randomUUID() })))).toBe('invalid_related');
  });
  it('is made, changed and deleted, and asks to be in a group', async () => {
    const id = await make({ name: 'Lobby', location: { latitude: 52.5, longitude: 13.4 } });
    const row = dataOf<Record<string, unknown>>(await admin.client.get(`/devices/${id}`));
    expect(row).toMatchObject({ name: 'Lobby', status: null, path: ['town', 'north', 'n1'], location: { latitude: 52.5, longitude: 13.4 } });
    expect(codeOf(await admin.client.put('/devices', deviceBody({ domain: null })))).toBe('invalid_data');
    const changed = await admin.client.patch(`/devices/${id}`, { name: 'Lobby 2' }, { 'if-match': '"1"' });
    expect(dataOf(changed)).toMatchObject({ name: 'Lobby 2', version: 2 });
    expect(codeOf(await admin.client.patch(`/devices/${id}`, { name: 'Lobby 3' }, { 'if-match': '"1"' }))).toBe('conflict');
    expect((await admin.client.delete(`/devices/${id}`)).statusCode).toBe(200);
    expect((await admin.client.get(`/devices/${id}`)).statusCode).toBe(404);
  });
  it('has a serial number that nobody else has, whatever its case and in whatever project', async () => {
    await make({ login: 'SERIAL-1' });
    const twin = await admin.client.put('/devices', deviceBody({ domain: estate.groups.n1, login: 'serial-1' }));
    expect([twin.statusCode, codeOf(twin), issuesOf(twin)]).toEqual([409, 'serial_in_use', ['login serial_in_use']]);
    await server.services.db.insert(devices).values(deviceRow({ projectId: estate.there, domainId: estate.groups.abroad, login: 'ABROAD-1' }));
    expect(codeOf(await admin.client.put('/devices', deviceBody({ domain: estate.groups.n1, login: 'abroad-1' })))).toBe('serial_in_use');
  });
  it('is looked at whole, also when only a part of it is sent', async () => {
    const id = await make({ model: 'DP-140' });
    expect(issuesOf(await admin.client.patch(`/devices/${id}`, { type: 'barrier' }))).toEqual(['model device_model']);
    expect(issuesOf(await admin.client.patch(`/devices/${id}`, { protocol: 'http' }))).toEqual(['ip_address required']);
    const relays = [{ number: 9, name: 'Door', switch_time: 500, is_inverted: false }];
    expect(issuesOf(await admin.client.patch(`/devices/${id}`, { device_settings: { ...defaultDeviceSettings, relays } }))).toEqual([
      'device_settings.relays relays_out_of_range',
    ]);
    expect(issuesOf(await admin.client.put('/devices', deviceBody({ domain: estate.groups.n1, password: null })))).toEqual(['password required']);
  });
  it('cannot be placed where the server must not be led to (V22)', async () => {
    for (const ip of ['127.0.0.1', '169.254.169.254', '0.0.0.0', '224.0.0.1', '255.255.255.255'])
      expect([ip, issuesOf(await admin.client.put('/devices', deviceBody({ domain: estate.groups.n1, ip_address: ip })))]).toEqual([
        ip,
        ['ip_address address_not_allowed'],
      ]);
  });
});

describe('a change', () => {
  it('of what the device must know goes to it by itself', async () => {
    const id = await make();
    await admin.client.patch(`/devices/${id}`, { description: 'by the lift' });
    expect(await tasksOf(id)).toEqual([]);
    await admin.client.patch(`/devices/${id}`, { get_logs: true });
    expect(await tasksOf(id)).toEqual([['apply_settings', 'new']]);
    await admin.client.patch(`/devices/${id}`, { get_logs: true });
    expect(await tasksOf(id)).toHaveLength(1);
    const remaining = await make({ protocol: 'none' });
    await admin.client.patch(`/devices/${remaining}`, { get_logs: true });
    expect(await tasksOf(remaining)).toEqual([]);
  });
  it('of nothing, with the placeholder as null, leaves passwords and version as they were (C21)', async () => {
    const sip = { ...defaultDeviceSettings.sip, password: 'Sip-2026' };
    const id = await make({ password: 'Own-1', device_password: 'Web-1', device_settings: { ...defaultDeviceSettings, sip } });
    const before = await stored(id);
    const body = deviceBody({ domain: estate.groups.n1, login: before.login, password: null, device_password: null });
    expect((await admin.client.patch(`/devices/${id}`, body)).statusCode).toBe(200);
    const after = await stored(id);
    const secrets = ({ passwordCipher, devicePasswordCipher, sipPasswordCipher }: typeof before) =>
      [passwordCipher, devicePasswordCipher, sipPasswordCipher].map((sealed) => sealed && unseal(server.services, sealed));
    expect(secrets(after)).toEqual(['Own-1', 'Web-1', 'Sip-2026']);
    expect(after.version).toBe(before.version);
    const { device_settings: read } = dataOf<Device>(await admin.client.get(`/devices/${id}`));
    expect(read.sip.has_password).toBe(true);
    expect((await admin.client.patch(`/devices/${id}`, { device_settings: read })).statusCode).toBe(200);
    expect([secrets(await stored(id)), (await stored(id)).version]).toEqual([['Own-1', 'Web-1', 'Sip-2026'], before.version]);
    const longer = { ...read, sip: { ...read.sip, talk_timeout: 77 } };
    expect((await admin.client.patch(`/devices/${id}`, { device_settings: longer })).statusCode).toBe(200);
    expect(dataOf<Device>(await admin.client.get(`/devices/${id}`)).device_settings.sip).toEqual(longer.sip);
    await admin.client.patch(`/devices/${id}`, { password: 'Own-2' });
    expect(secrets(await stored(id))).toEqual(['Own-2', 'Web-1', 'Sip-2026']);
  });
});

describe('no secret of a device', () => {
  const words = ['Canary-own-7', 'Canary-web-7', 'Canary-sip-7'];
  it('leaves the server by any way (P6)', async () => {
    const sip = { ...defaultDeviceSettings.sip, enabled: true, password: words[2] };
    const id = await make({
      name: 'Canary',
      password: words[0],
      device_login: 'web',
      device_password: words[1],
      device_settings: { ...defaultDeviceSettings, sip },
    });
    await admin.client.patch(`/devices/${id}`, {
      password: `${words[0]}b`,
      device_settings: { ...defaultDeviceSettings, sip: { ...sip, password: `${words[2]}b` } },
    });
    await admin.client.post(`/devices/${id}/apply-settings`);
    await server.services.db
      .insert(deviceEvents)
      .values({ projectId: estate.here, deviceId: id, deviceName: 'Canary', type: 'settings_applied', occurredAt: new Date() });
    const { token } = await stored(id);
    const said: string[] = [];
    for (const path of [
      '/devices?size=500',
      `/devices/${id}`,
      `/devices/${id}/raw`,
      `/devices/${id}/sync-errors`,
      `/devices/${id}/dependants`,
      '/device-tasks?size=500',
      '/device-events?size=500',
      '/audit-events?size=500',
      '/groups?size=100',
      '/devices/permitted',
      '/openapi.json',
    ])
      said.push((await admin.client.get(path)).body);
    for (const area of ['devices', 'device-tasks', 'device-events', 'audit-events'])
      for (const format of ['json', 'csv']) {
        const job = await jobIsOver(admin.client, dataOf<Job>(await admin.client.post(`/${area}/export`, { export_format: format })));
        said.push((await admin.client.get(`/jobs/${job.id}/file`)).body);
      }
    said.push(JSON.stringify(await server.services.db.select().from(deviceTasks)), server.logged());
    expect(said.join('\n')).toContain('Canary');
    for (const word of [...words, token]) expect(said.filter((text) => text.includes(word))).toEqual([]);
    // Kept, they can be read only with the secret of the installation.
    expect(words.filter((word) => JSON.stringify(admin).includes(word))).toEqual([]);
    const everythingStored = JSON.stringify(await stored(id));
    for (const word of words) expect(everythingStored).not.toContain(word);
  });
  it('is asked for, filtered or sorted by', async () => {
    for (const field of ['password', 'device_password', 'token']) {
      const filters = encodeURIComponent(JSON.stringify({ items: [{ field, rule: 'contains', value: 'C' }] }));
      expect(codeOf(await admin.client.get(`/devices?filters=${filters}`))).toBe('wrong_parameters');
      expect(codeOf(await admin.client.get(`/devices?sort=${field}`))).toBe('wrong_parameters');
    }
  });
});

describe('rights', () => {
  it('reach no further by moving a device to a higher group (P5)', async () => {
    const local = await person(['can_view_descendant_devices', 'can_edit_devices', 'can_create_devices'], estate.groups.n1);
    const id = await make({ domain: estate.groups.n1 });
    for (const group of [estate.groups.town, estate.groups.south, estate.groups.abroad])
      expect(codeOf(await local.client.patch(`/devices/${id}`, { domain: group }))).toBe('invalid_related');
    expect((await stored(id)).domainId).toBe(estate.groups.n1);
    // Seeing all groups is no right to put devices into them.
    const seer = await person(['can_view_descendant_devices', 'can_edit_devices', 'can_create_devices', 'can_view_all_groups'], estate.groups.n1);
    expect(codeOf(await seer.client.patch(`/devices/${id}`, { domain: estate.groups.south }))).toBe('forbidden');
    expect(codeOf(await seer.client.put('/devices', deviceBody({ domain: estate.groups.s1 })))).toBe('forbidden');
  });
  it('to a group are none to take the devices of others into it', async () => {
    const id = await make({ domain: estate.groups.s1 });
    const group = dataOf<string>(await admin.client.put('/groups', groupBody({ name: 'Lodge', parent_id: estate.groups.town })));
    const keeper = await person(['can_manage_own_group_devices', 'can_view_all_devices'], group);
    expect(codeOf(await keeper.client.patch(`/groups/${group}`, { devices: [id] }))).toBe('forbidden');
    const blind = await person(['can_manage_own_group_devices', 'can_edit_devices'], group);
    expect(codeOf(await blind.client.patch(`/groups/${group}`, { devices: [id] }))).toBe('invalid_related');
    const editor = await person(['can_edit_devices', 'can_view_all_devices'], group);
    expect(codeOf(await editor.client.patch(`/groups/${group}`, { devices: [id] }))).toBe('forbidden');
    expect((await stored(id)).domainId).toBe(estate.groups.s1);
  });
  it('to the status are apart from those to the device', async () => {
    const id = await make({ name: 'Heard' });
    await server.services.db
      .update(devices)
      .set({ online: true, statusAt: new Date('2026-03-01T00:00:00Z') })
      .where(eq(devices.id, id));
    const plain = await person(['can_view_all_devices'], estate.groups.n1);
    expect(dataOf(await plain.client.get(`/devices/${id}`))).toMatchObject({
      status: null,
      status_at: null,
      device_info: { status: null },
      tasks_count: 0,
    });
    const asked = (value: string) =>
      `/devices?filters=${encodeURIComponent(JSON.stringify({ items: [{ field: 'status', rule: 'equals', value: [value] }] }))}`;
    expect(dataOf<unknown[]>(await plain.client.get(asked('online')))).toEqual([]);
    expect(dataOf<{ id: string }[]>(await admin.client.get(asked('online'))).map((row) => row.id)).toContain(id);
    expect(dataOf(await admin.client.get(`/devices/${id}`))).toMatchObject({ status: 'online', device_info: { status: 'online' } });
  });
  it('to logs follow the devices one may see', async () => {
    const [north, south] = [await make({ domain: estate.groups.n1 }), await make({ domain: estate.groups.s1 })];
    for (const id of [north, south]) {
      await admin.client.post(`/devices/${id}/restart`);
      await server.services.db
        .insert(deviceEvents)
        .values({ projectId: estate.here, deviceId: id, deviceName: 'x', type: 'rebooted', occurredAt: new Date() });
    }
    const local = await person(['can_view_own_group_devices', 'can_view_device_tasks', 'can_view_device_events'], estate.groups.n1);
    for (const area of ['device-tasks', 'device-events']) {
      const seen = dataOf<{ device: { id: string } }[]>(await local.client.get(`/${area}?size=100`)).map(({ device }) => device.id);
      expect(seen).toContain(north);
      expect(seen).not.toContain(south);
      const nobody = await person(['can_view_all_devices'], estate.groups.n1);
      expect((await nobody.client.get(`/${area}`)).statusCode).toBe(403);
      expect([404, 405]).toContain((await admin.client.put(`/${area}`, {})).statusCode);
    }
    const [task] = dataOf<{ id: string }[]>(await local.client.get('/device-tasks'));
    expect((await local.client.post(`/device-tasks/${task?.id}/stop`)).statusCode).toBe(403);
    const other = await server.services.db.select().from(deviceTasks).where(eq(deviceTasks.deviceId, south));
    const editor = await person(['can_view_own_group_devices', 'can_view_device_tasks', 'can_edit_devices'], estate.groups.n1);
    expect((await editor.client.post(`/device-tasks/${other[0]?.id}/stop`)).statusCode).toBe(404);
  });
});

describe('a group', () => {
  it('shows its devices, takes others in, and lets none go', async () => {
    const group = dataOf<string>(await admin.client.put('/groups', groupBody({ name: 'Annex', parent_id: estate.groups.town })));
    const id = await make({ name: 'Mover', domain: estate.groups.n1 });
    const taken = await admin.client.patch(`/groups/${group}`, { devices: [id] });
    expect(dataOf(taken)).toMatchObject({ devices: [{ id, name: 'Mover' }] });
    expect((await stored(id)).domainId).toBe(group);
    expect(issuesOf(await admin.client.patch(`/groups/${group}`, { devices: [] }))).toEqual(['devices device_needs_group']);
    const declined = await admin.client.delete(`/groups/${group}`);
    expect([declined.statusCode, codeOf(declined)]).toEqual([409, 'in_use']);
    expect(dataOf<{ area: string; rows: { name: string }[] }[]>(declined)).toMatchObject([{ area: 'devices', rows: [{ name: 'Mover' }] }]);
  });
});

describe('what a device is told', () => {
  it('is queued, on record, and refused where there is no way to it', async () => {
    const id = await make({ name: 'Told' });
    for (const path of ['apply-settings', 'synchronise', 'reinit', 'restart'])
      expect((await admin.client.post(`/devices/${id}/${path}`)).statusCode).toBe(200);
    await admin.client.post(`/devices/${id}/init`, { erase: true });
    expect(new Set((await tasksOf(id)).map(([kind]) => kind))).toEqual(new Set(['apply_settings', 'init', 'reinit', 'restart', 'synchronise']));
    const trail = await server.services.db.select().from(auditEvents).where(eq(auditEvents.entityId, id));
    expect(trail.map(({ action }) => action)).toEqual(expect.arrayContaining(['apply_settings', 'synchronise', 'reinit', 'restart', 'init']));
    const remaining = await make({ protocol: 'none' });
    const refused = await admin.client.post(`/devices/${remaining}/restart`);
    expect([refused.statusCode, codeOf(refused)]).toEqual([409, 'device_protocol_none']);
  });
  it('goes again from the queue only where it failed', async () => {
    const id = await make();
    await admin.client.post(`/devices/${id}/restart`);
    await admin.client.post(`/devices/${id}/synchronise`);
    await server.services.db.update(deviceTasks).set({ status: 'error' }).where(eq(deviceTasks.kind, 'restart'));
    expect(dataOf(await admin.client.post(`/devices/${id}/retry`))).toEqual({ count: 1 });
    expect(Object.fromEntries(await tasksOf(id))).toMatchObject({ restart: 'queued', synchronise: 'new' });
  });
  it('may be stopped while it is not over, and not twice', async () => {
    const id = await make();
    const task = dataOf<string>(await admin.client.post(`/devices/${id}/restart`));
    expect((await admin.client.post(`/device-tasks/${task}/stop`)).statusCode).toBe(200);
    expect(codeOf(await admin.client.post(`/device-tasks/${task}/stop`))).toBe('prohibited');
    expect(codeOf(await admin.client.post(`/device-tasks/${task}/retry`))).toBe('prohibited');
  });
  it('changes over to another protocol only where that can work', async () => {
    const id = await make({ protocol: 'none', password: null });
    expect(issuesOf(await admin.client.post(`/devices/${id}/protocol`, { protocol: 'mqtt' }))).toEqual(['password required']);
    expect(issuesOf(await admin.client.post(`/devices/${id}/protocol`, { protocol: 'http' }))).toEqual(['ip_address required']);
    const ready = await make({ protocol: 'mqtt' });
    expect(dataOf(await admin.client.post(`/devices/${ready}/protocol`, { protocol: 'none' }))).toBeNull();
    expect((await stored(ready)).protocol).toBe('none');
    const both = await make({ protocol: 'http', ip_address: '10.1.2.3' });
    expect(dataOf(await admin.client.post(`/devices/${both}/protocol`, { protocol: 'mqtt' }))).toBeTypeOf('string');
    expect((await stored(both)).protocol).toBe('http');
  });
});

describe('doors', () => {
  it('are told of with their tokens only to those who may open them', async () => {
    const id = await make({ name: 'Front door' });
    await make({ name: 'In the books only', protocol: 'none', password: null });
    await make({ name: 'Just a camera', type: 'ip_camera', model: 'IC-4', protocol: 'http', ip_address: '10.0.0.7', password: null });
    const plain = await person(['can_view_all_devices'], estate.groups.n1);
    expect((await plain.client.get('/concierge-devices')).statusCode).toBe(403);
    const desk = await person(['can_view_all_devices', 'can_receive_call_as_concierge'], estate.groups.n1);
    const doors = dataOf<{ id: string; name: string; token: string }[]>(await desk.client.get('/concierge-devices'));
    expect(doors.map(({ name }) => name)).toContain('Front door');
    for (const none of ['Just a camera', 'In the books only']) expect(doors.map(({ name }) => name)).not.toContain(none);
    expect(doors.find((door) => door.id === id)?.token).toBe((await stored(id)).token);
  });
  it('stay shut for those who may not, and it is on record (P9)', async () => {
    const id = await make({ domain: estate.groups.s1 });
    const { token } = await stored(id);
    const plain = await person(['can_view_all_devices'], estate.groups.n1);
    const stranger = await person(['can_view_own_group_devices', 'can_receive_call_as_concierge'], estate.groups.n1);
    const refusedEntries = async (who: Person) =>
      (await server.services.db.select().from(auditEvents).where(eq(auditEvents.userId, who.id))).filter(({ action }) => action === 'refused').length;
    expect((await plain.client.post('/devices/open', { token })).statusCode).toBe(403);
    expect((await stranger.client.post('/devices/open', { token })).statusCode).toBe(404);
    expect((await stranger.client.post('/devices/open', { token: randomUUID() })).statusCode).toBe(404);
    expect([await refusedEntries(plain), await refusedEntries(stranger)]).toEqual([1, 2]);
    expect(await tasksOf(id)).toEqual([]);
    expect(calls.openDoor.path).toBe('/devices/open');
  });
});

describe('a search', () => {
  const range = (start_ip: string, end_ip: string) => ({ start_ip, end_ip, request_id: randomUUID() });
  it('keeps to private networks and to 1,024 addresses, and to those who make devices (V22)', async () => {
    for (const [from, to] of [
      ['8.8.8.1', '8.8.8.9'],
      ['127.0.0.1', '127.0.0.9'],
      ['169.254.169.254', '169.254.169.254'],
      ['10.0.0.9', '10.0.0.1'],
      ['10.0.0.0', '10.0.255.255'],
    ] as const)
      expect([from, codeOf(await admin.client.post('/devices/search', range(from, to)))]).toEqual([from, 'invalid_data']);
    const viewer = await person(['can_view_all_devices'], estate.groups.n1);
    expect((await viewer.client.post('/devices/search', range('10.0.0.1', '10.0.0.2'))).statusCode).toBe(403);
  });
  it('belongs to whoever began it', async () => {
    const wanted = { ...range('10.255.255.1', '10.255.255.1') };
    const begun = dataOf<{ state: string; total: number }>(await admin.client.post('/devices/search', wanted));
    expect([begun.state, begun.total]).toEqual(['running', 1]);
    expect(codeOf(await admin.client.post('/devices/search', wanted))).toBe('not_unique');
    const other = await person(['can_view_all_devices', 'can_create_devices'], estate.groups.n1);
    expect((await other.client.get(`/devices/search/${wanted.request_id}`)).statusCode).toBe(404);
    expect((await other.client.delete(`/devices/search/${wanted.request_id}`)).statusCode).toBe(404);
    expect((await admin.client.delete(`/devices/search/${wanted.request_id}`)).statusCode).toBe(200);
    expect(dataOf(await admin.client.get(`/devices/search/${wanted.request_id}`))).toMatchObject({ state: 'cancelled' });
  });
});

import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { and, eq, inArray } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActiveAlert, EmergencyAlertPeople } from '#models/emergency-alert-calls.ts';
import type { EmergencyAlert } from '#models/emergency-alerts.ts';
import { permissionCodes } from '#models/permission-catalogue.ts';
import { topics } from '#models/realtime.ts';
import { auditEvents, devices, deviceTasks } from '#server/db/schema/index.ts';
import { orderFor } from '#server/devices/orders.ts';
import { roleOf } from './calls-support.ts';
import { openChannel } from './channel.ts';
import { buildEstate, codeOf, dataOf, deviceRow, type Estate, makePerson, type Person } from './estate.ts';
import { form } from './hostile-files.ts';
import { openTestServer, type TestServer } from './support.ts';
import { inTime } from '#tests/support/in-time.ts';

let server: TestServer;
let estate: Estate;
let boss: Person;
let desk: Person;
let resident: Person;
let neighbour: Person;
let monitor: string;
let asleep: string;
let panel: string;
let made = 0;

const db = () => server.services.db;
async function deviceIn(domainId: string, over: Partial<typeof devices.$inferInsert>): Promise<string> {
  const [row] = await db()
    .insert(devices)
    .values(deviceRow({ projectId: estate.here, domainId, protocol: 'mqtt', online: true, ...over }))
    .returning();
  return row?.id ?? '';
}

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
  const { town, north, n1, s1 } = estate.groups;
  boss = await makePerson(server, estate, { permissions: permissionCodes, in: [town], name: 'Boss' });
  desk = await makePerson(server, estate, { permissions: roleOf('concierge'), in: [town], name: 'Desk' });
  resident = await makePerson(server, estate, { permissions: roleOf('resident'), in: [n1], name: 'Resident' });
  neighbour = await makePerson(server, estate, { permissions: roleOf('resident'), in: [s1], name: 'Neighbour' });
  monitor = await deviceIn(n1, { type: 'monitor', model: 'DM-70' });
  asleep = await deviceIn(n1, { type: 'monitor', model: 'DM-70', online: false });
  panel = await deviceIn(north, { type: 'panel', model: 'DP-110' });
});
afterAll(() => server.close());

const body = (over: object = {}) => ({ name: `Fire ${(made += 1)}`, message: 'Leave the house', domains: [estate.groups.north], ...over });
const make = async (over: object = {}): Promise<string> => dataOf<string>(await boss.client.put('/emergency-alerts', body(over)));
const start = (id: string, is_drill = false, who = desk) => who.client.post(`/emergency-alerts/${id}/start`, { is_drill });
const stop = (id: string, who = desk) => who.client.post(`/emergency-alerts/${id}/stop`);
const rowOf = async (id: string): Promise<EmergencyAlert> => dataOf<EmergencyAlert>(await boss.client.get(`/emergency-alerts/${id}`));
const mine = async (who: Person): Promise<ActiveAlert[]> => dataOf<ActiveAlert[]>(await who.client.get('/emergency-alerts/mine'));
const has = async (who: Person, id: string): Promise<boolean> => (await mine(who)).some((one) => one.id === id);
const tasksOf = (id: string, kind: 'play_alert' | 'stop_alert' | 'open_door') =>
  db()
    .select()
    .from(deviceTasks)
    .where(and(eq(deviceTasks.deviceId, id), eq(deviceTasks.kind, kind)));
const trailOf = (id: string) => db().select().from(auditEvents).where(eq(auditEvents.entityId, id));

describe('an emergency alert', () => {
  it('goes to the people of its groups, to those who manage them and to whoever starts it, until it is stopped', async () => {
    const id = await make();
    expect((await start(id)).statusCode).toBe(200);
    expect([await has(resident, id), await has(boss, id), await has(desk, id), await has(neighbour, id)]).toEqual([true, true, true, false]);
    expect((await stop(id)).statusCode).toBe(200);
    expect([await has(resident, id), await has(desk, id)]).toEqual([false, false]);
    expect(await rowOf(id)).toMatchObject({ status: 'stopped', is_drill: false, recipients_count: 3 });
  });

  it('is told to open pages at once when it starts and when it stops', async () => {
    const channel = await openChannel(await server.app.listen({ port: 0, host: '127.0.0.1' }), resident.client.token);
    expect(await channel.subscribe(topics.user(resident.id))).toBe('Subscribed');
    const id = await make();
    await start(id);
    await channel.wait('EmergencyAlertChanged', topics.user(resident.id), inTime(1_000));
    await stop(id);
    await expect.poll(() => channel.all('EmergencyAlertChanged').map(({ payload }) => payload.id), { timeout: inTime(1_000) }).toEqual([id, id]);
    channel.ws.close();
  });

  it('stays within its project: nobody of another one has, sees, answers or stops it', async () => {
    const stranger = await makePerson(server, estate, {
      permissions: permissionCodes,
      in: [estate.groups.abroad],
      project: estate.there,
      name: 'Stranger',
    });
    const theirs = dataOf<string>(await stranger.client.put('/emergency-alerts', body({ domains: [estate.groups.abroad] })));
    const ours = await make();
    expect((await stranger.client.put('/emergency-alerts', body())).statusCode).toBe(422);
    await Promise.all([start(ours), start(theirs, false, stranger)]);
    expect([(await mine(stranger)).map((one) => one.id), (await mine(resident)).map((one) => one.id)]).toEqual([[theirs], [ours]]);
    expect([await rowOf(ours), dataOf<EmergencyAlert>(await stranger.client.get(`/emergency-alerts/${theirs}`))]).toMatchObject([
      { recipients_count: 3 },
      { recipients_count: 1 },
    ]);
    for (const path of ['start', 'stop', 'seen', 'safe'])
      expect([
        path,
        (await stranger.client.post(`/emergency-alerts/${ours}/${path}`, path === 'start' ? { is_drill: false } : undefined)).statusCode,
      ]).toEqual([path, 404]);
    expect((await stranger.client.get(`/emergency-alerts/${ours}/people`)).statusCode).toBe(404);
    expect(dataOf<EmergencyAlert[]>(await stranger.client.get('/emergency-alerts')).map((one) => one.id)).toEqual([theirs]);
    await Promise.all([stop(ours), stop(theirs, stranger)]);
  });

  it('is answered by its people: seen and safe are counted, once each', async () => {
    const id = await make();
    await start(id);
    expect((await resident.client.post(`/emergency-alerts/${id}/seen`)).statusCode).toBe(200);
    expect(await rowOf(id)).toMatchObject({ seen_count: 1, safe_count: 0 });
    for (let times = 0; times < 2; times += 1) expect((await resident.client.post(`/emergency-alerts/${id}/safe`)).statusCode).toBe(200);
    expect((await desk.client.post(`/emergency-alerts/${id}/safe`)).statusCode).toBe(200);
    expect(await rowOf(id)).toMatchObject({ seen_count: 2, safe_count: 2 });
    expect((await neighbour.client.post(`/emergency-alerts/${id}/safe`)).statusCode).toBe(404);
    const { people, ...figures } = dataOf<EmergencyAlertPeople>(await boss.client.get(`/emergency-alerts/${id}/people`));
    expect(figures).toEqual({ recipients: 3, seen: 2, safe: 2 });
    expect(people.map(({ name, safe_at }) => [name, safe_at !== null])).toEqual([
      ['Boss', false],
      ['Desk', true],
      ['Resident', true],
    ]);
    await stop(id);
    expect((await resident.client.post(`/emergency-alerts/${id}/safe`)).statusCode).toBe(404);
    await start(id, true);
    expect(await rowOf(id)).toMatchObject({ is_drill: true, seen_count: 0, safe_count: 0 });
    await stop(id);
  });

  it('is started and stopped only by those who may play them, and only where its life allows it', async () => {
    const id = await make();
    expect((await start(id, false, resident)).statusCode).toBe(403);
    expect(codeOf(await stop(id))).toBe('prohibited');
    await start(id);
    expect(codeOf(await start(id))).toBe('prohibited');
    expect((await stop(id, resident)).statusCode).toBe(403);
    expect(codeOf(await boss.client.patch(`/emergency-alerts/${id}`, { message: 'Stay' }))).toBe('editing_prohibited');
    expect(codeOf(await boss.client.delete(`/emergency-alerts/${id}`))).toBe('deleting_prohibited');
    await stop(id);
    const trail = await trailOf(id);
    expect(
      trail.filter(({ action }) => action === 'update').map(({ changes }) => (changes as Record<string, { after: unknown }>)['status']?.after),
    ).toEqual(expect.arrayContaining(['started', 'stopped']));
    expect((await boss.client.delete(`/emergency-alerts/${id}`)).statusCode).toBe(200);
  });

  it('needs recipients and a message of limited length, which is kept as it was typed', async () => {
    expect((await boss.client.put('/emergency-alerts', body({ domains: [] }))).body).toContain('alert_needs_recipients');
    expect((await boss.client.put('/emergency-alerts', body({ message: 'a'.repeat(501) }))).statusCode).toBe(422);
    const message = '<script>alert(1)</script> 🔥 \u202Eretfa';
    const id = await make({ message });
    expect((await rowOf(id)).message).toBe(message);
  });
});

describe('the devices of an emergency alert', () => {
  it('are told to play it and to stop, those that can be reached', async () => {
    const id = await make({ playback_duration: 90 });
    await start(id, true);
    const played = (await tasksOf(monitor, 'play_alert')).filter(({ payload }) => payload['alert'] === id);
    expect(played.map(({ payload }) => payload)).toEqual([
      { alert: id, name: (await rowOf(id)).name, message: 'Leave the house', seconds: 90, is_drill: true, file: null },
    ]);
    expect([await tasksOf(asleep, 'play_alert'), await tasksOf(panel, 'play_alert')]).toEqual([[], []]);
    await stop(id);
    const [task] = await db()
      .select()
      .from(deviceTasks)
      .where(eq(deviceTasks.id, played[0]?.id ?? ''));
    expect(task?.status).toBe('stopped');
    expect((await tasksOf(monitor, 'stop_alert')).map(({ payload }) => payload)).toContainEqual({ alert: id });
  });

  it('open their locks in earnest, each on record, and never in a drill', async () => {
    const id = await make({ open_locks: true });
    await start(id, true);
    await stop(id);
    expect(await tasksOf(panel, 'open_door')).toEqual([]);
    await start(id);
    await stop(id);
    expect(await tasksOf(panel, 'open_door')).toHaveLength(1);
    expect((await trailOf(panel)).filter(({ action }) => action === 'open_door')).toHaveLength(1);
    expect(
      await db()
        .select()
        .from(deviceTasks)
        .where(and(inArray(deviceTasks.deviceId, [monitor, asleep]), eq(deviceTasks.kind, 'open_door'))),
    ).toEqual([]);
  });
});

describe('the recording of an emergency alert', () => {
  const wav = Buffer.concat([Buffer.from('RIFF\x24\x00\x00\x00WAVEfmt '), Buffer.alloc(60)]);
  const upload = (id: string, bytes: Buffer, who = boss, name = 'siren.wav') => {
    const { body: sent, headers } = form({}, bytes, name, 'audio/wav', 'file');
    return who.client.send('POST', `/emergency-alerts/${id}/file`, sent, headers);
  };

  it('is uploaded, downloaded, linked to devices and deleted', async () => {
    const id = await make();
    const answer = await upload(id, wav);
    expect(answer.statusCode, answer.body).toBe(200);
    expect((await rowOf(id)).filename).toMatch(/\.wav$/);
    const file = await boss.client.get(`/emergency-alerts/${id}/file`);
    expect([file.statusCode, file.headers['content-type'], file.rawPayload.equals(wav)]).toEqual([200, 'audio/wav', true]);
    await start(id);
    const [task] = (await tasksOf(monitor, 'play_alert')).filter(({ payload }) => payload['alert'] === id);
    const [device] = await db().select().from(devices).where(eq(devices.id, monitor));
    if (!task || !device) throw new Error('nothing was told to the monitor');
    const { sound, file: hidden } = (await orderFor(server.services, device, 'play_alert', task.payload)).body;
    expect(hidden).toBeUndefined();
    expect((await server.as(null).get(String(sound).replace('/api/v0', ''))).statusCode).toBe(200);
    expect(codeOf(await upload(id, wav))).toBe('editing_prohibited');
    await stop(id);
    expect((await boss.client.send('DELETE', `/emergency-alerts/${id}/file`)).statusCode).toBe(200);
    expect((await rowOf(id)).filename).toBeNull();
    expect(codeOf(await boss.client.get(`/emergency-alerts/${id}/file`))).toBe('file_not_found');
  });

  it('is refused where it is no sound, and from who may only play', async () => {
    const id = await make();
    expect(codeOf(await upload(id, Buffer.from('<script>alert(1)</script>'.padEnd(80))))).toBe('invalid_file');
    expect((await upload(id, wav, desk)).statusCode).toBe(403);
  });

  it('is spoken where there is a speech program, and not offered elsewhere', async () => {
    const before = process.env['PATH'];
    const folder = await mkdtemp(join(tmpdir(), 'programs-'));
    const offered = async (): Promise<boolean> => dataOf<{ is_available: boolean }>(await boss.client.get('/emergency-alerts/speech')).is_available;
    const id = await make({ message: '-x; rm -rf /' });
    const generate = () => boss.client.post(`/emergency-alerts/${id}/generate`, { locale: 'en' });
    try {
      process.env['PATH'] = folder;
      expect(await offered()).toBe(false);
      expect((await generate()).statusCode).toBe(503);
      const program = join(folder, 'espeak-ng');
      const script = `#!${process.execPath}\nconst a = process.argv.slice(2); const at = (o) => a[a.indexOf(o) + 1];
const fs = require('node:fs'); fs.writeFileSync(at('-w'), Buffer.concat([Buffer.from('RIFF\\0\\0\\0\\0WAVE'), fs.readFileSync(at('-f')), Buffer.alloc(60)]));\n`;
      await writeFile(program, script);
      await chmod(program, 0o755);
      expect(await offered()).toBe(true);
      const answer = await generate();
      expect(answer.statusCode, answer.body).toBe(200);
      expect((await boss.client.get(`/emergency-alerts/${id}/file`)).rawPayload.toString('latin1')).toContain('-x; rm -rf /');
      expect((await trailOf(id)).map(({ action }) => action)).toContain('generate');
    } finally {
      process.env['PATH'] = before;
      await rm(folder, { recursive: true, force: true });
    }
  });
});

import { and, eq, inArray, isNotNull } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AnnounceDelivery, AnnounceReach } from '#models/announce-calls.ts';
import { permissionCodes } from '#models/permission-catalogue.ts';
import { runAnnounces } from '#server/announces/announcer.ts';
import { messagesOn } from '#server/announces/screens.ts';
import { announceMessages, announces, devices, deviceTasks, markers, userMarkers } from '#server/db/schema/index.ts';
import { complete, fail } from '#server/devices/outcome.ts';
import { MessageBoard } from '#server/devices/simulator/message-board.ts';
import { moveTasks, retryTask, stopTask } from '#server/devices/tasks.ts';
import { buildEstate, dataOf, deviceRow, type Estate, makePerson, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let estate: Estate;
let boss: Person;
let manager: Person;
let resident: Person;
let monitor: string;
let nextDoor: string;
let southern: string;
let panel: string;

const db = () => server.services.db;
async function deviceIn(domainId: string, over: Partial<typeof devices.$inferInsert>): Promise<string> {
  const [row] = await db()
    .insert(devices)
    .values(deviceRow({ projectId: estate.here, domainId, protocol: 'mqtt', online: true, ...over }))
    .returning();
  return row?.id ?? '';
}
const body = (over: object = {}) => ({
  title: 'Water off',
  body: '<p>From <strong>9</strong> to 11 &amp; later</p>',
  send_via: ['devices'],
  domains: [estate.groups.north],
  ...over,
});
const make = async (over: object = {}): Promise<string> => dataOf<string>(await manager.client.put('/announces', body(over)));
const start = (id: string) => manager.client.post(`/announces/${id}/start`);
async function sent(over: object = {}): Promise<string> {
  const id = await make(over);
  const answer = await start(id);
  expect(answer.statusCode, answer.body).toBe(200);
  await runAnnounces(server.services);
  return id;
}
const tasksOf = (id: string, kind: 'show_message' | 'hide_message') =>
  db()
    .select()
    .from(deviceTasks)
    .where(and(eq(deviceTasks.deviceId, id), eq(deviceTasks.kind, kind)))
    .orderBy(deviceTasks.createdAt);
const shows = async (id: string): Promise<number> => (await tasksOf(id, 'show_message')).length;
const delivery = async (id: string): Promise<AnnounceDelivery> => dataOf<AnnounceDelivery>(await manager.client.get(`/announces/${id}/delivery`));
const reach = async (over: object): Promise<AnnounceReach> =>
  dataOf<AnnounceReach>(await manager.client.post('/announces/recipients', { users: [], domains: [], roles: [], markers: [], ...over }));

/** What is taken to the device: its newest task, and the device. */
async function atDevice(id: string) {
  const [device] = await db().select().from(devices).where(eq(devices.id, id));
  const task = (await tasksOf(id, 'show_message')).at(-1);
  if (!device || !task) throw new Error('nothing was told to the device');
  return { device, task };
}
async function begin(id: string) {
  const { device, task } = await atDevice(id);
  const at = server.services.now();
  await moveTasks(db(), eq(deviceTasks.id, task.id), 'task.queue', { queuedAt: at }, at);
  await moveTasks(db(), eq(deviceTasks.id, task.id), 'task.start', { startedAt: at, attempts: 1 }, at);
  return { device, task };
}
async function shown(id: string): Promise<void> {
  const { device, task } = await begin(id);
  await complete(server.services, task, device, { id: task.id, ok: true });
}
async function refused(id: string, reason: string): Promise<void> {
  const { device, task } = await begin(id);
  await fail(server.services, task, device, reason);
}

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
  const { north, n1, n2, s1 } = estate.groups;
  boss = await makePerson(server, estate, { permissions: permissionCodes, in: [estate.groups.town], name: 'Boss' });
  manager = await makePerson(server, estate, {
    permissions: permissionCodes.filter((code) => !/_all_|_all$/.test(code)),
    in: [north],
    name: 'Manager',
  });
  resident = await makePerson(server, estate, { permissions: [], in: [n1], name: 'Resident' });
  await makePerson(server, estate, { permissions: [], in: [n2], name: 'Neighbour' });
  monitor = await deviceIn(n1, { type: 'monitor', model: 'DM-70' });
  nextDoor = await deviceIn(n2, { type: 'monitor', model: 'DM-70', online: false });
  southern = await deviceIn(s1, { type: 'monitor', model: 'DM-70' });
  panel = await deviceIn(north, { type: 'panel', model: 'DP-110' });
});
afterAll(() => server.close());
beforeEach(async () => {
  await db().delete(announces);
  await db().delete(deviceTasks);
});

describe('the screens of an announcement', () => {
  it('for a group are the monitors and panels of that group and of all below', async () => {
    expect(await reach({ domains: [estate.groups.north] })).toMatchObject({ devices: 3 });
    const id = await sent();
    expect([await shows(monitor), await shows(nextDoor), await shows(panel), await shows(southern)]).toEqual([1, 1, 1, 0]);
    expect((await atDevice(monitor)).task.payload).toEqual({ announce: id, title: 'Water off', text: 'From 9 to 11 & later', until: null });
    expect((await delivery(id)).channels).toEqual([{ channel: 'devices', queued: 3, sent: 0, failed: 0 }]);
  });

  it('for a single person are the monitors of their group, and never a panel', async () => {
    expect(await reach({ users: [resident.id] })).toMatchObject({ people: 1, devices: 1 });
    await sent({ domains: [], users: [resident.id] });
    expect([await shows(monitor), await shows(nextDoor), await shows(panel)]).toEqual([1, 0, 0]);
  });

  it('for some people of a group only are their monitors, and never a panel', async () => {
    const [marker] = await db().insert(markers).values({ projectId: estate.here, name: 'Owners', color: '#112233' }).returning();
    await db()
      .insert(userMarkers)
      .values({ userId: resident.id, markerId: marker?.id ?? '' });
    const narrowed = { domains: [estate.groups.north], markers: [marker?.id ?? ''] };
    expect(await reach(narrowed)).toMatchObject({ people: 1, devices: 1 });
    await sent(narrowed);
    expect([await shows(monitor), await shows(nextDoor), await shows(panel)]).toEqual([1, 0, 0]);
  });

  it('are none where the channel was not chosen', async () => {
    const id = await sent({ send_via: [] });
    expect(await shows(monitor)).toBe(0);
    expect((await delivery(id)).channels).toEqual([]);
  });

  it('show the beginning of a long text', async () => {
    await sent({ body: `<p>${'я'.repeat(5_000)}</p>` });
    const { text } = (await atDevice(monitor)).task.payload as { text: string };
    expect([text.length, text.at(-1)]).toEqual([1_000, '…']);
  });
});

describe('a message to a screen', () => {
  it('is shown or has failed as its device says; what failed, and nothing else, is tried again', async () => {
    const id = await sent();
    await shown(panel);
    await refused(monitor, 'no_answer');
    await refused(nextDoor, 'the screen is broken');
    const { channels, failures } = await delivery(id);
    expect(channels).toEqual([{ channel: 'devices', queued: 0, sent: 1, failed: 2 }]);
    expect(failures.map(({ reason, words }) => [reason, words])).toEqual(
      expect.arrayContaining([
        ['no_answer', null],
        ['device_error', 'the screen is broken'],
      ]),
    );
    expect(dataOf<number>(await manager.client.post(`/announces/${id}/retry`))).toBe(2);
    await runAnnounces(server.services);
    expect([await shows(panel), await shows(monitor), await shows(nextDoor)]).toEqual([1, 2, 2]);
    await shown(monitor);
    expect((await delivery(id)).channels).toEqual([{ channel: 'devices', queued: 1, sent: 2, failed: 0 }]);
    expect(await messagesOn(db(), [monitor])).toMatchObject([{ deviceId: monitor, payload: { announce: id } }]);
  });

  it('follows its task where that is stopped or tried again in the list of tasks', async () => {
    const id = await sent();
    await stopTask(server.services, (await atDevice(monitor)).task.id);
    expect((await delivery(id)).failures).toMatchObject([{ reason: 'task_stopped' }]);
    await refused(panel, 'busy');
    await retryTask(server.services, (await atDevice(panel)).task.id);
    expect((await delivery(id)).channels).toEqual([{ channel: 'devices', queued: 2, sent: 0, failed: 1 }]);
  });

  it('is taken off when the announcement is stopped; one that has not left never does', async () => {
    const id = await sent();
    await shown(monitor);
    expect((await manager.client.post(`/announces/${id}/stop`)).statusCode).toBe(200);
    expect((await tasksOf(monitor, 'hide_message')).map(({ payload }) => payload)).toEqual([{ announce: id }]);
    expect(await tasksOf(nextDoor, 'hide_message')).toEqual([]);
    expect((await atDevice(nextDoor)).task.status).toBe('stopped');
    expect((await delivery(id)).channels).toEqual([{ channel: 'devices', queued: 0, sent: 1, failed: 0 }]);
    expect(await messagesOn(db(), [monitor])).toEqual([]);
  });

  it('is taken off when the announcement is deleted', async () => {
    const id = await sent();
    await shown(monitor);
    expect((await manager.client.send('DELETE', `/announces/${id}`)).statusCode).toBe(200);
    expect(await tasksOf(monitor, 'hide_message')).toHaveLength(1);
    expect((await atDevice(nextDoor)).task.status).toBe('stopped');
  });

  it('is taken off very many screens in portions, the last of them too', async () => {
    await makePerson(server, estate, { permissions: [], in: [estate.groups.s1], name: 'Southerner' });
    const many = await Promise.all(Array.from({ length: 118 }, () => deviceIn(estate.groups.s1, { type: 'monitor', model: 'DM-70', online: false })));
    const id = dataOf<string>(await boss.client.put('/announces', { ...body(), domains: [estate.groups.s1] }));
    await boss.client.post(`/announces/${id}/start`);
    await runAnnounces(server.services);
    await shown(many[0] ?? '');
    const left = async () => db().$count(announceMessages, and(eq(announceMessages.announceId, id), isNotNull(announceMessages.taskId)));
    expect(await left()).toBe(119);
    await boss.client.post(`/announces/${id}/stop`);
    expect(await left()).toBe(69);
    await runAnnounces(server.services);
    expect(await left()).toBe(0);
    const standing = await Promise.all(many.map(async (device) => (await tasksOf(device, 'show_message')).map(({ status }) => status)));
    expect(standing.flat().filter((status) => status !== 'stopped' && status !== 'completed')).toEqual([]);
    expect((await tasksOf(many[0] ?? '', 'hide_message')).length).toBe(1);
    await db().delete(devices).where(inArray(devices.id, many));
  });

  it('is shown once more when a withdrawn announcement goes out again', async () => {
    const id = await sent();
    await shown(monitor);
    await manager.client.post(`/announces/${id}/stop`);
    await start(id);
    await runAnnounces(server.services);
    expect([await shows(monitor), await shows(nextDoor)]).toEqual([2, 2]);
    const stored = await db()
      .select()
      .from(announceMessages)
      .where(and(eq(announceMessages.announceId, id), eq(announceMessages.channel, 'devices')));
    expect(stored).toHaveLength(3);
  });

  it('goes from the screen with the planned end', async () => {
    const at = server.services.now().getTime();
    const ends = new Date(at + 60_000).toISOString();
    await sent({ ends_at: ends });
    await shown(monitor);
    const { payload } = (await atDevice(monitor)).task;
    const board = new MessageBoard();
    expect(board.show(payload)).toBe(true);
    expect([board.shown(at).length, board.shown(at + 60_000).length]).toEqual([1, 0]);
    await runAnnounces({ ...server.services, now: () => new Date(at + 61_000) });
    expect(await tasksOf(monitor, 'hide_message')).toHaveLength(1);
  });
});

describe('a simulated screen', () => {
  const message = (number: number) => ({
    announce: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    title: `${number}`,
    text: '',
    until: null,
  });

  it('shows the newest first, each once, until told to take it off', () => {
    const board = new MessageBoard();
    for (const number of [1, 2, 1]) board.show(message(number));
    expect(board.shown(0).map(({ title }) => title)).toEqual(['1', '2']);
    board.hide(message(1));
    expect(board.shown(0).map(({ title }) => title)).toEqual(['2']);
  });

  it('does not understand what is no message', () => {
    expect(new MessageBoard().show({ announce: 'x' })).toBe(false);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AccessControlEvent } from '#models/access-control-events.ts';
import type { CardReader, Enrolment, PresentedCard } from '#models/enrolment.ts';
import { permissionCodes, type PermissionCode } from '#models/permission-catalogue.ts';
import { auditEvents, deviceTasks, identifiers } from '#server/db/schema/index.ts';
import { MqttFace } from '#server/devices/simulator/mqtt-face.ts';
import { SimulatedDevice } from '#server/devices/simulator/device.ts';
import { eq } from 'drizzle-orm';
import {
  type Answer,
  connectPanel,
  devicePassword,
  type DeviceServer,
  type SavedDevice,
  openDeviceServer,
  type Panel,
  until,
  untilPassed,
} from './devices-support.ts';
import { clientOf, codeOf, dataOf, makePerson, type Person } from './estate.ts';

let side: DeviceServer;
let boss: Person;
let reader: SavedDevice;
let open: Panel[] = [];

beforeAll(async () => {
  side = await openDeviceServer();
  boss = await makePerson(side.server, side.estate, { permissions: permissionCodes, in: [side.estate.groups.town], name: 'Boss' });
});
afterAll(() => side.close());
beforeEach(async () => {
  for (const panel of open) await panel.leave();
  open = [];
  await side.server.services.db.delete(identifiers);
  reader = await side.add({ domainId: side.estate.groups.north, name: 'Desk reader' });
});

const isOnline = (id: string) =>
  untilPassed(
    side,
    () => side.device(id),
    ({ online }) => online === true,
  );
async function connected(answer: Answer = () => ({ ok: true })): Promise<Panel> {
  const panel = await connectPanel(`mqtt://127.0.0.1:${side.port}`, reader.login, { answer });
  open.push(panel);
  await panel.say({ type: 'online', firmware: null });
  await isOnline(reader.id);
  return panel;
}
const begin = (who: Pick<Person, 'client'> = boss) => who.client.post('/enrolments', { device: reader.id });
const begun = async (who: Pick<Person, 'client'> = boss): Promise<string> => {
  const answer = await begin(who);
  expect(answer.statusCode, answer.body).toBe(200);
  return dataOf<{ id: string; seconds: number }>(answer).id;
};
const read = async (id: string, who: Pick<Person, 'client'> = boss): Promise<Enrolment> =>
  dataOf<Enrolment>(await who.client.get(`/enrolments/${id}/card`));
const held = (panel: Panel, ask: string, value = '0xaacbde') => panel.say({ type: 'presented', ask, identifier: { type: 'card', value } });
const desk: readonly PermissionCode[] = [
  'can_create_identifiers',
  'can_view_own_group_devices',
  'can_view_access_control_events',
  'can_receive_call_as_concierge',
];
/** Some time later, for as long as something is looked at: devices that speak would be of another time. */
const later = async <T>(ms: number, look: () => Promise<T>): Promise<T> => {
  side.server.pass(ms);
  return look().finally(() => side.server.pass(-ms));
};
const clerk = (permissions: readonly PermissionCode[] = desk, group = side.estate.groups.north, name = 'Clerk') =>
  makePerson(side.server, side.estate, { permissions, in: [group], name });

describe('enrolling a card at a reader', () => {
  it('the next card is told to whoever waits, in its stored form, and stands in no log', async () => {
    const panel = await connected();
    const answer = await begin();
    const { id, seconds } = dataOf<{ id: string; seconds: number }>(answer);
    expect(seconds).toBeGreaterThan(25);
    expect(panel.asked.find(({ kind }) => kind === 'enrol_card')).toMatchObject({ id, body: { seconds: expect.closeTo(30, -1) as number } });
    const waiting = read(id);
    await held(panel, id);
    expect(await waiting).toEqual({ state: 'read', card: { type: 'card', value: '00AACBDE', known: null } });
    expect(await side.events(reader.id)).toEqual([]);
    const [entry] = await side.server.services.db.select().from(auditEvents).where(eq(auditEvents.action, 'enrol_card'));
    expect(entry).toMatchObject({ area: 'devices', entityId: reader.id, userId: boss.id });
  });

  it('the number lies sealed in the database, and is told for a minute only', async () => {
    const panel = await connected();
    const id = await begun();
    await held(panel, id);
    expect(await read(id)).toMatchObject({ state: 'read' });
    const [task] = await side.server.services.db.select().from(deviceTasks).where(eq(deviceTasks.id, id));
    expect(JSON.stringify(task)).not.toMatch(/aacbde/i);
    expect(await later(120_000, () => read(id))).toEqual({ state: 'over' });
  });

  it('says whose a known card is to those who may know, to others only that it is known', async () => {
    const panel = await connected();
    const anna = await makePerson(side.server, side.estate, { in: [side.estate.groups.north], name: 'Anna Berg' });
    const made = await boss.client.put('/identifiers', { name: 'Red card', type: 'card', value: '00AACBDE', owner: anna.id });
    const own = await begun();
    await held(panel, own);
    expect(await read(own)).toMatchObject({
      card: { known: { identifier: { id: dataOf<string>(made), name: 'Red card' }, owner: { id: anna.id, name: 'Anna Berg' } } },
    });
    const blind = await clerk();
    const other = await begun(blind);
    await held(panel, other);
    expect(await read(other, blind)).toMatchObject({ state: 'read', card: { known: { identifier: null, owner: null } } });
  });

  it('is for one at a time: a second person is refused and told who waits, if they may know', async () => {
    const panel = await connected();
    const [one, other, far] = [await clerk(), await clerk([...desk, 'can_view_all_users']), await clerk(desk, side.estate.groups.south, 'Far')];
    const id = await begun(one);
    const busy = await begin(other);
    expect([busy.statusCode, codeOf(busy), (busy.json() as { data: unknown }).data]).toEqual([409, 'reader_busy', { name: 'Clerk' }]);
    // Out of sight: not even that.
    expect(codeOf(await begin(far))).toBe('not_found');
    await held(panel, id);
    expect(await read(id, one)).toMatchObject({ state: 'read' });
    await begun(other);
  });

  it('is told to the very session: neither to another of the same person nor to anybody else', async () => {
    const panel = await connected();
    const id = await begun();
    const elsewhere = { client: await clientOf(side.server, boss.id) };
    expect(codeOf(await elsewhere.client.get(`/enrolments/${id}/card`))).toBe('not_found');
    expect(codeOf(await (await clerk(permissionCodes)).client.get(`/enrolments/${id}/card`))).toBe('not_found');
    // Who begins anew elsewhere gives up what they waited for.
    const again = await begun(elsewhere);
    expect(await read(id)).toEqual({ state: 'over' });
    await held(panel, id);
    await held(panel, again, '00000007');
    expect(await read(id)).toEqual({ state: 'over' });
    expect(await read(again, elsewhere)).toMatchObject({ card: { value: '00000007' } });
  });

  it('can be given up: the reader is told, and a card that comes all the same is told to nobody', async () => {
    const panel = await connected();
    const id = await begun();
    expect((await boss.client.delete(`/enrolments/${id}`)).statusCode).toBe(200);
    await until(
      () => panel.asked,
      (asked) => asked.some(({ kind, body }) => kind === 'enrol_card' && body['stop'] === id),
    );
    await held(panel, id);
    expect(await read(id)).toEqual({ state: 'over' });
    expect((await boss.client.delete(`/enrolments/${id}`)).statusCode).toBe(200);
  });

  it('ends by itself, and the reader is free for others', async () => {
    await connected();
    const id = await begun();
    expect(await later(37_000, () => read(id))).toEqual({ state: 'over' });
    // Worn out like this, a request would be stopped as one that nobody waits for; it is not refused as taken.
    expect(codeOf(await later(37_000, begin))).not.toBe('reader_busy');
  });

  it('is refused with its reason: offline, no rights, a device that reads no cards, out of sight, a reader that refuses', async () => {
    expect(codeOf(await begin())).toBe('device_offline');
    const panel = await connected(({ kind }) => (kind === 'enrol_card' ? { ok: false, error: 'reader is broken' } : { ok: true }));
    const broken = await begin();
    expect([codeOf(broken), broken.body.includes('reader is broken')]).toEqual(['device_unavailable', true]);
    expect(codeOf(await begin(await clerk(['can_view_own_group_devices', 'can_receive_call_as_concierge'])))).toBe('forbidden');
    expect(codeOf(await begin(await clerk(['can_create_identifiers', 'can_view_own_group_devices'])))).toBe('forbidden');
    expect(codeOf(await begin(await clerk(desk, side.estate.groups.south)))).toBe('not_found');
    const camera = await side.add({ type: 'ip_camera', model: 'IC-4' });
    expect(codeOf(await boss.client.post('/enrolments', { device: camera.id }))).toBe('forbidden');
    expect(panel.asked.filter(({ kind }) => kind === 'enrol_card')).toHaveLength(1);
  });

  it('a card that another device tells is not taken', async () => {
    await connected();
    const id = await begun();
    const stranger = await side.add();
    const panel = await connectPanel(`mqtt://127.0.0.1:${side.port}`, stranger.login);
    open.push(panel);
    await panel.say({ type: 'online', firmware: null });
    await held(panel, id);
    await panel.say({ type: 'event', event: 'rebooted', at: new Date().toISOString() });
    await until(
      () => side.events(stranger.id),
      (events) => events.length === 1,
    );
    const [task] = await side.server.services.db.select().from(deviceTasks).where(eq(deviceTasks.id, id));
    expect(task?.payload).not.toHaveProperty('card');
  });

  it('offers the readers one may act on, the one used last on top', async () => {
    await connected();
    const names = async (who: Person) => dataOf<CardReader[]>(await who.client.get('/enrolments/readers')).map(({ name }) => name);
    const here = await clerk();
    const elsewhere = await side.add({ domainId: side.estate.groups.south, name: 'Southern reader' });
    const first = await side.add({ domainId: side.estate.groups.north, name: 'A first reader' });
    const all = await names(here);
    expect([all.includes(first.name), all.includes(elsewhere.name)]).toEqual([true, false]);
    expect(all.indexOf('A first reader')).toBeLessThan(all.indexOf('Desk reader'));
    await begun(here);
    const [top] = dataOf<CardReader[]>(await here.client.get('/enrolments/readers'));
    expect(top).toMatchObject({ id: reader.id, last: true });
    expect(await names(await clerk(['can_create_identifiers', 'can_view_own_group_devices']))).toEqual([]);
  });

  it('a simulated reader tells the card and opens nothing; the one after it is decided on as ever', async () => {
    const said: { type: string; event?: string | undefined }[] = [];
    const face: { is?: MqttFace } = {};
    const plan = {
      id: reader.id,
      name: reader.name,
      serial: reader.login,
      type: 'panel',
      model: reader.model,
      settings: {},
      copy: null,
      pictures: [],
    } as const;
    const device = new SimulatedDevice(plan, devicePassword, {
      random: () => 0,
      timers: side.server.services.timers,
      say: (word) => {
        said.push({ type: word.type, event: 'event' in word ? word.event : undefined });
        face.is?.say(word);
      },
    });
    face.is = new MqttFace(() => device, `mqtt://127.0.0.1:${side.port}`);
    face.is.goOnline();
    await isOnline(reader.id);
    const id = await begun();
    expect([
      device.requests.takesCard('access_code', '4711'),
      device.requests.takesCard('card', '00AACBDE'),
      device.requests.takesCard('card', '00AACBDE'),
    ]).toEqual([false, true, false]);
    expect(await read(id)).toMatchObject({ card: { value: '00AACBDE' } });
    expect([said.map(({ type }) => type), device.door.isOpen]).toEqual([['presented'], false]);
    expect(await device.present('card', '00AACBDE')).toBe('unknown_identifier');
    await face.is.close();
  });
});

describe('an unknown card in the access log', () => {
  const refused = async (value = '00BADA55', data: Record<string, unknown> = {}): Promise<AccessControlEvent> => {
    const panel = await connected();
    const identifier = { id: null, type: 'card', value } as const;
    await panel.say({
      type: 'event',
      event: 'access_denied',
      at: side.server.services.now().toISOString(),
      identifier,
      reason: 'unknown_identifier',
      data,
    });
    await until(
      () => side.events(reader.id),
      (events) => events.length === 1,
    );
    const [event] = dataOf<AccessControlEvent[]>(await boss.client.get('/access-control/events?size=10'));
    if (!event) throw new Error('no event');
    return event;
  };
  const cardOf = (id: string, who = boss) => who.client.get(`/access-control/events/${id}/card`);

  it('can be added by those who may: its number is kept sealed and told to nobody else', async () => {
    const event = await refused();
    expect(event).toMatchObject({ has_card: true, identifier_mask: 'DA55', reason: 'unknown_identifier' });
    expect(dataOf<PresentedCard>(await cardOf(event.id))).toEqual({ type: 'card', value: '00BADA55', known: null });
    const [reportedEvent] = await side.events(reader.id);
    expect(JSON.stringify(reportedEvent)).not.toContain('00BADA55');
    const watcher = await clerk(['can_view_own_group_devices', 'can_view_access_control_events']);
    expect(codeOf(await cardOf(event.id, watcher))).toBe('forbidden');
    expect(codeOf(await cardOf(event.id, await clerk(desk, side.estate.groups.south)))).toBe('not_found');
    const seen = await boss.client.get('/device-events?size=10');
    expect(seen.body).not.toContain('sealed');
  });

  it('says whose it is where somebody has added it meanwhile', async () => {
    const event = await refused('00BADA56');
    await boss.client.put('/identifiers', { name: 'New card', type: 'card', value: '00BADA56' });
    expect(dataOf<PresentedCard>(await cardOf(event.id))).toMatchObject({ known: { identifier: { name: 'New card' }, owner: null } });
  });

  it('has none to add where the card was known, or where a device says that it is sealed', async () => {
    await boss.client.put('/identifiers', { name: 'Blue card', type: 'card', value: '00BADA57' });
    const event = await refused('00BADA57', { sealed: 'forged' });
    expect(event.has_card).toBe(false);
    expect(codeOf(await cardOf(event.id))).toBe('not_found');
  });
});

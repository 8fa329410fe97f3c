import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { defaultDeviceSettings } from '#models/device-settings.ts';
import { accessRules, deviceCopies, identifiers } from '#server/db/schema/index.ts';
import { lengthOf } from '#models/time.ts';
import { copyFor } from '#server/access/device-copy.ts';
import { sentChange } from '#server/access/copy-wire.ts';
import { judge } from '#server/access/decide.ts';
import { worldForDevices, worldForQuestion } from '#server/access/load.ts';
import { notifyingDevices } from '#server/devices/copies.ts';
import { CopyWatch } from '#server/devices/copy-watch.ts';
import { CopyMemory, type Passages } from '#server/devices/simulator/copy-memory.ts';
import { SimulatedDevice } from '#server/devices/simulator/device.ts';
import { MqttFace } from '#server/devices/simulator/mqtt-face.ts';
import {
  type Answer,
  connectPanel,
  devicePassword,
  type DeviceServer,
  type SavedDevice,
  openDeviceServer,
  type Panel,
  until,
} from './devices-support.ts';
import { dataOf, makePerson, type Person } from './estate.ts';

let side: DeviceServer;
let url: string;
let boss: Person;
let lobby: SavedDevice;
let garage: SavedDevice;
/** Somebody of a flat in the north, with a card. */
let anna: Person;
let card: { id: string; value: string };
let made = 0;

beforeAll(async () => {
  side = await openDeviceServer();
  url = `mqtt://127.0.0.1:${side.port}`;
  boss = await makePerson(side.server, side.estate, {
    permissions: [
      'can_view_all_devices',
      'can_edit_devices',
      'can_view_all_users',
      'can_edit_all_users',
      'can_view_all_groups',
      'can_edit_all_groups',
      'can_view_access_rules',
      'can_create_access_rules',
      'can_edit_access_rules',
      'can_delete_access_rules',
      'can_view_time_rules',
      'can_create_time_rules',
      'can_edit_time_rules',
      'can_grant_more_than_own',
    ],
    in: [side.estate.groups.town],
  });
});
afterAll(() => side.close());
beforeEach(async () => {
  [lobby, garage] = [await side.add({ domainId: side.estate.groups.north }), await side.add({ domainId: side.estate.groups.north })];
  anna = await makePerson(side.server, side.estate, { in: [side.estate.groups.n1] });
  card = await give(anna.id);
});

async function give(userId: string | null, more: Partial<typeof identifiers.$inferInsert> = {}): Promise<{ id: string; value: string }> {
  made += 1;
  const value = made.toString(16).padStart(8, '0').toUpperCase();
  const [row] = await side.server.services.db
    .insert(identifiers)
    .values({ projectId: side.estate.here, userId, name: `Card ${made}`, type: 'card', value, ...more })
    .returning();
  if (!row) throw new Error('no identifier');
  return row;
}
const sent = async (answer: Promise<{ statusCode: number; body: string }>): Promise<string> => {
  const { statusCode, body } = await answer;
  if (statusCode >= 300) throw new Error(body);
  return body;
};
/** Makes a rule over the API. */
async function rule(over: Record<string, unknown>): Promise<string> {
  made += 1;
  const empty = { description: null, time_rules: [], domains: [], users: [], identifiers: [], prohibition: false, is_shareable: false };
  return (JSON.parse(await sent(boss.client.put('/access-rules', { name: `Rule ${made}`, ...empty, ...over }))) as { data: string }).data;
}

interface Played {
  panel: Panel;
  memory: CopyMemory;
}
/** A device that takes what it is sent, and keeps what it was asked. */
async function play(device: SavedDevice): Promise<Played> {
  const memory = new CopyMemory(null);
  const answer: Answer = ({ body }) => {
    const error = memory.take(body);
    return error === null ? { ok: true, body: { version: memory.version } } : { ok: false, error };
  };
  return { memory, panel: await connectPanel(url, device.login, { answer }) };
}
const copyNow = async ({ id, projectId }: SavedDevice) =>
  copyFor(await worldForDevices(side.server.services, { projectId, ids: [id] }, new Date()), id);
/** Waits until a device has nothing more to do and holds what the server would send it. */
const isSynchronised = async (device: SavedDevice, { memory }: Played): Promise<void> => {
  await until(
    async () => [await side.tasks(device.id), memory.version, (await copyNow(device)).version] as const,
    ([tasks, held, wanted]) => tasks.every(({ status }) => status === 'completed') && held === wanted,
  );
};
const opens = ({ memory }: Played, value: string): string | null => memory.present('card', value, Date.now()).reason;
const syncs = async (device: SavedDevice): Promise<number> => (await side.tasks(device.id)).filter(({ kind }) => kind === 'synchronise').length;

describe('a device is told', () => {
  it('the identifiers of those whom its rules let in, and is told of a change what it changes', async () => {
    const id = await rule({ devices: [lobby.id], domains: [side.estate.groups.north] });
    const played = await play(lobby);
    await isSynchronised(lobby, played);
    expect(opens(played, card.value)).toBeNull();
    const second = await side.server.services.db.transaction((tx) =>
      notifyingDevices(tx, 'users', [anna.id], async () => {
        made += 1;
        const value = `F${made.toString(16).padStart(7, '0').toUpperCase()}`;
        const [row] = await tx
          .insert(identifiers)
          .values({ projectId: side.estate.here, userId: anna.id, name: 'Second', type: 'card', value })
          .returning();
        return row;
      }),
    );
    await isSynchronised(lobby, played);
    const change = sentChange.parse(played.panel.asked.at(-1)?.body['change']);
    expect(change.put.credentials.map((one) => one.id)).toEqual([second?.id]);
    expect([change.removed.credentials, change.put.rules]).toEqual([[], []]);
    await sent(boss.client.delete(`/access-rules/${id}`));
    await isSynchronised(lobby, played);
    expect(opens(played, card.value)).toBe('unknown_identifier');
    expect(await syncs(garage)).toBe(0);
    await played.panel.leave();
  });

  it('of a person who comes to a group and leaves it, of a prohibition, a schedule, and the groups’ clocks and holidays', async () => {
    const { north, s1 } = side.estate.groups;
    await rule({ devices: [lobby.id], domains: [north] });
    const played = await play(lobby);
    await isSynchronised(lobby, played);
    const stranger = await makePerson(side.server, side.estate, { in: [s1] });
    const theirs = await give(stranger.id);
    expect(opens(played, theirs.value)).toBe('unknown_identifier');
    await sent(boss.client.patch(`/users/${stranger.id}`, { domains: [north] }));
    await isSynchronised(lobby, played);
    expect(opens(played, theirs.value)).toBeNull();
    await sent(boss.client.patch(`/users/${stranger.id}`, { domains: [s1] }));
    await isSynchronised(lobby, played);
    expect(opens(played, theirs.value)).toBe('unknown_identifier');

    const never = { repeat_mode: 'never', valid_from: '2020-01-01', valid_to: '2020-01-02' };
    const days = { mon: true, tue: true, wed: true, thu: true, fri: true, sat: true, sun: true };
    const hours = { from: 0, to: 86_400, is_all_day: true, holiday_mode: 'holds', holiday_from: 0, holiday_to: 0, description: null };
    const schedule = dataOf<string>(await boss.client.put('/schedules', { name: `Long ago ${made}`, days, ...hours, ...never }));
    await rule({ devices: [lobby.id], users: [anna.id], prohibition: true, time_rules: [schedule] });
    await isSynchronised(lobby, played);
    expect(opens(played, card.value)).toBeNull();
    await sent(boss.client.patch(`/schedules/${schedule}`, { repeat_mode: 'daily', valid_from: null, valid_to: null }));
    await isSynchronised(lobby, played);
    expect(opens(played, card.value)).toBe('prohibited');
    await played.panel.leave();
  });

  it('nothing where nothing changes for it', async () => {
    const id = await rule({ devices: [lobby.id], domains: [side.estate.groups.north] });
    const played = await play(lobby);
    await isSynchronised(lobby, played);
    const before = [await syncs(lobby), await syncs(garage)];
    await sent(boss.client.patch(`/access-rules/${id}`, { name: `Another name ${made}`, is_shareable: true }));
    await sent(boss.client.patch(`/users/${anna.id}`, { name: 'Anna' }));
    // Somebody without an identifier comes and goes: there is nothing to hold of them.
    const bare = await makePerson(side.server, side.estate, { in: [side.estate.groups.south] });
    await sent(boss.client.patch(`/users/${bare.id}`, { domains: [side.estate.groups.n1] }));
    await sent(boss.client.patch(`/users/${bare.id}`, { domains: [side.estate.groups.south] }));
    await rule({ devices: [garage.id], users: [anna.id] });
    expect([await syncs(lobby), await syncs(garage)]).toEqual([before[0], (before[1] ?? 0) + 1]);
    await played.panel.leave();
  });

  it('once of all that changed while it was away, and ends with exactly what the server has', async () => {
    const id = await rule({ devices: [lobby.id], domains: [side.estate.groups.north] });
    const played = await play(lobby);
    await isSynchronised(lobby, played);
    await played.panel.leave();
    await until(
      () => side.device(lobby.id),
      ({ online }) => online === false,
    );
    const before = await syncs(lobby);
    for (const domains of [[], [side.estate.groups.n2], [side.estate.groups.n1, side.estate.groups.south], [side.estate.groups.south]])
      await sent(boss.client.patch(`/access-rules/${id}`, { domains }));
    const extra = await rule({ devices: [lobby.id], users: [anna.id] });
    await sent(boss.client.delete(`/access-rules/${extra}`));
    await sent(boss.client.patch(`/users/${anna.id}`, { domains: [side.estate.groups.s1] }));
    expect(await syncs(lobby)).toBe(before + 1);
    const again = { memory: played.memory, panel: await connectPanel(url, lobby.login, { answer: played.panel.answer }) };
    await isSynchronised(lobby, again);
    expect(again.panel.asked.filter(({ kind }) => kind === 'synchronise')).toHaveLength(1);
    const wanted = await copyNow(lobby);
    const [stored] = await side.server.services.db.select().from(deviceCopies).where(eq(deviceCopies.deviceId, lobby.id));
    expect(stored?.version).toBe(wanted.version);
    expect(opens(again, card.value)).toBeNull();
    await again.panel.leave();
  });

  it('the whole when it holds something else than was thought, asked or by itself', async () => {
    const id = await rule({ devices: [lobby.id], domains: [side.estate.groups.north] });
    const first = await play(lobby);
    await isSynchronised(lobby, first);
    await first.panel.leave();
    // Its memory was exchanged: it knows nothing.
    const second = await play(lobby);
    await sent(boss.client.patch(`/access-rules/${id}`, { domains: [side.estate.groups.north, side.estate.groups.south] }));
    await isSynchronised(lobby, second);
    expect(second.panel.asked.map(({ body }) => Object.keys(body))).toEqual([['change'], ['whole']]);
    expect(opens(second, card.value)).toBeNull();
    await second.panel.leave();
    const third = await play(lobby);
    await third.panel.say({ type: 'online', copy: null });
    await isSynchronised(lobby, third);
    expect(third.panel.asked.map(({ body }) => Object.keys(body))).toEqual([['whole']]);
    await third.panel.leave();
  });

  it('anew of what changed after it did as it was told and nobody heard its answer', async () => {
    const id = await rule({ devices: [lobby.id], domains: [side.estate.groups.n1] });
    const memory = new CopyMemory(null);
    const done = new Map<string, Awaited<ReturnType<Answer>>>();
    const leaving: { panel?: Panel } = {};
    const once: Answer = async ({ id: request, body }) => {
      const known = done.get(request);
      if (known) return known;
      const error = memory.take(body);
      const answered = error === null ? { ok: true, body: { version: memory.version } } : { ok: false, error };
      if (answered.ok) done.set(request, answered);
      await leaving.panel?.leave();
      return answered;
    };
    const played = { memory, panel: await connectPanel(url, lobby.login, { answer: once }) };
    await isSynchronised(lobby, played);
    leaving.panel = played.panel;
    const before = memory.version;
    await sent(boss.client.patch(`/access-rules/${id}`, { domains: [side.estate.groups.n2] }));
    await until(
      async () => [await side.device(lobby.id), await side.tasks(lobby.id)] as const,
      ([device, tasks]) => device.online === false && tasks.at(-1)?.status !== 'started',
    );
    expect(memory.version).not.toBe(before);
    await sent(boss.client.patch(`/access-rules/${id}`, { domains: [side.estate.groups.north] }));
    delete leaving.panel;
    const again = { memory, panel: await connectPanel(url, lobby.login, { answer: once }) };
    await isSynchronised(lobby, again);
    expect(opens(again, card.value)).toBeNull();
    await again.panel.leave();
  });

  it('of what changed without a change of anybody’s, once it is looked at', async () => {
    await rule({ devices: [lobby.id], domains: [side.estate.groups.north] });
    const played = await play(lobby);
    await isSynchronised(lobby, played);
    const watch = new CopyWatch(side.server.services);
    const lookAtAll = async (): Promise<void> => {
      const rows = await side.server.services.db.select().from(deviceCopies);
      for (let count = 0; count <= rows.length; count += 1) await watch.look();
    };
    await lookAtAll();
    const before = await syncs(lobby);
    await side.server.services.db.update(identifiers).set({ revokedAt: new Date() }).where(eq(identifiers.id, card.id));
    await lookAtAll();
    expect(await syncs(lobby)).toBe(before + 1);
    await isSynchronised(lobby, played);
    expect(opens(played, card.value)).toBe('revoked');
    await played.panel.leave();
  });

  it('that a card was lost, everywhere it opens', async () => {
    await rule({ devices: [lobby.id, garage.id], domains: [side.estate.groups.north] });
    const both = [await play(lobby), await play(garage)];
    for (const [at, played] of both.entries()) await isSynchronised(at === 0 ? lobby : garage, played);
    const { services } = side.server;
    await services.db.transaction((tx) =>
      notifyingDevices(tx, 'identifiers', [card.id], () => tx.update(identifiers).set({ lostAt: new Date() }).where(eq(identifiers.id, card.id))),
    );
    for (const [at, played] of both.entries()) await isSynchronised(at === 0 ? lobby : garage, played);
    expect(both.map((played) => opens(played, card.value))).toEqual(['blocked', 'blocked']);
    for (const { panel } of both) await panel.leave();
  });
});

/** A device of the demo at a broker of the test: it decides and asks as those do. */
async function simulate(row: SavedDevice, passages?: Passages): Promise<{ device: SimulatedDevice; face: MqttFace }> {
  const plan = {
    id: row.id,
    serial: row.login,
    name: row.name,
    type: 'panel',
    model: row.model,
    settings: row.settings,
    copy: null,
    pictures: [],
  } as const;
  const device: SimulatedDevice = new SimulatedDevice({ ...plan }, devicePassword, {
    say: (said) => face.say(said),
    random: side.server.services.random,
    timers: side.server.services.timers,
    canAsk: () => face.isOnline(),
    ...(passages && { passages }),
  });
  const face = new MqttFace(() => device, url);
  face.goOnline();
  await until(
    () => device.copyVersion,
    (version) => version !== null,
  );
  return { device, face };
}
const passesOf = async (id: string): Promise<number> =>
  (await side.server.services.db.select().from(identifiers).where(eq(identifiers.id, id)))[0]?.passesCount ?? -1;
const granted = async (row: SavedDevice) => (await side.events(row.id)).filter(({ type }) => type === 'access_granted');

/** Makes a device a reader into or out of an area, over the API. */
const makeReader = (device: SavedDevice, way: 'in' | 'out' | 'off', area?: string | null, forgiven?: number | null) =>
  sent(
    boss.client.patch(`/devices/${device.id}`, {
      device_settings: {
        ...defaultDeviceSettings,
        additional: {
          ...defaultDeviceSettings.additional,
          anti_passback: { way, ...(area !== undefined && { area }), ...(forgiven !== undefined && { forgiven_after: forgiven }) },
        },
      },
    }),
  );
const decides = async (device: SavedDevice, at: Date): Promise<string | null> => {
  const world = await worldForQuestion(side.server.services, { projectId: side.estate.here, deviceId: device.id, credential: { id: card.id }, at });
  return judge(world, { credential: { id: card.id }, deviceId: device.id, at: at.getTime() }).reason;
};

describe('anti-passback', () => {
  it('lets nobody in twice: whoever went in leaves by a reader of the same area before', async () => {
    await rule({ devices: [lobby.id, garage.id], users: [anna.id] });
    await makeReader(lobby, 'in', 'Car park');
    await makeReader(garage, 'out');
    await makeReader(garage, 'out', ' car park');
    const passages: Passages = new Map();
    const [way, out] = [await simulate(lobby, passages), await simulate(garage, passages)];
    for (const [row, { device }] of [
      [lobby, way],
      [garage, out],
    ] as const)
      await until(
        async () => [device.copyVersion, (await copyNow(row)).version],
        ([held, wanted]) => held === wanted,
      );
    const enter = () => way.device.present('card', card.value);
    expect([await enter(), await enter()]).toEqual([null, 'anti_passback']);
    await until(
      () => granted(lobby),
      ({ length }) => length === 1,
    );
    expect(await decides(lobby, new Date(Date.now() + 1_000))).toBe('anti_passback');
    expect(await decides(garage, new Date(Date.now() + 1_000))).toBeNull();
    expect([await out.device.present('card', card.value), await enter()]).toEqual([null, null]);
    const refused = (await side.events(lobby.id)).filter(({ type }) => type === 'access_denied');
    expect(refused.map(({ reason }) => reason)).toEqual(['anti_passback']);
    for (const { face } of [way, out]) await face.close();
  });

  it('forgives an entry after its time, and is no more once it is switched off', async () => {
    await rule({ devices: [lobby.id], users: [anna.id] });
    await makeReader(lobby, 'in', null, 30);
    const way = await simulate(lobby);
    await until(
      async () => [way.device.copyVersion, (await copyNow(lobby)).version],
      ([held, wanted]) => held === wanted,
    );
    expect([await way.device.present('card', card.value), await way.device.present('card', card.value)]).toEqual([null, 'anti_passback']);
    await until(
      () => granted(lobby),
      ({ length }) => length === 1,
    );
    const later = (minutes: number) => new Date(Date.now() + lengthOf(minutes, 'minute'));
    expect([await decides(lobby, later(29)), await decides(lobby, later(31))]).toEqual(['anti_passback', null]);
    // A form changes the way alone where a device had none before.
    await makeReader(lobby, 'off');
    await until(
      async () => [way.device.copyVersion, (await copyNow(lobby)).version],
      ([held, wanted]) => held === wanted,
    );
    expect([await way.device.present('card', card.value), await decides(lobby, later(1))]).toEqual([null, null]);
    await way.face.close();
  });
});

describe('a pass', () => {
  it('is one: of 100 who present it at two doors at once one is let in (C7)', async () => {
    const key = await give(anna.id, { passesRestrictActive: true, passesMaxCount: 1 });
    await rule({ devices: [lobby.id, garage.id], users: [anna.id] });
    const doors = [await simulate(lobby), await simulate(garage)];
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => doors.map(({ device }) => device.present('card', key.value))).flat());
    expect(outcomes.filter((reason) => reason === null)).toHaveLength(1);
    expect(new Set(outcomes)).toEqual(new Set([null, 'passes_used']));
    expect(await passesOf(key.id)).toBe(1);
    await until(
      async () => [...(await granted(lobby)), ...(await granted(garage))],
      (events) => events.length === 1,
    );
    expect(await passesOf(key.id)).toBe(1);
    for (const { face } of doors) await face.close();
  });

  it('that two doors gave while nobody could be asked is counted twice, said, and the identifier closed', async () => {
    const key = await give(anna.id, { passesRestrictActive: true, passesMaxCount: 1 });
    await rule({ devices: [lobby.id, garage.id], users: [anna.id] });
    const doors = [await simulate(lobby), await simulate(garage)];
    for (const { device, face } of doors) {
      Object.assign(face, { isOnline: () => false });
      expect([await device.present('card', key.value), await device.present('card', key.value)]).toEqual([null, 'passes_used']);
    }
    const events = await until(
      async () => [...(await granted(lobby)), ...(await granted(garage))],
      (all) => all.length === 2,
    );
    expect(events.filter(({ data }) => data['over_limit'] === true)).toHaveLength(1);
    expect(await passesOf(key.id)).toBe(2);
    for (const { face } of doors) await face.close();
  });
});

describe('the log', () => {
  it('says by which rule and schedule somebody was let in, as they were called then', async () => {
    const id = await rule({ devices: [lobby.id], domains: [side.estate.groups.north], name: `Residents ${made}` });
    const [row] = await side.server.services.db.select().from(accessRules).where(eq(accessRules.id, id));
    const { device, face } = await simulate(lobby);
    expect(await device.present('card', card.value)).toBeNull();
    await until(
      () => granted(lobby),
      (all) => all.length === 1,
    );
    await sent(boss.client.patch(`/access-rules/${id}`, { name: `Renamed ${made}` }));
    expect((await granted(lobby))[0]).toMatchObject({ identifierId: card.id, userId: anna.id, data: { rule_id: id, rule: row?.name } });
    await face.close();
  });

  it('tells the rule that let somebody in only to who may view rules', async () => {
    const id = await rule({ devices: [lobby.id], domains: [side.estate.groups.north] });
    const [row] = await side.server.services.db.select().from(accessRules).where(eq(accessRules.id, id));
    const { device, face } = await simulate(lobby);
    expect(await device.present('card', card.value)).toBeNull();
    await until(
      () => granted(lobby),
      (all) => all.length === 1,
    );
    const logs = ['can_view_access_control_events', 'can_view_device_events', 'can_view_all_devices', 'can_view_all_users'] as const;
    const clerk = await makePerson(side.server, side.estate, { in: [side.estate.groups.town], permissions: [...logs] });
    const auditor = await makePerson(side.server, side.estate, { in: [side.estate.groups.town], permissions: [...logs, 'can_view_access_rules'] });
    const filters = {
      items: [
        { field: 'device', rule: 'equals', value: lobby.id },
        { field: 'type', rule: 'equals', value: 'access_granted' },
      ],
    };
    const newest = new URLSearchParams({ filters: JSON.stringify(filters) });
    const shownOf = async ({ client }: Person) => {
      const ofDoors = dataOf<Record<string, unknown>[]>(await client.get(`/access-control/events?${newest}`));
      const ofDevices = dataOf<Record<string, unknown>[]>(await client.get(`/device-events?${newest}`));
      return [ofDoors[0]?.['rule'], ofDevices[0]?.['data']];
    };
    expect(await shownOf(auditor)).toEqual([row?.name, expect.objectContaining({ rule: row?.name })]);
    const [ofDoor, ofDevice] = await shownOf(clerk);
    expect(ofDoor).toBeNull();
    expect(ofDevice).not.toHaveProperty('rule');
    await face.close();
  });

  it('says of what a device does not know why it would not open, and tells a device that should have', async () => {
    await rule({ devices: [lobby.id], domains: [side.estate.groups.north] });
    const { device, face } = await simulate(lobby);
    const late = await give(anna.id);
    const stranger = await makePerson(side.server, side.estate, { in: [side.estate.groups.s1] });
    const theirs = await give(stranger.id);
    const sentVersion = device.copyVersion;
    expect([await device.present('card', theirs.value), await device.present('card', late.value)]).toEqual([
      'unknown_identifier',
      'unknown_identifier',
    ]);
    const events = await until(
      async () => (await side.events(lobby.id)).filter(({ type }) => type === 'access_denied'),
      (all) => all.length === 2,
    );
    expect(events.map(({ reason, userId }) => [reason, userId])).toEqual([
      ['no_rule', stranger.id],
      ['unknown_identifier', anna.id],
    ]);
    await until(
      () => device.copyVersion,
      (version) => version !== sentVersion,
    );
    expect(await device.present('card', late.value)).toBeNull();
    await face.close();
  });
});

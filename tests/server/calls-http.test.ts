import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ServerCall } from '#models/call.ts';
import { defaultRoles } from '#models/default-roles.ts';
import { nothingLicensed } from '#models/licence-info.ts';
import type { DialerEntry, Interception, PhoneSettings } from '#models/phone-calls.ts';
import { topics } from '#models/realtime.ts';
import { loadConfig } from '#server/config.ts';
import { auditEvents, callInterceptions, calls, devices, identifiers, users } from '#server/db/schema/index.ts';
import { doorOpenedAt, doorOpenedInCall } from '#server/telephony/calls/doors.ts';
import { type CallServer, type StoredCall, openCallServer, roleOf, waitingFor } from './calls-support.ts';
import { openChannel } from './channel.ts';
import { codeOf, dataOf, makePerson, type Person } from './estate.ts';

type RoleKey = (typeof defaultRoles)[number]['key'];
let world: CallServer;
const who = {} as Record<RoleKey, Person>;
let concierge: Person;
let resident: Person;
/** Somebody who may intercept and sits at no desk. */
let interceptor: Person | undefined;
let panelId: string;
let url: string;
const roleKeys = defaultRoles.map(({ key }) => key);

beforeAll(async () => {
  world = await openCallServer();
  const { groups } = world.estate;
  for (const [at, key] of roleKeys.entries()) who[key] = await world.person(`110${at}`, roleOf(key), [groups.north]);
  ({ concierge, resident } = who);
  // North has a front desk by its concierge.
  await world.number('710', { domainId: groups.north });
  await world.number('711', { domainId: groups.south });
  panelId = await world.panel('2001', groups.n1);
  await world.panel('2002', groups.s1);
  await world.server.app.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(world.server.app.server.address() as AddressInfo).port}`;
});
beforeEach(async () => {
  await world.server.services.db.delete(calls);
  await world.server.services.db.delete(callInterceptions);
});
afterAll(() => world.close());

const db = () => world.server.services.db;
/** A call straight in the database: of the panel below north to its queue, waiting, unless something else is said. */
async function storedCall(over: Partial<typeof calls.$inferInsert> = {}): Promise<StoredCall> {
  const [call] = await db()
    .insert(calls)
    .values({
      id: randomUUID(),
      projectId: world.estate.here,
      callerNumber: '2001',
      callerName: 'Panel 2001',
      callerDeviceId: panelId,
      callerDomainId: world.estate.groups.n1,
      calleeNumber: '710',
      calleeName: 'north',
      calleeDomainId: world.estate.groups.north,
      type: 'awaiting',
      status: 'waiting',
      createdAt: new Date('2026-03-02T08:00:00Z'),
      ...over,
    })
    .returning();
  if (!call) throw new Error('no call');
  return call;
}
const ended = (over: Partial<typeof calls.$inferInsert> = {}) =>
  storedCall({ status: 'destroyed', historyStatus: 'cancel', endReason: 'caller_left', endedAt: new Date('2026-03-02T08:01:00Z'), ...over });
const elsewhere = () =>
  storedCall({
    callerNumber: '2002',
    callerDeviceId: null,
    callerDomainId: world.estate.groups.s1,
    calleeNumber: '711',
    calleeDomainId: world.estate.groups.south,
  });
const refusedEntries = async (person: Person): Promise<number> =>
  (
    await db()
      .select()
      .from(auditEvents)
      .where(and(eq(auditEvents.userId, person.id), eq(auditEvents.action, 'refused')))
  ).length;

/** Who sits at a desk, by the codes of the role. */
const takes = (key: RoleKey): boolean => roleOf(key).includes('can_receive_call_as_concierge');
const intercepts = (key: RoleKey): boolean => roleOf(key).includes('can_intercept_call_like_concierge');

describe.each(roleKeys)('%s', (key) => {
  it('hears of waiting calls only at a desk, and only of those in sight', async () => {
    const [near] = [await storedCall(), await elsewhere()];
    const answer = await who[key].client.get('/calls/waiting');
    const isAtDesk = takes(key) || intercepts(key);
    expect(answer.statusCode).toBe(isAtDesk ? 200 : 403);
    expect(isAtDesk ? dataOf<ServerCall[]>(answer).map(({ id }) => id) : []).toEqual(isAtDesk ? [near.id] : []);
  });

  it('stops and notes calls of a desk only in sight, and never learns of others', async () => {
    const [near, far] = [await storedCall(), await elsewhere()];
    const before = await refusedEntries(who[key]);
    expect((await who[key].client.post(`/calls/${far.id}/stop`)).statusCode).toBe(404);
    expect((await who[key].client.post(`/calls/${far.id}/note`, { note: 'x' })).statusCode).toBe(404);
    expect((await who[key].client.post(`/calls/${far.id}/transfer`, { number: '1101' })).statusCode).toBe(404);
    expect((await who[key].client.get(`/calls/${far.id}/note`)).statusCode).toBe(404);
    expect((await who[key].client.get(`/calls/${far.id}/visitors`)).statusCode).toBe(404);
    expect((await refusedEntries(who[key])) - before).toBe(5);
    expect((await who[key].client.post(`/calls/${near.id}/note`, { note: 'A parcel' })).statusCode).toBe(takes(key) ? 200 : 404);
    // Whoever takes it up again reads on.
    const read = await who[key].client.get(`/calls/${near.id}/note`);
    expect(takes(key) ? dataOf(read) : read.statusCode).toEqual(takes(key) ? { note: 'A parcel' } : 404);
    expect((await who[key].client.post(`/calls/${near.id}/stop`)).statusCode).toBe(takes(key) ? 200 : 404);
    const rows = await db().select().from(calls);
    expect(rows.find(({ id }) => id === near.id)).toMatchObject({
      status: takes(key) ? 'destroyed' : 'waiting',
      note: takes(key) ? 'A parcel' : null,
    });
    expect(rows.find(({ id }) => id === far.id)?.status).toBe('waiting');
  });

  it('intercepts only with the right to (INT-01)', async () => {
    const wanted = intercepts(key) ? 200 : 403;
    expect((await who[key].client.get('/calls/interception')).statusCode).toBe(wanted);
    expect((await who[key].client.post('/calls/interception', { is_active: true, domains: [world.estate.groups.n1] })).statusCode).toBe(wanted);
  });

  it('reads the history of own numbers and of queues in sight, of nothing else', async () => {
    const own = `110${roleKeys.indexOf(key)}`;
    await ended();
    expect((await who[key].client.get(`/calls/history/dialer/${own}`)).statusCode).toBe(200);
    expect((await who[key].client.get(`/calls/history/dialer/${own === '1100' ? '1101' : '1100'}`)).statusCode).toBe(404);
    expect((await who[key].client.get('/calls/history/dialer/710')).statusCode).toBe(takes(key) || intercepts(key) ? 200 : 404);
    expect((await who[key].client.get('/calls/history/dialer/711')).statusCode).toBe(404);
  });

  it('is told where to register, and of the queues it takes', async () => {
    const settings = dataOf<PhoneSettings>(await who[key].client.get('/calls/settings'));
    expect(settings).toMatchObject({ sip: { host: null, port: world.telephony.sip.ports.ws, secure: false }, recall_seconds: 60 });
    expect(settings.queues.map(({ number }) => number)).toEqual(takes(key) || intercepts(key) ? ['710'] : []);
  });

  it('listens to own numbers and queues in sight, to nothing else', async () => {
    const channel = await openChannel(url, who[key].client.token);
    const own = `110${roleKeys.indexOf(key)}`;
    expect(await channel.subscribe(topics.calls(own))).toBe('Subscribed');
    expect(await channel.subscribe(topics.calls('710'))).toBe(takes(key) || intercepts(key) ? 'Subscribed' : 'Refused');
    for (const number of ['711', '2001', own === '1100' ? '1101' : '1100', '9999'])
      expect(await channel.subscribe(topics.calls(number))).toBe('Refused');
    channel.ws.terminate();
  });
});

describe('without a licence for the web phone', () => {
  it('nothing of it is served', async () => {
    const person = await makePerson(world.server, world.estate, { permissions: roleOf('concierge'), in: [world.estate.groups.north] });
    await db().update(users).set({ licenseInfo: nothingLicensed }).where(eq(users.id, person.id));
    for (const path of ['/calls/settings', '/calls/waiting', '/calls/interception', '/calls/history/dialer/710', '/sip-numbers/contacts'])
      expect([path, codeOf(await person.client.get(path))]).toEqual([path, 'licence_restricted']);
    expect(codeOf(await person.client.post(`/calls/${randomUUID()}/stop`))).toBe('licence_restricted');
  });
});

describe('servers for finding a path', () => {
  it('are read from the settings, and told with what they ask for', () => {
    const { iceServers } = loadConfig({ DOORWARD_ICE_SERVERS: 'stun:one.example:3478, turn:desk:secret@two.example:5349' });
    expect(iceServers).toEqual([{ urls: 'stun:one.example:3478' }, { urls: 'turn:two.example:5349', username: 'desk', credential: 'secret' }]);
    expect(loadConfig({}).iceServers).toEqual([]);
    expect(() => loadConfig({ DOORWARD_ICE_SERVERS: 'http://one.example' })).toThrow('DOORWARD_ICE_SERVERS');
  });
});

describe('waiting calls', () => {
  it('come SOS first, then the oldest, with who and where', async () => {
    const late = await storedCall({ createdAt: new Date('2026-03-02T08:05:00Z') });
    const early = await storedCall({ status: 'answered_waiting', answeredBy: '1104' });
    const sos = await storedCall({ sos: true, createdAt: new Date('2026-03-02T08:09:00Z') });
    await ended();
    const list = await waitingFor(concierge);
    expect(list.map(({ id }) => id)).toEqual([sos.id, early.id, late.id]);
    expect(list[1]).toMatchObject({
      caller_name: 'Panel 2001',
      group: 'north · n1',
      answered_by: '1104',
      created_at: 1_772_438_400,
      info: { address: 'north · n1', user: null },
    });
  });
});

describe('the history of a number', () => {
  const entries = async (person: Person, number: string, query = ''): Promise<DialerEntry[]> =>
    dataOf<DialerEntry[]>(await person.client.get(`/calls/history/dialer/${number}${query}`));

  it('shows each call from its side, newest first, and who took it (VNUM-06)', async () => {
    const number = `110${roleKeys.indexOf('resident')}`;
    const at = (minute: number) => new Date(`2026-03-02T08:${String(minute).padStart(2, '0')}:00Z`);
    const talk = { historyStatus: 'answered', answeredAt: at(2), endedAt: at(4) } as const;
    await ended({
      callerNumber: number,
      callerName: 'Person',
      calleeNumber: '710',
      createdAt: at(1),
      ...talk,
      answeredBy: '1104',
      answeredByName: 'Person 1104',
      callerUserId: resident.id,
      answeredByUserId: concierge.id,
    });
    await ended({ type: 'normal', calleeNumber: number, createdAt: at(5), historyStatus: 'noanswer' });
    await ended({ calleeNumber: '711', createdAt: at(6), calleeDomainId: null, callerDomainId: null });
    expect(await entries(resident, number)).toMatchObject([
      {
        direction: 'incoming',
        status: 'noanswer',
        from: { number: '2001', user: { name: 'Panel 2001' } },
        to: { number },
        duration: 0,
        answered_by: null,
      },
      {
        direction: 'outgoing',
        status: 'answered',
        from: { number, user: { name: 'Person' } },
        to: { number: '710' },
        duration: 120,
        answered_by: { number: '1104', name: 'Person 1104' },
      },
    ]);
    expect(await entries(resident, number, '?page=2&size=1')).toHaveLength(1);
    expect((await resident.client.get(`/calls/history/dialer/${number}?order=x`)).statusCode).toBe(400);
  });

  it('has at a desk the calls of the queue too, also those a colleague took', async () => {
    await ended({ historyStatus: 'answered', answeredBy: '1999', answeredByName: 'Colleague', answeredByUserId: resident.id });
    const number = `110${roleKeys.indexOf('concierge')}`;
    expect(await entries(concierge, number)).toMatchObject([{ direction: 'incoming', answered_by: { number: '1999', name: 'Colleague' } }]);
  });
});

describe('interception', () => {
  const set = (body: unknown) => concierge.client.post('/calls/interception', body);
  const read = async () => dataOf<Interception>(await concierge.client.get('/calls/interception'));

  it('begins with a group at least, and keeps the choice when it ends (INT-03, INT-04, INT-07)', async () => {
    const { groups } = world.estate;
    expect(await read()).toMatchObject({ is_active: false, groups: [], user_groups: [{ id: groups.north, name: 'north', path: ['north'] }] });
    const none = await set({ is_active: true, domains: [] });
    expect([none.statusCode, none.body.includes('at_least_on_group_must_be_selected')]).toEqual([422, true]);
    expect((await set({ is_active: true, domains: [groups.n1] })).statusCode).toBe(200);
    expect(await read()).toMatchObject({ is_active: true, groups: [{ id: groups.n1, path: ['north', 'n1'] }] });
    expect((await set({ is_active: false, domains: [] })).statusCode).toBe(200);
    expect(await read()).toMatchObject({ is_active: false, groups: [{ id: groups.n1 }] });
  });

  it('takes in no group out of sight, and says nothing of it', async () => {
    for (const foreign of [world.estate.groups.south, world.estate.groups.abroad, randomUUID()])
      expect(codeOf(await set({ is_active: true, domains: [world.estate.groups.n1, foreign] }))).toBe('invalid_related');
    expect((await read()).is_active).toBe(false);
  });

  it('gives calls of its groups, and none once it has ended, though the choice is kept', async () => {
    interceptor ??= await world.person('1120', ['can_intercept_call_like_concierge'], [world.estate.groups.north]);
    const turn = (isActive: boolean) =>
      interceptor?.client.post('/calls/interception', { is_active: isActive, domains: isActive ? [world.estate.groups.n1] : [] });
    const call = await storedCall();
    const seen = async () => (await waitingFor(interceptor as Person)).map(({ id }) => id);
    expect(await seen()).toEqual([]);
    await turn(true);
    expect(await seen()).toEqual([call.id]);
    await turn(false);
    expect(await seen()).toEqual([]);
  });

  it('is on record', async () => {
    await set({ is_active: true, domains: [world.estate.groups.n1] });
    const [entry] = await db()
      .select()
      .from(auditEvents)
      .where(and(eq(auditEvents.userId, concierge.id), eq(auditEvents.area, 'calls'), eq(auditEvents.action, 'update')))
      .orderBy(auditEvents.createdAt);
    expect(entry?.changes).toMatchObject({ interception: { before: false, after: true } });
  });
});

describe('a door opened during a call', () => {
  it('is named by the call, with who opened it', async () => {
    const { services } = world.server;
    const call = await storedCall({ status: 'answered', answeredBy: '1104', answeredByName: 'Person 1104' });
    await doorOpenedInCall(services, call.id, panelId, 'The concierge');
    const [row] = await db().select().from(calls).where(eq(calls.id, call.id));
    expect(row).toMatchObject({ doorOpened: true, doorDeviceId: panelId, doorDeviceName: 'Panel 2001', doorOpenedBy: 'The concierge' });
  });

  it('by a key is put down to the call the panel talks in, and to no other', async () => {
    const { services } = world.server;
    const [talking, waiting] = [await storedCall({ status: 'answered', answeredBy: '1104', answeredByName: 'Person 1104' }), await storedCall()];
    await doorOpenedAt(services, panelId);
    const rows = await db().select().from(calls);
    expect(rows.find(({ id }) => id === talking.id)).toMatchObject({ doorOpened: true, doorOpenedBy: 'Person 1104' });
    expect(rows.find(({ id }) => id === waiting.id)?.doorOpened).toBe(false);
  });

  it('names a speech id in the trail only where the call is within reach', async () => {
    const token = async () => (await db().select({ token: devices.token }).from(devices).where(eq(devices.id, panelId)))[0]?.token;
    const far = await elsewhere();
    // The device is away: the opening is refused, and nothing is put down to anybody's call.
    const answer = await concierge.client.post('/devices/open', { token: await token(), speech_id: far.id, reason: 'A parcel' });
    expect(answer.statusCode).toBe(409);
    expect((await db().select().from(calls)).every(({ doorOpened }) => !doorOpened)).toBe(true);
  });
});

describe('expected visitors (experience.md 7)', () => {
  const guest = async (name: string, over: Partial<typeof identifiers.$inferInsert> = {}): Promise<void> => {
    const row = {
      projectId: world.estate.here,
      name,
      type: 'qr',
      ownerType: 'guest',
      guestType: 'guest',
      value: randomUUID(),
      keyToken: randomUUID(),
    } as const;
    await db()
      .insert(identifiers)
      .values({ ...row, domainId: world.estate.groups.n1, ...over });
  };
  const expected = async ({ client }: Person, call: StoredCall) => {
    const { visitors, total } = dataOf<{ visitors: { name: string; group: { name: string } | null }[]; total: number }>(
      await client.get(`/calls/${call.id}/visitors`),
    );
    return { names: visitors.map(({ name, group }) => `${name} at ${group?.name ?? 'a place out of sight'}`), total };
  };
  const hours = (count: number): Date => new Date(Date.now() + count * 3_600_000);
  const until = (end: Date) => ({ periodRestrictActive: true, periodRestrictFrom: hours(-1), periodRestrictTo: end });
  let callee: Person;
  beforeAll(async () => {
    callee = await world.person('1150', [], [world.estate.groups.n2]);
  });
  beforeEach(async () => {
    await db().delete(identifiers);
  });

  it('are those whose keys hold now and who have not come yet, the first to leave first, without a key', async () => {
    await guest('Later', until(hours(8)));
    await guest('Sooner', until(hours(2)));
    await guest('Always');
    await guest('Tomorrow', { periodRestrictActive: true, periodRestrictFrom: hours(20), periodRestrictTo: hours(30) });
    await guest('Was here', { lastUsedAt: hours(-1), passesCount: 1 });
    await guest('Too late', until(hours(-0.5)));
    await guest('Taken back', { revokedAt: hours(-1) });
    await guest('Next door', { domainId: world.estate.groups.s1 });
    const call = await storedCall();
    expect(await expected(concierge, call)).toEqual({ names: ['Sooner at n1', 'Later at n1', 'Always at n1'], total: 3 });
    const { body } = await concierge.client.get(`/calls/${call.id}/visitors`);
    expect(body).not.toMatch(/value|url|token/i);
  });

  it('are of a person those of their groups and those they invited themselves', async () => {
    await guest('At home', { domainId: world.estate.groups.n2 });
    await guest('At the pool', { domainId: world.estate.groups.north, createdBy: callee.id });
    await guest('Next door');
    const call = await storedCall({ type: 'normal', calleeNumber: '1150', calleeUserId: callee.id, calleeDomainId: world.estate.groups.n2 });
    expect((await expected(callee, call)).names).toEqual(['At home at n2', 'At the pool at a place out of sight']);
    expect((await resident.client.get(`/calls/${call.id}/visitors`)).statusCode).toBe(404);
    const own = `110${roleKeys.indexOf('resident')}`;
    const asked = await storedCall({ type: 'normal', callerNumber: own, callerDeviceId: null, calleeNumber: '1150', calleeUserId: callee.id });
    expect(await expected(resident, asked)).toEqual({ names: [], total: 0 });
    expect((await expected(callee, asked)).total).toBe(2);
  });
});

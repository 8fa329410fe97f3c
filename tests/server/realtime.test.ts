import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { and, eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Job } from '#models/job.ts';
import { type AreaName, areaNames } from '#models/areas.ts';
import { maxFrameBytes, topics } from '#models/realtime.ts';
import { scopesOf } from '#models/permissions.ts';
import { defaultRoles } from '#models/default-roles.ts';
import { auditEvents } from '#server/db/schema/index.ts';
import { beginSession } from '#server/modules/session/tokens.ts';
import { publish } from '#server/realtime/publish.ts';
import { inTime, longestWait } from '#tests/support/in-time.ts';
import { type Channel, HandshakeRefused, openChannel } from './channel.ts';
import { buildEstate, dataOf, type Estate, jobIsOver, makePerson, makeRole, type Person, userBody } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let estate: Estate;
let url: string;
let boss: Person;
let manager: Person;
let stranger: Person;
const open: Channel[] = [];

const everything = ['can_view_all_users', 'can_view_all_groups', 'can_create_users', 'can_edit_all_users', 'can_delete_users'] as const;
const allOf = [
  'can_view_all_markers',
  'can_create_markers',
  'can_edit_markers',
  ...everything,
  'can_view_audit_events',
  'can_edit_users_role',
  'can_view_all_roles',
  'can_edit_all_roles',
  'can_grant_more_than_own',
] as const;

beforeAll(async () => {
  server = await openTestServer({ config: { logLevel: 'trace', socketsPerUser: 12 } });
  estate = await buildEstate(server.services);
  boss = await makePerson(server, estate, { permissions: allOf, in: [estate.groups.town], name: 'Boss' });
  manager = await makePerson(server, estate, { permissions: ['can_view_users'], in: [estate.groups.north], name: 'Manager' });
  stranger = await makePerson(server, estate, { permissions: allOf, in: [estate.groups.abroad], project: estate.there, name: 'Stranger' });
  await server.app.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  for (const channel of open.splice(0)) {
    channel.ws.terminate();
    await channel.closed;
  }
});
afterAll(() => server.close());

/** Time in which nothing happened: those who subscribe now are told of nothing from before. */
const quiet = () => server.pass(16_000);
const channelOf = async (person: Person, ...args: Partial<[Parameters<typeof openChannel>[2]]>): Promise<Channel> => {
  const channel = await openChannel(url, person.client.token, ...args);
  open.push(channel);
  return channel;
};
const usersTopic = topics.area('users');
const plainRole = () => makeRole(server.services, estate.here, []);
async function makeUser(groupId: string): Promise<string> {
  const body = userBody({ login: `u${randomUUID().slice(0, 8)}`, name: 'New', role: await plainRole(), domains: [groupId] });
  const answer = await boss.client.put('/users', body);
  expect(answer.statusCode).toBe(200);
  return dataOf<string>(answer);
}
const published = (channel: Channel): string[] => channel.all('RowsChanged').flatMap(({ payload }) => payload.ids);
const announcements = (channel: Channel) => channel.all('RowsChanged').length;
/** Longer than a batch takes. */
const settled = () => pause(350);

describe('the handshake', () => {
  it.each([
    ['no token', null],
    ['a token nobody has', 'x'.repeat(43)],
    ['something that is no token', '%22%27'],
  ])('is answered 401 with %s', async (_, token) => {
    await expect(openChannel(url, token)).rejects.toEqual(new HandshakeRefused(401));
  });

  it.each(['http://evil.example', 'https://localhost', 'null', 'http://127.0.0.1:1'])('of a page from %s is answered 403 (S16)', async (origin) => {
    await expect(openChannel(url, boss.client.token, { headers: { origin } })).rejects.toEqual(new HandshakeRefused(403));
  });

  it('of its own page is let in', async () => {
    const channel = await channelOf(boss, { headers: { origin: url } });
    expect(await channel.subscribe(usersTopic)).toBe('Subscribed');
  });

  it('asked for without an upgrade says what it wants, and refuses a dead token', async () => {
    const fine = await fetch(`${url}/api/v0/ws`, { headers: { authorization: `Bearer ${boss.client.token}` } });
    expect([fine.status, fine.headers.get('upgrade')]).toEqual([426, 'websocket']);
    expect((await fetch(`${url}/api/v0/ws`)).status).toBe(401);
  });

  it('elsewhere is answered 404, and the connection ends', async () => {
    await expect(openChannel(`${url}/elsewhere`, boss.client.token)).rejects.toEqual(new HandshakeRefused(404));
  });

  it('is refused to the one connection too many (V10)', async () => {
    const greedy = await makePerson(server, estate, { in: [estate.groups.n1] });
    for (let count = 0; count < 12; count++) await channelOf(greedy);
    await expect(openChannel(url, greedy.client.token)).rejects.toEqual(new HandshakeRefused(429));
    open[0]?.ws.terminate();
    await open[0]?.closed;
    await vi.waitFor(() => channelOf(greedy), { timeout: longestWait });
  });

  it('leaves no token in the log (S15)', async () => {
    await channelOf(boss);
    await openChannel(url, 'leaked-token-of-somebody').catch(() => undefined);
    await openChannel(url, boss.client.token, { headers: { origin: 'http://evil.example' } }).catch(() => undefined);
    expect(server.logged()).toContain('realtime opened');
    expect(server.logged()).not.toContain(String(boss.client.token));
    expect(server.logged()).not.toContain('leaked-token');
  });
});

describe('subscriptions (R12)', () => {
  const refusedEntries = async () => (await server.services.db.select().from(auditEvents).where(eq(auditEvents.action, 'refused'))).length;

  it('are given by the catalogue: every default role at every area', async () => {
    for (const { permissions } of defaultRoles) {
      const person = await makePerson(server, estate, { permissions: permissions as never, in: [estate.groups.north] });
      const channel = await channelOf(person);
      for (const area of areaNames) {
        const allowed = scopesOf({ permissions }, 'view', area).length > 0;
        expect(`${area} ${await channel.subscribe(topics.area(area))}`).toBe(`${area} ${allowed ? 'Subscribed' : 'Refused'}`);
      }
    }
  });

  it('to what is not one’s own are refused and audited', async () => {
    const channel = await channelOf(manager);
    const job = dataOf<Job>(await boss.client.post('/users/export', { export_format: 'csv' }));
    const foreign = [topics.user(boss.id), topics.calls('1001'), topics.job(job.id), topics.area('audit-events'), topics.device(randomUUID())];
    const before = await refusedEntries();
    for (const topic of foreign) expect(`${topic} ${await channel.subscribe(topic)}`).toBe(`${topic} Refused`);
    expect(await refusedEntries()).toBe(before + foreign.length);
    await jobIsOver(boss.client, job);
    await publish(server.services.db, estate.here, topics.user(boss.id), 'NotificationReceived', { id: randomUUID() });
    await settled();
    expect(channel.heard.filter(({ name }) => name !== 'Refused')).toEqual([]);
  });

  it('to one’s own are given', async () => {
    const channel = await channelOf(manager);
    expect(await channel.subscribe(topics.user(manager.id))).toBe('Subscribed');
    expect(await channel.subscribe(topics.appChanges)).toBe('Subscribed');
    const id = randomUUID();
    await publish(server.services.db, estate.here, topics.user(manager.id), 'NotificationReceived', { id });
    expect((await channel.wait('NotificationReceived')).payload).toEqual({ id });
  });

  it.each(['areas.nothing', 'areas.__proto__', 'jobs.1', 'private-user.', '__proto__', 'x', 'devices', `private-user.${'a'.repeat(80)}`])(
    'to %s are refused as unknown',
    async (topic) => {
      const channel = await channelOf(boss);
      expect(await channel.subscribe(topic)).toBe('Refused');
      expect(channel.all('Refused')[0]?.payload).toEqual({ code: 'unknown_topic' });
    },
  );

  it('end with unsubscribing', async () => {
    quiet();
    const channel = await channelOf(boss);
    await channel.subscribe(usersTopic);
    channel.say({ command: 'unsubscribe', topic: usersTopic });
    channel.say({ command: 'publish', topic: 'probe', text: '' });
    await channel.wait('Alive');
    await makeUser(estate.groups.n1);
    await settled();
    expect(announcements(channel)).toBe(0);
  });

  it('are not for publishing: nothing a client publishes reaches anybody (R13)', async () => {
    quiet();
    const [channel, other] = [await channelOf(boss), await channelOf(boss)];
    for (const topic of [usersTopic, topics.appChanges, topics.user(boss.id), 'anything']) {
      await other.subscribe(topic);
      channel.say({ command: 'publish', topic, text: 'fire' });
    }
    await settled();
    expect(channel.all('Refused')).toHaveLength(4);
    expect(other.heard.every(({ name }) => name === 'Subscribed' || name === 'Refused')).toBe(true);
  });
});

describe('changed rows', () => {
  it('are told to those who may see them, once, and only then', async () => {
    quiet();
    const [all, some, foreign] = [await channelOf(boss), await channelOf(manager), await channelOf(stranger)];
    for (const channel of [all, some, foreign]) expect(await channel.subscribe(usersTopic)).toBe('Subscribed');
    const seen = await makeUser(estate.groups.n1);
    const unseen = await makeUser(estate.groups.s1);
    await settled();
    expect(published(all).toSorted()).toEqual([seen, unseen].toSorted());
    expect(published(some)).toEqual([seen]);
    expect(announcements(foreign)).toBe(0);
    await boss.client.patch(`/users/${unseen}`, { name: 'Other' });
    await settled();
    expect(published(some), 'no id out of sight').toEqual([seen]);
    await boss.client.delete(`/users/${seen}`);
    await settled();
    expect(published(all).filter((id) => id === seen)).toHaveLength(2);
    expect(some.all('RowsChanged').at(-1)?.payload.ids, 'that a row is gone, without its id').toEqual([]);
  });

  it('are not told when the change is rolled back', async () => {
    quiet();
    const channel = await channelOf(boss);
    await channel.subscribe(usersTopic);
    const id = randomUUID();
    await server.services.db
      .transaction(async (tx) => {
        await publish(tx, estate.here, usersTopic, 'RowsChanged', { area: 'users', ids: [id] });
        throw new Error('no');
      })
      .catch(() => undefined);
    await settled();
    expect(announcements(channel)).toBe(0);
  });

  it('that changed just before somebody subscribed are told as "any row"', async () => {
    quiet();
    await makeUser(estate.groups.n1);
    const [some, foreign] = [await channelOf(manager), await channelOf(stranger)];
    for (const channel of [some, foreign]) await channel.subscribe(usersTopic);
    await settled();
    expect([announcements(some), published(some), announcements(foreign)]).toEqual([1, [], 0]);
  });

  it('by the hundred come in batches, and by the thousand as "any row"', async () => {
    quiet();
    const channel = await channelOf(boss);
    await channel.subscribe(usersTopic);
    const ids = Array.from({ length: 900 }, () => randomUUID());
    await publish(server.services.db, estate.here, usersTopic, 'RowsChanged', { area: 'users', ids });
    await settled();
    expect(published(channel).toSorted()).toEqual(ids.toSorted());
    expect(announcements(channel)).toBe(1);
    await publish(server.services.db, estate.here, usersTopic, 'RowsChanged', {
      area: 'users',
      ids: Array.from({ length: 20_000 }, () => randomUUID()),
    });
    await settled();
    expect(channel.all('RowsChanged').at(-1)?.payload.ids).toEqual([]);
  });

  it('are told of the group too that a person is put into', async () => {
    const channel = await channelOf(boss);
    await channel.subscribe(topics.area('groups'));
    await makeUser(estate.groups.n2);
    await settled();
    expect(published(channel)).toContain(estate.groups.n2);
  });

  it('are told as "any row" of areas that show what was renamed, and not of others', async () => {
    const made = await boss.client.put('/markers', { name: 'Board', color: '#112233' });
    const marker = `/markers/${made.json<{ data: string }>().data}`;
    const [channel, others] = [await channelOf(boss), await channelOf(boss)];
    await channel.subscribe(usersTopic);
    await others.subscribe(topics.area('groups'));
    // What changed just before is told now.
    await settled();
    const before = [announcements(channel), announcements(others)];
    expect((await boss.client.patch(marker, { color: '#445566' })).statusCode).toBe(200);
    await settled();
    expect(announcements(channel)).toBe(before[0]);
    expect((await boss.client.patch(marker, { name: 'Owners’ board' })).statusCode).toBe(200);
    await settled();
    const payloads = channel.all('RowsChanged').map(({ payload }) => payload);
    expect(payloads.slice(before[0])).toEqual([{ area: 'users', ids: [] }]);
    expect(announcements(others)).toBe(before[1]);
  });

  it('appear in the audit trail as they happen', async () => {
    const channel = await channelOf(boss);
    await channel.subscribe(topics.area('audit-events'));
    const id = await makeUser(estate.groups.n1);
    await settled();
    const [entry] = await server.services.db
      .select({ id: auditEvents.id })
      .from(auditEvents)
      .where(and(eq(auditEvents.entityId, id), eq(auditEvents.action, 'create')));
    expect(published(channel)).toContain(entry?.id);
  });
});

describe('long work', () => {
  it('tells whoever listens that it has come further, and that it is over', async () => {
    const channel = await channelOf(boss);
    const job = dataOf<Job>(await boss.client.post('/users/export', { export_format: 'csv' }));
    expect(await channel.subscribe(topics.job(job.id))).toBe('Subscribed');
    await channel.wait('JobChanged', topics.job(job.id));
    await jobIsOver(boss.client, job);
  });
});

describe('rights that change (S17, R10, S9)', () => {
  it('drop the subscriptions that are no longer allowed, and tell of the role', async () => {
    const person = await makePerson(server, estate, { permissions: ['can_view_audit_events'], in: [estate.groups.n1] });
    const [channel, bystander] = [await channelOf(person), await channelOf(manager)];
    for (const topic of [topics.area('audit-events'), usersTopic, topics.appChanges]) expect(await channel.subscribe(topic)).toBe('Subscribed');
    await bystander.subscribe(topics.appChanges);
    expect((await boss.client.patch(`/roles/${person.roleId}`, { permissions: [] })).statusCode).toBe(200);
    expect((await channel.wait('RoleChanged')).payload).toEqual({ roleId: person.roleId });
    expect((await channel.wait('Refused')).topic).toBe(topics.area('audit-events'));
    const before = announcements(channel);
    await makeUser(estate.groups.n2);
    await settled();
    expect(
      channel
        .all('RowsChanged')
        .slice(before)
        .filter(({ payload }) => payload.area === 'audit-events'),
    ).toEqual([]);
    expect(bystander.all('RoleChanged')).toEqual([]);
  });

  it('come with another role as well', async () => {
    const person = await makePerson(server, estate, { in: [estate.groups.n1] });
    const channel = await channelOf(person);
    await channel.subscribe(topics.appChanges);
    const role = await plainRole();
    expect((await boss.client.patch(`/users/${person.id}`, { role })).statusCode).toBe(200);
    expect((await channel.wait('RoleChanged')).payload).toEqual({ roleId: role });
  });

  it.each([
    ['signing out', (person: Person) => person.client.post('/logout')],
    ['signing out everywhere', (person: Person) => person.client.post('/logout/all')],
    ['a password set by somebody else', (person: Person) => boss.client.post(`/users/${person.id}/password`, { new_password: 'Another-2026' })],
    ['deletion', (person: Person) => boss.client.delete(`/users/${person.id}`)],
  ])('%s closes the channel with 4401 within a second', async (_, end) => {
    const person = await makePerson(server, estate, { in: [estate.groups.n1] });
    const channel = await channelOf(person);
    await channel.subscribe(topics.user(person.id));
    const begun = performance.now();
    expect((await end(person)).statusCode).toBe(200);
    expect(await channel.closed).toBe(4401);
    expect(performance.now() - begun).toBeLessThan(inTime(1_000));
  });
});

describe('frames nobody foresaw (R9, R15)', () => {
  it('are answered with an error frame, and the channel stays', async () => {
    const channel = await channelOf(boss);
    const hostile = [
      '',
      'null',
      '[]',
      '{}',
      '"x"',
      '{"command":"subscribe"}',
      '{"command":"become","topic":"x"}',
      '{"__proto__":{}}',
      Buffer.from([0, 255]),
    ];
    for (const frame of hostile) channel.say(frame);
    channel.say({ command: 'subscribe', topic: usersTopic, more: true });
    await settled();
    expect(channel.all('Refused').map(({ payload }) => payload.code)).toEqual(Array.from({ length: 10 }, () => 'wrong_parameters'));
    expect(await channel.subscribe(usersTopic)).toBe('Subscribed');
  });

  it('too large close the channel with 1009', async () => {
    const channel = await channelOf(boss);
    channel.say('x'.repeat(maxFrameBytes + 1));
    expect(await channel.closed).toBe(1009);
  });

  it('too many close the channel with 1008, and pings count', async () => {
    const [talker, pinger] = [await channelOf(boss), await channelOf(boss)];
    for (let count = 0; count < 2_000; count++) {
      talker.say({ command: 'publish', topic: 'probe', text: '' });
      pinger.ws.ping();
    }
    expect(await talker.closed).toBe(1008);
    // A flood of pings may be cut off without a farewell.
    expect([1006, 1008]).toContain(await pinger.closed);
    expect((await boss.client.get('/profile')).statusCode).toBe(200);
  });
});

describe('readers that do not read (R14)', () => {
  it('are dropped at a megabyte waiting, while others hear all', async () => {
    const [slow, quick] = [await channelOf(boss), await channelOf(boss)];
    const topic = topics.user(boss.id);
    await slow.subscribe(topic);
    await quick.subscribe(topic);
    slow.ws.pause();
    const filler = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`k${at}`, 'x'.repeat(100)]));
    for (let count = 0; count < 2_000; count++) {
      await publish(server.services.db, estate.here, topic, 'CallUpdated', filler);
      // All three live in this one process: the embedded database would not let the reader read.
      await turn();
    }
    await vi.waitFor(async () => expect((await server.app.inject('/metrics')).body).toContain('doorward_realtime_drops_total{why="slow"} 1'), {
      timeout: longestWait,
    });
    slow.ws.resume();
    expect(await slow.closed).toBe(1006);
    await vi.waitFor(() => expect(quick.all('CallUpdated')).toHaveLength(2_000), { timeout: longestWait });
  });
});

describe('time', () => {
  it('drops who has missed two pings, and keeps who answers', async () => {
    const [silent, lively] = [await channelOf(boss, { autoPong: false }), await channelOf(boss)];
    for (let round = 0; round < 3; round++) {
      expect([silent.ws.readyState, lively.ws.readyState]).toEqual([1, 1]);
      server.pass(20_000);
      await pause(150);
    }
    expect(await silent.closed).toBe(1006);
    expect(lively.ws.readyState).toBe(1);
  });

  it('closes with 4401 when the token runs out, and tells nothing after that (R10)', async () => {
    const person = await makePerson(server, estate, { permissions: ['can_view_all_users'], in: [estate.groups.n1] });
    const channel = await channelOf(person);
    await channel.subscribe(topics.user(person.id));
    server.pass(15 * 60_000);
    await publish(server.services.db, estate.here, topics.user(person.id), 'NotificationReceived', { id: randomUUID() });
    expect(await channel.closed).toBe(4401);
    expect(channel.all('NotificationReceived')).toEqual([]);
  });

  it('leaves the channel open when the session got a new token in time', async () => {
    const { services } = server;
    const person = await makePerson(server, estate, { in: [estate.groups.n1] });
    const pair = await beginSession(services.db, person.id, { ip: '127.0.0.1', userAgent: null }, services.now());
    const channel = await openChannel(url, pair.token);
    open.push(channel);
    server.pass(14 * 60_000);
    expect((await server.as(null).post('/refresh', { token: pair.refresh })).statusCode).toBe(200);
    await settled();
    server.pass(2 * 60_000);
    await pause(150);
    expect(channel.ws.readyState).toBe(1);
  });
});

describe('many events', () => {
  it('reach each area’s listeners as exactly the union of what was published', async () => {
    const fresh = await makePerson(server, estate, { permissions: allOf, in: [estate.groups.town] });
    const channel = await channelOf(fresh);
    const areas: AreaName[] = ['users', 'groups', 'roles'];
    for (const area of areas) await channel.subscribe(topics.area(area));
    const expected = new Map<string, Set<string>>();
    for (let count = 0; count < 200; count++) {
      const area = areas[count % 3] ?? 'users';
      const ids = Array.from({ length: 1 + (count % 7) }, () => randomUUID());
      expected.set(area, new Set([...(expected.get(area) ?? []), ...ids]));
      await publish(server.services.db, estate.here, topics.area(area), 'RowsChanged', { area, ids });
    }
    await settled();
    for (const area of areas) {
      const rows = channel.all('RowsChanged').filter(({ payload }) => payload.area === area);
      expect(new Set(rows.flatMap(({ payload }) => payload.ids))).toEqual(expected.get(area));
    }
  });
});

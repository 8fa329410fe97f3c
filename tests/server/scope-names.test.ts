import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { calls as api } from '#models/api.ts';
import type { AuditEvent } from '#models/audit-events.ts';
import type { ServerCall } from '#models/call.ts';
import type { Call } from '#models/define-call.ts';
import type { Job } from '#models/job.ts';
import { hiddenName } from '#models/hidden-name.ts';
import { areaNames } from '#models/areas.ts';
import { modelOf } from '#models/index.ts';
import { type PermissionCode, permissionCodes } from '#models/permission-catalogue.ts';
import { topics } from '#models/realtime.ts';
import { countedFeatures } from '#models/seats.ts';
import {
  alarmCalls,
  auditEvents,
  callInterceptions,
  calls,
  deviceAlarms,
  deviceEvents,
  devices,
  deviceTasks,
  notifications,
  sipNumbers,
  users,
} from '#server/db/schema/index.ts';
import { audit } from '#server/audit.ts';
import { notifyOfCall } from '#server/telephony/calls/book.ts';
import { eq } from 'drizzle-orm';
import { type Channel, openChannel } from './channel.ts';
import { buildEstate, dataOf, deviceRow, type Estate, groupBody, jobIsOver, makePerson, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';
import { longestWait } from '#tests/support/in-time.ts';

/** All that a reader may hold without seeing the whole project: every scope of theirs ends with their tower. */
const towerCodes = permissionCodes.filter((code) => !/_view_all_|_all$|can_call_all|grant_more/.test(code));

let server: TestServer;
let estate: Estate;
/** Reads all they can in the north; in the other project nobody is to be found either. */
let reader: Person;
let russian: Person;
let northern: Person;
const ids: Record<string, string> = {};
/** What no answer to a reader of the north may hold. */
const secrets: string[] = [];
const secret = (word: string): string => {
  secrets.push(word);
  return word;
};

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
  const { groups, here, there } = estate;
  const { db } = server.services;
  reader = await makePerson(server, estate, { permissions: towerCodes, in: [groups.north], name: 'Reader' });
  russian = await makePerson(server, estate, { permissions: towerCodes, in: [groups.north], name: 'Chitatel' });
  await db.update(users).set({ locale: 'ru' }).where(eq(users.id, russian.id));
  northern = await makePerson(server, estate, { in: [groups.n1], name: 'Nora Northern' });
  const foreign = async (name: string, group: string, project = here): Promise<Person> => {
    const word = name.toLowerCase();
    const person = await makePerson(server, estate, {
      permissions: permissionCodes,
      in: [group],
      project,
      name: secret(`Hidden ${name}`),
      login: secret(`login-${word}`),
      email: secret(`${word}@hidden.example`),
    });
    const own = { phone: secret(`+49301234567${name.length}`), address: secret(`Street of ${name}`) };
    await db.update(users).set(own).where(eq(users.id, person.id));
    return person;
  };
  const south = await foreign('Sophie', groups.s1);
  const above = await foreign('Thomas', groups.town);
  const abroad = await foreign('Ada', groups.abroad, there);
  const gone = await foreign('Gustav', groups.south);
  ids['south'] = south.id;
  await fill(south, above, abroad, gone);
});
afterAll(() => server.close());

/** Everything that may name somebody of elsewhere in a row of the north. */
async function fill(south: Person, above: Person, abroad: Person, gone: Person): Promise<void> {
  const { db, now } = server.services;
  const { groups, here, there } = estate;
  const at = now();
  const [panel] = await db
    .insert(devices)
    .values(deviceRow({ projectId: here, domainId: groups.north, name: 'North lobby' }))
    .returning();
  const deviceId = panel?.id ?? '';
  const place = { projectId: here, deviceId, deviceName: 'North lobby' };
  for (const [person, name] of [
    [south, 'Hidden Sophie'],
    [above, 'Hidden Thomas'],
    [gone, 'Hidden Gustav'],
    [northern, 'Nora Northern'],
  ] as const) {
    await db.insert(deviceEvents).values({
      ...place,
      type: 'opened_remotely',
      priority: 'low',
      userId: person.id,
      userName: name,
      data: { by: name },
      occurredAt: at,
      createdAt: at,
    });
    await db.insert(deviceAlarms).values({
      ...place,
      domainId: groups.north,
      sensor: 'smoke',
      state: 'processed',
      enabledAt: at,
      claimedBy: person.id,
      claimedByName: name,
      processedBy: person.id,
      processedByName: name,
    });
    await db.insert(deviceTasks).values({ projectId: here, deviceId, kind: 'open_door', status: 'completed', createdBy: person.id });
    const call = {
      projectId: here,
      type: 'awaiting' as const,
      callerNumber: `77${name.length}`,
      callerName: name,
      callerUserId: person.id,
      callerDomainId: person === northern ? groups.n1 : groups.south,
      calleeNumber: '700',
      calleeDomainId: groups.north,
      createdAt: at,
    };
    await db.insert(calls).values([
      { ...call, id: randomUUID(), status: 'waiting' },
      {
        ...call,
        id: randomUUID(),
        status: 'destroyed',
        historyStatus: 'answered',
        answeredBy: '1',
        answeredByName: name,
        answeredByUserId: person.id,
        doorOpened: true,
        doorOpenedBy: name,
      },
    ]);
    const data = { device: { id: deviceId, name: 'North lobby' }, user: { id: person.id, name } };
    for (const { id: userId } of [reader, russian])
      await db.insert(notifications).values({ projectId: here, userId, type: 'alarm_processed', data, significance: 'normal', createdAt: at });
  }
  await db.insert(alarmCalls).values({ ...place, domainId: groups.north, calledAt: at });
  await db.insert(sipNumbers).values([
    { projectId: here, number: '700', name: 'Desk of the north', domainId: groups.north },
    { projectId: here, number: '1001', name: secret('Sophie’s phone'), userId: south.id },
    { projectId: there, number: '1002', name: secret('Ada’s phone'), userId: abroad.id },
    { projectId: here, number: '1003', name: 'Reader', userId: reader.id },
  ]);
  await db.insert(callInterceptions).values({ userId: reader.id, projectId: here, isActive: true, groupIds: [groups.north], updatedAt: at });
  await change(south, above, gone);
}

/** What people of elsewhere did, so that the trail tells of it: to their own, to the north, and moving between the two. */
async function change(south: Person, above: Person, gone: Person): Promise<void> {
  const { groups, here } = estate;
  const done = async (answer: Promise<{ statusCode: number; body: string }>): Promise<void> => {
    const { statusCode, body } = await answer;
    expect([200, 201], body).toContain(statusCode);
  };
  await done(above.client.patch(`/users/${south.id}`, { description: secret('A remark on Sophie') }));
  await done(above.client.patch(`/groups/${groups.s1}`, { description: secret('A remark on s1') }));
  const body = groupBody({ name: secret('Wing of the south'), parent_id: groups.south });
  const made = dataOf<string>(await above.client.put('/groups', body));
  await done(above.client.delete(`/groups/${made}`));
  const role = { name: secret('Role of the south'), description: null, permissions: [], available_roles: [] };
  await done(above.client.put('/roles', role));
  await done(above.client.patch(`/groups/${groups.n1}`, { description: 'Seen to from above' }));
  await done(above.client.patch(`/groups/${groups.n2}`, { users: [south.id, northern.id] }));
  await done(above.client.patch(`/groups/${groups.n2}`, { users: [northern.id] }));
  // A person who moves in: what was of the south before stays there.
  const mover = await makePerson(server, estate, { in: [groups.south], name: 'Mover' });
  await done(above.client.patch(`/users/${mover.id}`, { description: secret('While in the south') }));
  await done(above.client.patch(`/users/${mover.id}`, { description: null }));
  await done(above.client.patch(`/users/${mover.id}`, { domains: [groups.n1] }));
  await done(above.client.patch(`/users/${mover.id}`, { description: 'Now in the north' }));
  ids['mover'] = mover.id;
  // One who moves out: what happened here stays to be read.
  const leaver = await makePerson(server, estate, { in: [groups.n1], name: 'Leaver' });
  await done(above.client.patch(`/users/${leaver.id}`, { description: 'While in the north' }));
  await done(above.client.patch(`/users/${leaver.id}`, { domains: [groups.s1] }));
  await done(above.client.patch(`/users/${leaver.id}`, { description: secret('Now in the south') }));
  ids['leaver'] = leaver.id;
  await done(above.client.delete(`/users/${gone.id}`));
  const lost = await makePerson(server, estate, { in: [groups.n2], name: 'Lost of the north' });
  await done(above.client.delete(`/users/${lost.id}`));
  ids['lost'] = lost.id;
  await audit(
    server.services.db,
    { projectId: here, id: above.id, name: 'Hidden Thomas', ip: secret('198.51.100.77'), userAgent: secret('Thomas browser') },
    {
      area: 'groups',
      action: 'update',
      entityId: groups.n1,
      entityName: 'n1',
    },
  );
}

const leaks = (text: string): string[] => secrets.filter((word) => text.includes(word) || text.includes(JSON.stringify(word).slice(1, -1)));
/** Addresses to read: every list with all its rows, every row, what hangs on it, and every call besides that reads and needs no body. */
async function readAll(who: Person): Promise<Map<string, string>> {
  const read = new Map<string, string>();
  const get = async (path: string): Promise<string> => {
    const { body } = await who.client.get(path);
    read.set(path, body);
    return body;
  };
  for (const area of areaNames) {
    const { path, relations } = modelOf(area);
    const query = relations.length > 0 ? `&with=${relations.join(',')}` : '';
    const { data } = JSON.parse(await get(`/${path}?size=500${query}`)) as { data: { id: string }[] | null };
    for (const { id } of data ?? []) {
      await get(`/${path}/${id}`);
      await get(`/${path}/${id}/dependants`);
      if (area === 'users' || area === 'groups')
        for (const call of Object.values(api) as Call[])
          if (call.method === 'GET' && call.path.startsWith(`/${area}/{id}`))
            await get(call.path.replace('{id}', id).replace('{feature}', countedFeatures[0]));
    }
  }
  for (const call of Object.values(api) as Call[]) if (call.method === 'GET' && !call.path.includes('{')) await get(call.path);
  for (const number of ['700', '1001', '1002', '1003']) {
    await get(`/sip-numbers/${number}/call-info`);
    await get(`/calls/history/dialer/${number}`);
  }
  return read;
}

describe('a reader of one tower', () => {
  it('finds in no answer anybody of another tower, of above, or of another project', async () => {
    for (const who of [reader, russian]) {
      const read = await readAll(who);
      expect(read.size).toBeGreaterThan(100);
      const found = [...read].map(([path, body]) => [path, leaks(body)] as const).filter(([, words]) => words.length > 0);
      // Whoever accepts messages from the groups below is named to them: they could write to nobody otherwise.
      expect(found).toEqual([['/conversations/recipients', ['Hidden Thomas']]]);
      expect([...read.values()].join('')).toContain('Nora Northern');
    }
  });

  it.each(['csv', 'json'])('finds nobody of elsewhere in an export as %s either', async (format) => {
    for (const area of areaNames) {
      const answer = await reader.client.post(`/${modelOf(area).path}/export`, { export_format: format });
      if (answer.statusCode === 403) continue;
      const job = await jobIsOver(reader.client, dataOf<Job>(answer));
      expect([area, job.state]).toEqual([area, 'completed']);
      expect([area, leaks((await reader.client.get(`/jobs/${job.id}/file`)).body)]).toEqual([area, []]);
    }
  });

  it('is told in their own language that there is a name, and reads those of their tower', async () => {
    for (const [who, words] of [
      [reader, hiddenName.en],
      [russian, hiddenName.ru],
    ] as const) {
      const events = dataOf<{ user: { id: string | null; name: string } | null }[]>(await who.client.get('/device-events'));
      expect(events.map(({ user }) => user?.name)).toEqual(expect.arrayContaining([words, 'Nora Northern']));
      expect(events.flatMap(({ user }) => user?.id ?? [])).toEqual([northern.id]);
      const alarms = dataOf<{ processed_by: { name: string } }[]>(await who.client.get('/device-alarms'));
      expect(new Set(alarms.map((alarm) => alarm.processed_by.name))).toEqual(new Set([words, 'Nora Northern']));
      const waiting = dataOf<{ caller_name: string }[]>(await who.client.get('/calls/waiting'));
      expect(new Set(waiting.map((call) => call.caller_name))).toEqual(new Set([words, 'Nora Northern']));
      const { items } = dataOf<{ items: { data: { user?: { name: string } } }[] }>(await who.client.get('/notifications?type=all&offset=0&limit=50'));
      expect(new Set(items.map(({ data }) => data.user?.name))).toEqual(new Set([words, 'Nora Northern']));
    }
  });

  it('cannot find hidden names by searching or filtering', async () => {
    const count = async (area: string, field: string, rule: string, value: string) => {
      const answer = await reader.client.get(`/${area}?filters=${encodeURIComponent(JSON.stringify({ items: [{ field, rule, value }] }))}`);
      expect(answer.statusCode, answer.body).toBe(200);
      return (answer.json() as { meta: { total: number } }).meta.total;
    };
    for (const field of ['from', 'to']) expect(await count('calls/history', field, 'contains', 'Hidden Sophie')).toBe(0);
    expect(await count('calls/history', 'from', 'contains', 'Nora')).toBe(1);
    expect(await count('audit-events', 'ip', 'equals', '198.51.100.77')).toBe(0);
    expect(await count('audit-events', 'user', 'equals', ids['south'] ?? '')).toBe(0);
    expect(await count('audit-events', 'entity_id', 'equals', ids['south'] ?? '')).toBe(0);
    expect(await count('device-events', 'user', 'equals', ids['south'] ?? '')).toBe(0);
  });

  it('reads of a row that moved or was deleted what concerned their tower then', async () => {
    const entries = dataOf<AuditEvent[]>(await reader.client.get('/audit-events?size=500'));
    const said = (id: string | undefined) =>
      entries
        .filter(({ entity_id }) => entity_id === id)
        .flatMap(({ changes }) => Object.entries(changes).map(([field, { before, after }]) => [field, before, after]));
    const [n1, hidden] = [['n1'], [hiddenName.en]];
    const [came, went] = [said(ids['mover']), said(ids['leaver'])];
    expect([came.length, went.length]).toEqual([2, 2]);
    expect(came).toEqual(
      expect.arrayContaining([
        ['description', null, 'Now in the north'],
        ['domains', hidden, n1],
      ]),
    );
    expect(went).toEqual(
      expect.arrayContaining([
        ['description', null, 'While in the north'],
        ['domains', n1, hidden],
      ]),
    );
    const lost = entries.find(({ entity_id }) => entity_id === ids['lost']);
    expect(lost).toMatchObject({ action: 'delete', entity_name: 'Lost of the north', user: { id: null, name: hiddenName.en }, ip: null });
    const people = entries.filter(({ entity_id }) => entity_id === estate.groups.n2).map(({ changes }) => changes['users']);
    expect(people).toContainEqual({ before: [hiddenName.en, 'Nora Northern'], after: ['Nora Northern'] });
  });

  it('reads the whole trail only with the sight of all groups and all people', async () => {
    const { groups } = estate;
    const total = async (permissions: PermissionCode[]): Promise<number> => {
      const { client } = await makePerson(server, estate, { permissions: ['can_view_audit_events', ...permissions], in: [groups.n2] });
      return ((await client.get('/audit-events?size=1')).json() as { meta: { total: number } }).meta.total;
    };
    const all = await total(['can_view_all_groups', 'can_view_all_users']);
    const some = await total([]);
    expect(some).toBeGreaterThan(0);
    expect(all).toBeGreaterThan(some + 10);
    expect(await total(['can_view_all_groups'])).toBe(some);
    expect(await total(['can_view_all_users'])).toBe(some);
  });

  it('is not told by the preview of a range which numbers others have', async () => {
    const preview = dataOf(await reader.client.post('/sip-numbers/preview', { from: '1000', count: 5 }));
    expect(preview).toEqual({ first: '1000', last: '1004', free: 2, taken: ['1003'], unusable: 2 });
  });

  it('may call everybody and still reads no name out of sight', async () => {
    const { client } = await makePerson(server, estate, { permissions: ['can_call_all', 'can_view_users'], in: [estate.groups.north] });
    const contacts = dataOf<{ number: string; name: string; user: unknown }[]>(await client.get('/sip-numbers/contacts'));
    expect(contacts.find(({ number }) => number === '1001')).toMatchObject({ name: hiddenName.en, user: null });
    expect(contacts.find(({ number }) => number === '1003')).toMatchObject({ name: 'Reader' });
    expect(contacts.some(({ number }) => number === '1002')).toBe(false);
    expect(leaks(JSON.stringify([contacts, dataOf(await client.get('/sip-numbers/1002/call-info'))]))).toEqual([]);
  });
});

describe('the realtime channel', () => {
  const channels: Channel[] = [];
  afterAll(() => {
    for (const channel of channels) channel.ws.terminate();
  });

  it('tells a desk of a call without a name out of sight, and whoever sees everybody with it', async () => {
    const url = await server.app.listen({ port: 0, host: '127.0.0.1' });
    const whole = await makePerson(server, estate, { permissions: permissionCodes, in: [estate.groups.town] });
    const [call] = await server.services.db.select().from(calls).where(eq(calls.callerName, 'Hidden Sophie'));
    const heardBy = async ({ client }: Person): Promise<ServerCall | undefined> => {
      const channel = await openChannel(url, client.token);
      channels.push(channel);
      expect(await channel.subscribe(topics.calls('700'))).toBe('Subscribed');
      await server.services.db.transaction((tx) => notifyOfCall(tx, call?.id ?? ''));
      await channel.wait('CallUpdated', topics.calls('700'), 60_000);
      return channel.all('CallUpdated')[0]?.payload.call;
    };
    const answers = [await heardBy(reader), await heardBy(russian), await heardBy(whole)];
    expect(answers.map((heard) => [heard?.caller_name, heard?.group])).toEqual([
      [hiddenName.en, null],
      [hiddenName.ru, null],
      ['Hidden Sophie', 'town · south'],
    ]);
    expect(leaks(JSON.stringify(answers.slice(0, 2)))).toEqual([]);
  });

  it('names no entry of the trail that concerns another tower', async () => {
    const [channel] = channels;
    if (!channel) throw new Error('nobody listens');
    const topic = topics.area('audit-events');
    expect(await channel.subscribe(topic)).toBe('Subscribed');
    const { db } = server.services;
    const who = { projectId: estate.here, id: northern.id, name: 'Nora Northern', ip: '192.0.2.1', userAgent: null };
    const entry = { area: 'groups', action: 'update', entityName: 'x' } as const;
    await audit(db, who, { ...entry, entityId: estate.groups.s1 });
    await audit(db, who, { ...entry, entityId: estate.groups.n1 });
    const rows = await db.select({ id: auditEvents.id, at: auditEvents.entityId }).from(auditEvents).where(eq(auditEvents.entityName, 'x'));
    const idOf = (group: string): string => rows.find(({ at }) => at === group)?.id ?? '';
    await vi.waitFor(() => expect(JSON.stringify(channel.heard)).toContain(idOf(estate.groups.n1)), longestWait);
    expect(JSON.stringify(channel.heard)).not.toContain(idOf(estate.groups.s1));
  });
});

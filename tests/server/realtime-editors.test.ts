import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { topics } from '#models/realtime.ts';
import { type Channel, openChannel } from './channel.ts';
import { buildEstate, dataOf, type Estate, makePerson, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';
import { longestWait } from '#tests/support/in-time.ts';

let server: TestServer;
let estate: Estate;
let url: string;
let boss: Person;
let anna: Person;
let manager: Person;
const open: Channel[] = [];

beforeAll(async () => {
  server = await openTestServer({ config: { socketsPerUser: 12 } });
  estate = await buildEstate(server.services);
  const all = ['can_view_users', 'can_view_all_users', 'can_view_all_groups', 'can_edit_all_users'] as const;
  boss = await makePerson(server, estate, { permissions: all, in: [estate.groups.town], name: 'Boss' });
  anna = await makePerson(server, estate, { permissions: all, in: [estate.groups.south], name: 'Anna' });
  manager = await makePerson(server, estate, { permissions: ['can_view_users'], in: [estate.groups.n1], name: 'Manager' });
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

const channelOf = async (person: Person): Promise<Channel> => {
  const channel = await openChannel(url, person.client.token);
  open.push(channel);
  return channel;
};
const lastPublished = (channel: Channel): string[] | undefined =>
  channel
    .all('EditorsChanged')
    .at(-1)
    ?.payload.people.map(({ name }) => name);
const expectPublished = (channel: Channel, ...names: string[]) =>
  vi.waitFor(() => expect(lastPublished(channel)).toEqual(names), { timeout: longestWait });

describe('who edits a row', () => {
  it('is told to those who look at it, never to themselves, and no more once they leave or their connection is gone', async () => {
    const [looking, editing] = [await channelOf(boss), await channelOf(anna)];
    expect(await looking.subscribe(topics.editors('users', manager.id))).toBe('Subscribed');
    await expectPublished(looking);
    expect(await editing.subscribe(topics.editing('users', manager.id))).toBe('Subscribed');
    await expectPublished(looking, 'Anna');
    await expectPublished(editing);

    editing.say({ command: 'unsubscribe', topic: topics.editing('users', manager.id) });
    await expectPublished(looking);
    await editing.subscribe(topics.editing('users', manager.id));
    await expectPublished(looking, 'Anna');
    editing.ws.terminate();
    await expectPublished(looking);
  });

  it('is told to who comes later, and of two windows of one person once', async () => {
    const [first, second] = [await channelOf(anna), await channelOf(anna)];
    for (const channel of [first, second]) await channel.subscribe(topics.editing('users', manager.id));
    const late = await channelOf(boss);
    await late.subscribe(topics.editing('users', manager.id));
    await expectPublished(late, 'Anna');
    await expectPublished(first, 'Boss');
    first.ws.terminate();
    await first.closed;
    await expectPublished(late, 'Anna');
    second.ws.terminate();
    await expectPublished(late);
    expect(first.all('Refused')).toEqual([]);
  });

  it('is told by name only to those who may know it, and of rows only to those who may see them (P2)', async () => {
    const [mine, annas] = [await channelOf(manager), await channelOf(anna)];
    await mine.subscribe(topics.editors('users', manager.id));
    await annas.subscribe(topics.editing('users', manager.id));
    await expectPublished(mine, 'Name hidden');
    expect(mine.all('EditorsChanged').at(-1)?.payload.people).toEqual([{ id: null, name: 'Name hidden' }]);
    for (const topic of [topics.editors('users', anna.id), topics.editing('users', anna.id), topics.editing('users', randomUUID())])
      expect(await mine.subscribe(topic)).toBe('Refused');
  });

  it('is forgotten when a process that told of them says nothing more', async () => {
    const [looking, editing] = [await channelOf(boss), await channelOf(anna)];
    await looking.subscribe(topics.editors('users', manager.id));
    const { services } = server;
    const { announce } = await import('#server/realtime/publish.ts');
    const editor = { id: anna.id, name: 'Anna' };
    await announce(services.db, [{ project: estate.here, row: `users.${manager.id}`, line: randomUUID(), editor, state: 'here' }]);
    await expectPublished(looking, 'Anna');
    server.pass(91_000);
    await expectPublished(looking);
    expect(editing.all('EditorsChanged')).toEqual([]);
  });
});

describe('who changed a row last', () => {
  it('is told with the time to those who see the row, and to nobody else', async () => {
    const path = `/users/${manager.id}/last-change`;
    expect(dataOf(await boss.client.get(path))).toBeNull();
    expect((await anna.client.patch(`/users/${manager.id}`, { description: 'changed' })).statusCode).toBe(200);
    expect(dataOf(await boss.client.get(path))).toMatchObject({ user: { id: anna.id, name: 'Anna' }, at: expect.stringMatching(/Z$/) });
    expect(dataOf(await manager.client.get(path))).toMatchObject({ user: { id: null, name: 'Name hidden' } });
    expect((await manager.client.get(`/users/${anna.id}/last-change`)).statusCode).toBe(404);
  });
});

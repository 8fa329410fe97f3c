import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Conversation, longestMessage, type Message, type Recipient } from '#models/conversation-calls.ts';
import { topics } from '#models/realtime.ts';
import { conversationMembers, conversationMessages, conversations } from '#server/db/schema/index.ts';
import { roleOf } from './calls-support.ts';
import { openChannel } from './channel.ts';
import { buildEstate, codeOf, dataOf, type Estate, makePerson, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

interface Listed {
  items: Conversation[];
  total: number;
  unread: number;
}
let server: TestServer;
let estate: Estate;
let boss: Person;
let desk: Person;
let manager: Person;
let resident: Person;
let neighbour: Person;
let retiree: Person;
let outsider: Person;

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
  const { town, north, n1, s1 } = estate.groups;
  boss = await makePerson(server, estate, { permissions: roleOf('administrator'), in: [town], name: 'Anna' });
  desk = await makePerson(server, estate, { permissions: roleOf('concierge'), in: [town], name: 'Marcus' });
  retiree = await makePerson(server, estate, { permissions: roleOf('resident'), in: [n1], name: 'Egon' });
  manager = await makePerson(server, estate, { permissions: roleOf('propertyManager'), in: [north], name: 'Irina' });
  resident = await makePerson(server, estate, { permissions: roleOf('resident'), in: [n1], name: 'Boris' });
  neighbour = await makePerson(server, estate, { permissions: roleOf('resident'), in: [s1], name: 'Clara' });
  outsider = await makePerson(server, estate, { permissions: [], in: [n1], name: 'Dora' });
});
afterAll(() => server.close());

const begin = (person: Person, recipients: Person[], more: object = {}) =>
  person.client.put('/conversations', {
    title: 'Parcel',
    recipients: recipients.map(({ id }) => id),
    text: 'It is here',
    client_id: randomUUID(),
    ...more,
  });
const begun = async (person: Person, recipients: Person[], more: object = {}) => dataOf<string>(await begin(person, recipients, more));
const send = (person: Person, id: string, text: string, clientId = randomUUID()) =>
  person.client.put(`/conversations/${id}/messages`, { client_id: clientId, text });
const listed = async (person: Person, of = 'own') => dataOf<Listed>(await person.client.get(`/conversations?of=${of}`));
const read = async (person: Person, id: string, query = '') =>
  dataOf<{ items: Message[]; more: boolean }>(await person.client.get(`/conversations/${id}/messages${query}`));
const offered = async (person: Person, query = '') =>
  dataOf<Recipient[]>(await person.client.get(`/conversations/recipients${query}`)).map(({ name }) => name);

describe('conversations', () => {
  it('go both ways, and count what each has not read', async () => {
    const id = await begun(desk, [retiree]);
    expect(await listed(retiree)).toMatchObject({ total: 1, unread: 1, items: [{ id, title: 'Parcel', unread: 1, is_member: true }] });
    expect(await listed(desk)).toMatchObject({ unread: 0 });
    await send(retiree, id, 'Thank you');
    expect(await listed(desk)).toMatchObject({ unread: 1, items: [{ last: { text: 'Thank you', author_name: 'Egon' } }] });
    expect((await read(desk, id)).items.map(({ text, seq }) => [seq, text])).toEqual([
      [1, 'It is here'],
      [2, 'Thank you'],
    ]);
    expect((await desk.client.post(`/conversations/${id}/read`, { seq: 2 })).statusCode).toBe(200);
    expect(await listed(desk)).toMatchObject({ unread: 0 });
    const [shown] = (await listed(retiree)).items;
    expect(shown?.members.find((member) => member.id === desk.id)?.read_seq).toBe(2);
  });

  it('take a message that is sent again once, in the same instant too', async () => {
    const id = await begun(desk, [resident]);
    const clientId = randomUUID();
    const answers = await Promise.all([1, 2, 3, 4].map(() => send(resident, id, 'Once', clientId)));
    expect(new Set(answers.map((answer) => dataOf<Message>(answer).id)).size).toBe(1);
    expect((await read(desk, id)).items.filter(({ text }) => text === 'Once')).toHaveLength(1);
  });

  it('begin once, however often the beginning is sent', async () => {
    const more = { client_id: randomUUID() };
    const ids = await Promise.all([begun(desk, [resident], more), begun(desk, [resident], more)]);
    expect(new Set(ids).size).toBe(1);
  });

  it('are told to all who take part, and to nobody else', async () => {
    const id = await begun(desk, [resident]);
    const url = await server.app.listen({ port: 0, host: '127.0.0.1' });
    const [his, hers] = await Promise.all([openChannel(url, resident.client.token), openChannel(url, neighbour.client.token)]);
    expect(await his.subscribe(topics.user(resident.id))).toBe('Subscribed');
    expect(await hers.subscribe(topics.user(resident.id))).toBe('Refused');
    expect(await hers.subscribe(topics.user(neighbour.id))).toBe('Subscribed');
    await send(desk, id, 'News');
    expect(await his.wait('ConversationChanged')).toMatchObject({ payload: { id } });
    expect(hers.all('ConversationChanged')).toEqual([]);
    for (const { ws } of [his, hers]) ws.close();
  });

  it('are read page by page, backwards and forwards', async () => {
    const id = await begun(desk, [resident]);
    await server.services.db.insert(conversationMessages).values(
      Array.from({ length: 119 }, (_, at) => ({
        conversationId: id,
        seq: at + 2,
        authorId: desk.id,
        authorName: 'Marcus',
        clientId: randomUUID(),
        text: `Line ${at + 2}`,
      })),
    );
    const last = await read(resident, id);
    expect([last.items.length, last.items[0]?.seq, last.items.at(-1)?.seq, last.more]).toEqual([50, 71, 120, true]);
    const older = await read(resident, id, '?before=21');
    expect([older.items[0]?.seq, older.items.at(-1)?.seq, older.more]).toEqual([1, 20, false]);
    const newer = await read(resident, id, '?after=100');
    expect([newer.items[0]?.seq, newer.items.at(-1)?.seq, newer.more]).toEqual([101, 120, false]);
    expect((await resident.client.get(`/conversations/${id}/messages?before=x`)).statusCode).toBe(400);
  });

  it('are told of once until they are read', async () => {
    const id = await begun(desk, [neighbour], { title: 'Told once' });
    await send(desk, id, 'One more');
    const unread = async () =>
      dataOf<{ latest: { read_at: string | null; data: { conversation_id?: string } }[] }>(
        await neighbour.client.get('/notifications/unread'),
      ).latest.filter(({ data, read_at: at }) => data.conversation_id === id && at === null).length;
    expect(await unread()).toBe(1);
    await neighbour.client.post(`/conversations/${id}/read`, { seq: 2 });
    expect(await unread()).toBe(0);
    await send(desk, id, 'Another');
    expect(await unread()).toBe(1);
  });
});

describe('who may read and write', () => {
  it('a resident writes to those above them who accept it, never to neighbours', async () => {
    expect(await offered(resident)).toEqual(expect.arrayContaining(['Marcus', 'Irina']));
    expect(await offered(resident)).not.toContain('Clara');
    expect(await offered(resident, '?desk=yes')).toContain('Marcus');
    expect(await offered(neighbour)).not.toContain('Irina');
    expect(codeOf(await begin(resident, [neighbour]))).toBe('invalid_related');
    expect((await begin(resident, [desk])).statusCode).toBe(200);
  });

  it('is offered by name and by group, without those who could not read it', async () => {
    expect(await offered(desk, '?search=bor')).toEqual(['Boris']);
    expect(await offered(desk, `?group=${estate.groups.south}`)).toEqual(['Clara']);
    expect(await offered(boss)).not.toContain('Dora');
    expect(codeOf(await begin(boss, [outsider]))).toBe('invalid_related');
    expect(await offered(desk, '?search=%25')).toEqual([]);
  });

  it('nobody begins a conversation with themselves', async () => {
    expect(codeOf(await begin(desk, [desk]))).toBe('own_conversation');
  });

  it('only who takes part reads; the tree of a manager is read by who may, and only looked on', async () => {
    const id = await begun(desk, [neighbour], { title: 'South only' });
    for (const stranger of [resident, manager]) expect((await stranger.client.get(`/conversations/${id}`)).statusCode).toBe(404);
    expect((await stranger404(resident, id)).every((status) => status === 404)).toBe(true);
    const inNorth = await begun(desk, [resident], { title: 'In the north' });
    expect((await listed(manager, 'all')).items.map(({ title }) => title)).toContain('In the north');
    expect((await listed(manager)).items.map(({ title }) => title)).not.toContain('In the north');
    expect(await read(manager, inNorth)).toMatchObject({ items: [{ text: 'It is here' }] });
    expect((await send(manager, inNorth, 'May I?')).statusCode).toBe(403);
    await manager.client.post(`/conversations/${inNorth}/read`, { seq: 1 });
    expect((await listed(boss, 'all')).items.length).toBeGreaterThan(3);
    for (const path of ['/conversations', `/conversations/${id}`, `/conversations/${id}/messages`, '/conversations/recipients'])
      expect((await outsider.client.get(path)).statusCode).toBe(403);
    expect((await send(outsider, id, 'x')).statusCode).toBe(403);
  });

  const stranger404 = async (person: Person, id: string): Promise<number[]> =>
    (
      await Promise.all([
        person.client.get(`/conversations/${id}/messages`),
        send(person, id, 'x'),
        person.client.post(`/conversations/${id}/read`, { seq: 1 }),
      ])
    ).map(({ statusCode }) => statusCode);

  it('is deleted for all by who may, and audited without a word of what was said', async () => {
    const id = await begun(desk, [resident], { title: 'To be deleted' });
    expect((await desk.client.delete(`/conversations/${id}`)).statusCode).toBe(403);
    expect((await boss.client.delete(`/conversations/${id}`)).statusCode).toBe(200);
    expect((await resident.client.get(`/conversations/${id}`)).statusCode).toBe(404);
    const trail = await boss.client.get('/audit-events?search=To be deleted');
    expect(trail.body).toContain('To be deleted');
    expect(trail.body).not.toContain('It is here');
    const { db } = server.services;
    expect(await Promise.all([conversationMembers, conversationMessages].map((table) => db.$count(table)))).not.toContain(0);
    expect((await db.select().from(conversations)).some((row) => row.id === id)).toBe(false);
  });
});

describe('hostile text', () => {
  it.each(['<script>alert(1)</script>', '\u202Egpj.exe', '👩‍👩‍👧‍👦 ok', "'; drop table users; --", 'a\nb'])('is kept as it was typed: %j', async (text) => {
    const id = await begun(desk, [resident], { text });
    expect((await read(resident, id)).items[0]?.text).toBe(text);
  });

  it('is refused where it is too long, empty or cannot be stored', async () => {
    const id = await begun(desk, [resident]);
    const statuses = await Promise.all(
      ['', '   ', 'x'.repeat(longestMessage + 1), 'a\u0000b', 'x'.repeat(1_000_000)].map(async (text) => (await send(desk, id, text)).statusCode),
    );
    expect(statuses).toEqual([422, 422, 422, 422, 422]);
    expect((await send(desk, id, 'x'.repeat(2_000_000))).statusCode).toBe(413);
    expect((await send(desk, id, '👋'.repeat(longestMessage))).statusCode).toBe(200);
  });
});

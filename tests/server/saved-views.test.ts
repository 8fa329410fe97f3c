import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mostViews, type SavedView } from '#models/saved-views.ts';
import { savedViews } from '#server/db/schema/index.ts';
import { roleOf } from './calls-support.ts';
import { buildEstate, codeOf, dataOf, type Estate, makePerson, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let estate: Estate;
let boss: Person;
let desk: Person;
let colleague: Person;

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
  boss = await makePerson(server, estate, { permissions: roleOf('administrator'), in: [estate.groups.town], name: 'Anna' });
  desk = await makePerson(server, estate, { permissions: roleOf('concierge'), in: [estate.groups.town], name: 'Marcus' });
  colleague = await makePerson(server, estate, { roleId: desk.roleId, in: [estate.groups.town], name: 'Leila' });
});
afterAll(() => server.close());

const view = { area: 'users', name: 'New people', query: 'sort=-created_at&search=li', is_pinned: true, role: null } as const;
const listed = async (person: Person) => dataOf<SavedView[]>(await person.client.get('/saved-views'));
const save = async (person: Person, more: object = {}) => dataOf<string>(await person.client.put('/saved-views', { ...view, ...more }));
const discard = async () => void (await server.services.db.delete(savedViews));

describe('views of lists', () => {
  it('are kept, changed and deleted by their owner, and nobody else has them', async () => {
    const id = await save(boss);
    expect(await listed(boss)).toEqual([{ ...view, id, is_own: true }]);
    expect(await listed(desk)).toEqual([]);
    for (const answer of [await desk.client.patch(`/saved-views/${id}`, { name: 'Mine now' }), await desk.client.delete(`/saved-views/${id}`)])
      expect(answer.statusCode).toBe(404);
    expect((await boss.client.patch(`/saved-views/${id}`, { is_pinned: false, name: 'Newest' })).statusCode).toBe(200);
    expect(await listed(boss)).toMatchObject([{ name: 'Newest', is_pinned: false, query: view.query }]);
    expect((await boss.client.delete(`/saved-views/${id}`)).statusCode).toBe(200);
    expect(await listed(boss)).toEqual([]);
  });

  it('are shared with the holders of a role by who may edit it', async () => {
    const id = await save(boss, { role: desk.roleId });
    expect(await listed(desk)).toMatchObject([{ id, is_own: false, role: { id: desk.roleId } }]);
    expect(await listed(colleague)).toEqual(await listed(desk));
    expect((await desk.client.patch(`/saved-views/${id}`, { name: 'Mine now' })).statusCode).toBe(404);
    const refused = await desk.client.put('/saved-views', { ...view, name: 'For all', role: desk.roleId });
    expect(codeOf(refused)).toBe('invalid_related');
    expect(await listed(desk)).toHaveLength(1);
    await discard();
  });

  it('of one list differ by name, whatever the case', async () => {
    await save(boss);
    const again = await boss.client.put('/saved-views', { ...view, name: 'NEW PEOPLE' });
    expect([again.statusCode, (again.json() as { data: { issues: object[] } }).data.issues]).toMatchObject([
      409,
      [{ path: ['name'], rule: 'not_unique' }],
    ]);
    await save(boss, { area: 'devices', query: '' });
    await save(desk);
    await discard();
  });

  it.each([
    ['sort=-shoe_size', 'sort'],
    ['filters={"match":"match_all","items":[{"field":"password_hash","rule":"equals","value":"x"}]}', 'filters'],
  ])('hold nothing that the list would refuse: %s', async (query, parameter) => {
    const answer = await boss.client.put('/saved-views', { ...view, query });
    expect([answer.statusCode, (answer.json() as { data: { parameter: string } }).data.parameter]).toEqual([400, parameter]);
  });

  it('are of a list that there is, and not without end', async () => {
    expect((await boss.client.put('/saved-views', { ...view, area: 'sessions' })).statusCode).toBe(422);
    expect((await boss.client.put('/saved-views', { ...view, query: 'x'.repeat(5_000) })).statusCode).toBe(422);
    const row = { projectId: estate.here, userId: desk.id, area: 'users', query: '', isPinned: false };
    await server.services.db.insert(savedViews).values(Array.from({ length: mostViews }, (_, at) => ({ ...row, name: `View ${at}` })));
    expect((await desk.client.put('/saved-views', { ...view, name: 'One more' })).statusCode).toBe(422);
    await discard();
  });
});

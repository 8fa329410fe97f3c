import { and, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { defaultRoles } from '#models/default-roles.ts';
import { demoLogins, demoPassword } from '#models/demo-accounts.ts';
import type { GroupNode } from '#models/groups.ts';
import { groups, projects, projectSettings, users } from '#server/db/schema/index.ts';
import { operatorProject } from '#server/access/operator.ts';
import { labelAt } from '#server/settings/label.ts';
import { seedDemo } from '#server/db/demo/seed.ts';
import { dataOf } from './estate.ts';
import { openTestServer, password, type TestServer } from './support.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({ demo: true });
});
afterAll(() => server.close());

const total = (answer: { json: () => unknown }): number => (answer.json() as { meta: { total: number } }).meta.total;

it('is sown once, fast, and the same every time', async () => {
  const before = await server.services.db.select().from(users).orderBy(users.id);
  await seedDemo(server.services);
  expect(await server.services.db.select().from(users).orderBy(users.id)).toEqual(before);
  const begun = process.cpuUsage();
  const other = await openTestServer({ seed: (services) => seedDemo(services) });
  const { user, system } = process.cpuUsage(begun);
  // Of the processor's time, whatever else the machine does.
  expect((user + system) / 1_000_000).toBeLessThan(10);
  const again = await other.services.db.select().from(users).orderBy(users.id);
  const known = (rows: typeof before) => rows.map(({ id, login, name, email }) => ({ id, login, name, email }));
  expect(known(again)).toEqual(known(before));
  await other.close();
});

it('of earlier versions, with projects of the same instant, is run by the people of the first one', async () => {
  const { db } = server.services;
  const before = await db.select({ id: projects.id, uid: projects.uid, at: projects.createdAt }).from(projects);
  const idOf = (uid: string): string => before.find((one) => one.uid === uid)?.id ?? '';
  expect(await operatorProject(db)).toBe(idOf('riverside'));
  await db.update(projects).set({ createdAt: new Date('2026-01-01') });
  await db.insert(projectSettings).values({ projectId: idOf('harbour'), block: 'white_label', value: { is_enabled: true, name: 'Harbour' } });
  const seen = [await operatorProject(db), await labelAt(db, undefined)];
  await db.delete(projectSettings).where(and(eq(projectSettings.projectId, idOf('harbour')), eq(projectSettings.block, 'white_label')));
  for (const { id, at } of before) await db.update(projects).set({ createdAt: at }).where(eq(projects.id, id));
  expect(seen).toEqual([idOf('riverside'), null]);
});

it('has a whole tree of believable people', async () => {
  const admin = await server.signIn('admin');
  const tree = dataOf<GroupNode[]>(await admin.get('/groups/tree'));
  expect(tree.length).toBeGreaterThanOrEqual(100);
  expect(new Set(tree.map(({ type }) => type?.name))).toEqual(new Set(['Complex', 'Building', 'Floor', 'Apartment']));
  expect(total(await admin.get('/users'))).toBeGreaterThanOrEqual(300);
  const of = (field: string, rule: string, value: unknown) =>
    admin.get(`/users?filters=${encodeURIComponent(JSON.stringify({ items: [{ field, rule, value }] }))}`);
  expect(total(await of('activated_at', 'equals', 0))).toBeGreaterThan(20);
  expect(total(await of('markers', 'is', true))).toBeGreaterThan(20);
  expect(total(await of('name', 'contains', 'АННА'))).toBeGreaterThan(0);
  expect(total(await admin.get('/audit-events'))).toBeGreaterThan(100);
  expect(dataOf<{ name: string }[]>(await admin.get('/roles')).map(({ name }) => name)).toEqual(defaultRoles.map(({ name }) => name).toSorted());
  const rows = await server.services.db.select().from(groups);
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const row of rows) expect(row.path).toEqual([...(row.parentId ? (byId.get(row.parentId)?.path ?? []) : []), row.id]);
});

it('lets everybody in with what they may see, and the dealer into both projects', async () => {
  const seen: Record<string, number> = {};
  for (const login of ['admin', 'manager', 'concierge', 'concierge2', 'resident'])
    seen[login] = total(await (await server.signIn(login)).get('/users'));
  expect(seen['resident']).toBe(1);
  expect(seen['admin']).toBeGreaterThan(seen['manager'] ?? 0);
  expect(seen['manager']).toBeGreaterThan(50);
  expect(seen['concierge2']).toBeLessThan(seen['concierge'] ?? 0);
  const answer = await server.as(null).post('/login', { login: 'dealer', password });
  const { sessions } = dataOf<{ sessions: { token: string; project: { name: string } }[] }>(answer);
  expect(sessions.map(({ project }) => project.name)).toEqual(['Harbour', 'Riverside']);
  const totals = await Promise.all(sessions.map(({ token }) => server.as(token).get('/users')));
  expect(totals.map(total).every((number) => number > 30)).toBe(true);
});

it('has guests who came as often as their passes say, and when they were last there', async () => {
  const { rows } = await server.services.db.execute<{ count: number; passes: number; is_last: boolean }>(sql`
    select passes_count as passes, (select count(*)::int from device_events event where event.identifier_id = own.id and type = 'access_granted') as count,
      last_used_at is not distinct from (select max(occurred_at) from device_events event where event.identifier_id = own.id and type = 'access_granted') as is_last
    from identifiers own where owner_type = 'guest'`);
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.filter(({ count, passes, is_last: isLast }) => count !== passes || !isLast)).toEqual([]);
  expect(rows.some(({ passes }) => passes > 0)).toBe(true);
});

it('has elevators that people went with', async () => {
  const admin = await server.signIn('admin');
  const log = await admin.get('/elevator-events?size=100');
  expect(total(log)).toBeGreaterThan(200);
  const events = dataOf<{ type: string; elevator_name: string; floor: string | null }[]>(log);
  expect(new Set(events.map(({ type }) => type)).size).toBeGreaterThan(2);
  expect(events.filter((one) => one.elevator_name === '' || (one.type !== 'access_denied' && one.floor === null))).toEqual([]);
});

it('offers those accounts for sign-in at one press that still have its password, and nobody else', async () => {
  const offered = async () => dataOf<{ login: string }[]>(await server.as(null).get('/demo/accounts')).map(({ login }) => login);
  expect(await offered()).toEqual([...demoLogins]);
  for (const login of demoLogins) expect((await (await server.signIn(login, demoPassword)).get('/profile')).statusCode).toBe(200);
  const concierge = await server.signIn('concierge');
  expect((await concierge.post('/profile/password', { old: demoPassword, new: 'Another-Pass-2026' })).statusCode).toBe(200);
  expect(await offered()).toEqual(demoLogins.filter((login) => login !== 'concierge'));
  const plain = await openTestServer();
  expect(dataOf(await plain.as(null).get('/demo/accounts'))).toEqual([]);
  await plain.close();
});

it('opens to a resident the doors of their own house and those that everybody shares, and no others', async () => {
  const resident = await server.signIn('resident');
  const doors = dataOf<{ name: string }[]>(await resident.get('/concierge-devices')).map(({ name }) => name);
  expect(doors).toEqual(expect.arrayContaining(['Main gate', 'Tower B lobby']));
  expect(doors.filter((name) => name.startsWith('Tower A'))).toEqual([]);
});

import { and, asc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AuditVersion } from '#models/audit-calls.ts';
import { permissionCodes } from '#models/permission-catalogue.ts';
import { auditEvents, markers } from '#server/db/schema/index.ts';
import { buildEstate, codeOf, dataOf, type Estate, makePerson, makeRole, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let estate: Estate;
let boss: Person;
let user: Person;
let red: string;
let role: string;

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
  boss = await makePerson(server, estate, { permissions: permissionCodes, in: [estate.groups.town], name: 'Boss' });
  role = await makeRole(server.services, estate.here, []);
  user = await makePerson(server, estate, { roleId: role, in: [estate.groups.s1], name: 'First' });
  const [marker] = await server.services.db.insert(markers).values({ projectId: estate.here, name: 'Red', color: '#ff0000' }).returning();
  red = marker?.id ?? '';
});
afterAll(() => server.close());

/** Changes the user a second after the last time. */
async function change(patch: object): Promise<void> {
  server.pass(1_000);
  const answer = await boss.client.patch(`/users/${user.id}`, patch);
  expect(answer.statusCode, answer.body).toBe(200);
}
const events = () =>
  server.services.db
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.entityId, user.id), eq(auditEvents.action, 'update')))
    .orderBy(asc(auditEvents.createdAt));
const versionOf = async (who: Person, id: string | undefined): Promise<AuditVersion> =>
  dataOf<AuditVersion>(await who.client.get(`/audit-events/${id}/version`));

it('a version is the row as it was after the entry: fields changed since have the value they had, all others are left out', async () => {
  await change({ name: 'Second', markers: [red] });
  await change({ name: 'Third' });
  await change({ name: 'Fourth', description: 'now' });
  const [second, third, fourth] = await events();
  expect((await versionOf(boss, second?.id)).fields).toEqual({ name: 'Second', description: null });
  expect((await versionOf(boss, third?.id)).fields).toEqual({ name: 'Third', description: null });
  expect(await versionOf(boss, fourth?.id)).toMatchObject({ area: 'users', id: user.id, user: { name: 'Boss' }, fields: {}, lost: [] });
});

it('what can no longer hold is named and left out', async () => {
  await change({ markers: [red] });
  await change({ markers: [] });
  const before = (await events()).at(-2);
  expect((await versionOf(boss, before?.id)).fields).toMatchObject({ markers: [{ id: red, name: 'Red' }] });
  expect((await boss.client.delete(`/markers/${red}`)).statusCode).toBe(200);
  expect(await versionOf(boss, before?.id)).toMatchObject({ fields: { markers: [] }, lost: [{ field: 'markers', name: 'Red' }] });
});

it('only readers of the entry and of the row are told a version, and only of entries that changed something', async () => {
  const [first] = await events();
  const elsewhere = await makePerson(server, estate, { permissions: ['can_view_audit_events', 'can_view_users'], in: [estate.groups.north] });
  const blind = await makePerson(server, estate, { permissions: ['can_view_audit_events', 'can_view_all_groups'], in: [estate.groups.town] });
  expect(codeOf(await elsewhere.client.get(`/audit-events/${first?.id}/version`))).toBe('not_found');
  expect(codeOf(await blind.client.get(`/audit-events/${first?.id}/version`))).toBe('not_found');
  expect(codeOf(await user.client.get(`/audit-events/${first?.id}/version`))).toBe('forbidden');
  await boss.client.post(`/users/${user.id}/password`, { new_password: 'Doorward-2027' });
  const [changed] = await server.services.db
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.entityId, user.id), eq(auditEvents.action, 'password_change')));
  expect(codeOf(await boss.client.get(`/audit-events/${changed?.id}/version`))).toBe('prohibited');
});

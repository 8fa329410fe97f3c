import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ImportAttempt } from '#models/import.ts';
import type { Job } from '#models/job.ts';
import { permissionCodes } from '#models/permission-catalogue.ts';
import { auditEvents, roles, userDomains, users } from '#server/db/schema/index.ts';
import { buildEstate, dataOf, type Estate, jobIsOver, makePerson, makeRole, type Person } from './estate.ts';
import { form } from './hostile-files.ts';
import { check as checkPlan, counts } from './import-support.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let estate: Estate;
let admin: Person;

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
  admin = await makePerson(server, estate, { permissions: permissionCodes, in: [estate.groups.town], name: 'Anna', login: 'anna' });
  const resident = await makeRole(server.services, estate.here, ['can_edit_profile']);
  await server.services.db.update(roles).set({ name: 'Resident' }).where(eq(roles.id, resident));
});
afterAll(() => server.close());

const attempt = (who: Person, content: string) => {
  const { body, headers } = form({}, Buffer.from(content), 'people.csv', 'text/csv', 'file');
  return who.client.post('/users/import', body, headers);
};
const plan = async (content: string) => {
  const answer = await attempt(admin, content);
  expect(answer.statusCode, answer.body).toBe(200);
  const { filepath, mapping } = dataOf<ImportAttempt>(answer);
  return { filepath, mapping, constants: {} };
};
const check = async (content: string) => (await checkPlan(admin, await plan(content), 'users')).result;
const proceed = async (content: string, action: 'leave' | 'overwrite' = 'leave') =>
  jobIsOver(admin.client, dataOf<Job>(await admin.client.post('/users/import/continue', { ...(await plan(content)), action })));
const userOf = async (login: string) => {
  const [user] = await server.services.db
    .select()
    .from(users)
    .where(and(eq(users.projectId, estate.here), eq(users.login, login)));
  return user;
};
const head = 'Login,Full name,E-mail,Phone,Role,Flat';

it('makes people of rows: groups by their path, the role by its name; nobody is invited, everything is in the trail', async () => {
  const file = `${head}\nivo,Ivo Petrov,ivo@example.org,+35912345678,Resident,North/N1\nmaja,Maja Lind,,,resident,N1; S1\n`;
  expect((await check(file)).counts).toEqual(counts(2, 0, 0, 0));
  expect(await userOf('ivo')).toBeUndefined();
  expect(await proceed(file)).toMatchObject({ state: 'completed', import: { counts: counts(2, 0, 0, 0) } });
  const ivo = await userOf('ivo');
  expect(ivo).toMatchObject({ name: 'Ivo Petrov', email: 'ivo@example.org', phone: '+35912345678', activatedAt: 0, passwordHash: null });
  const placed = await server.services.db
    .select()
    .from(userDomains)
    .where(eq(userDomains.userId, (await userOf('maja'))?.id ?? ''));
  expect(placed.map(({ groupId }) => groupId).toSorted()).toEqual([estate.groups.n1, estate.groups.s1].toSorted());
  const trail = await server.services.db.select().from(auditEvents).where(eq(auditEvents.area, 'users'));
  expect(trail.filter(({ action }) => action === 'create').map(({ entityName }) => entityName)).toEqual(
    expect.arrayContaining(['Ivo Petrov', 'Maja Lind']),
  );
  expect((await check(file)).counts).toEqual(counts(0, 2, 0, 0));
});

it('changes what differs where that is asked for, and only what the file speaks of', async () => {
  const file = 'Login,Full name,Phone,Role,Flat\nIVO,Ivo P. Petrov,+35987654321,Resident,N1\n';
  expect((await check(file)).counts).toEqual(counts(0, 0, 1, 0));
  await server.services.db.update(users).set({ address: 'Tower 1' }).where(eq(users.login, 'ivo'));
  await proceed(file);
  expect((await userOf('ivo'))?.name).toBe('Ivo Petrov');
  expect(await proceed(file, 'overwrite')).toMatchObject({ import: { counts: counts(0, 0, 1, 0) } });
  expect(await userOf('ivo')).toMatchObject({ name: 'Ivo P. Petrov', email: 'ivo@example.org', phone: '+35987654321', address: 'Tower 1' });
});

it('says of each row that cannot be taken what is wrong with it, and takes the others', async () => {
  const file = [
    head,
    'new1,First One,first@example.org,,Resident,N1',
    'new2,Second One,FIRST@example.org,,Resident,N1',
    'new3,Third One,ivo@example.org,,Resident,N1',
    'new4,Fourth One,not an address,,Resident,N1',
    'new5,Fifth One,,,Emperor,N1',
    'new6,Sixth One,,,Resident,Nowhere',
    'new1,Again,,,Resident,N1',
    'new7,Seventh One,,call me,Resident,N1',
    ',Nobody,,,Resident,N1',
  ].join('\n');
  const job = await proceed(file);
  const result = job.import;
  expect(result?.counts).toEqual(counts(1, 0, 0, 8));
  expect(result?.issues.map(({ row, field, rule }) => [row, field, rule])).toEqual([
    [3, 'email', 'import_taken'],
    [4, 'email', 'import_taken'],
    [5, 'email', 'email'],
    [6, 'role', 'import_not_found'],
    [7, 'domains', 'import_not_found'],
    [8, 'login', 'import_repeated'],
    [9, 'profile.phone', 'phone'],
    [10, 'login', 'required'],
  ]);
});

it('is for those who may make users, and gives no role that one may not give', async () => {
  const viewer = await makePerson(server, estate, { permissions: ['can_view_users'], in: [estate.groups.town] });
  expect((await attempt(viewer, `${head}\n`)).statusCode).toBe(403);
  const maker = await makePerson(server, estate, {
    permissions: ['can_view_users', 'can_create_users', 'can_view_all_roles'],
    in: [estate.groups.town],
  });
  const answer = await attempt(maker, 'Login,Full name,Role,Flat\nboss,Boss,Resident,N1\n');
  const { filepath, mapping } = dataOf<ImportAttempt>(answer);
  const found = await checkPlan(maker, { filepath, mapping, constants: {} }, 'users');
  expect(found.result.issues.map(({ field, rule }) => [field, rule])).toEqual([['role', 'role_not_available']]);
});

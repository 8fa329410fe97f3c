import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ImportAttempt } from '#models/import.ts';
import type { Job } from '#models/job.ts';
import { permissionCodes } from '#models/permission-catalogue.ts';
import { auditEvents, devices } from '#server/db/schema/index.ts';
import { buildEstate, codeOf, dataOf, deviceRow, type Estate, jobIsOver, makePerson, type Person } from './estate.ts';
import { form } from './hostile-files.ts';
import { check as checkPlan, counts } from './import-support.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let estate: Estate;
let admin: Person;

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
  admin = await makePerson(server, estate, { permissions: permissionCodes, in: [estate.groups.town] });
});
afterAll(() => server.close());

const attempt = (who: Person, content: string) => {
  const { body, headers } = form({}, Buffer.from(content), 'devices.csv', 'text/csv', 'file');
  return who.client.post('/devices/import', body, headers);
};
const plan = async (content: string, who = admin) => {
  const answer = await attempt(who, content);
  expect(answer.statusCode, answer.body).toBe(200);
  const { filepath, mapping } = dataOf<ImportAttempt>(answer);
  return { filepath, mapping, constants: {} };
};
const check = async (content: string, who = admin) => (await checkPlan(who, await plan(content, who), 'devices')).result;
const proceed = async (content: string, action: 'leave' | 'overwrite' = 'leave') =>
  jobIsOver(admin.client, dataOf<Job>(await admin.client.post('/devices/import/continue', { ...(await plan(content)), action })));
const deviceOf = async (login: string) => (await server.services.db.select().from(devices).where(eq(devices.login, login)))[0];
const head = 'Serial number,Name,Type,Model,Group,Protocol,IP address';

it('brings devices back from the file of their backup: checked without a change, once, each in the trail', async () => {
  const file = `${head}\nBK-1,North door,Panel,dp-140,North,http,198.51.100.7\nBK-2,Barrier,barrier,BR-3,Town/South,none,\n`;
  const found = await check(file);
  expect(found).toMatchObject({ counts: counts(2, 0, 0, 0), issues: [] });
  expect(await deviceOf('BK-1')).toBeUndefined();
  expect(await proceed(file)).toMatchObject({ state: 'completed', import: { counts: counts(2, 0, 0, 0) } });
  expect(await deviceOf('BK-1')).toMatchObject({
    name: 'North door',
    type: 'panel',
    model: 'DP-140',
    domainId: estate.groups.north,
    protocol: 'http',
  });
  expect(await deviceOf('BK-2')).toMatchObject({ type: 'barrier', domainId: estate.groups.south, protocol: 'none', ipAddress: null });
  expect((await check(file)).counts).toEqual(counts(0, 2, 0, 0));
  const trail = await server.services.db.select().from(auditEvents).where(eq(auditEvents.area, 'devices'));
  expect(trail.filter(({ action }) => action === 'create').map(({ entityName }) => entityName)).toEqual(
    expect.arrayContaining(['North door', 'Barrier']),
  );
});

it('changes what differs only where that is asked for', async () => {
  const file = `${head}\nbk-1,South door,panel,DP-140,North,http,198.51.100.8\n`;
  expect((await check(file)).counts).toEqual(counts(0, 0, 1, 0));
  await proceed(file);
  expect((await deviceOf('BK-1'))?.name).toBe('North door');
  await proceed(file, 'overwrite');
  expect(await deviceOf('BK-1')).toMatchObject({ name: 'South door', ipAddress: '198.51.100.8' });
});

it('says what is wrong with each row, a serial number of another project included', async () => {
  await server.services.db.insert(devices).values(deviceRow({ projectId: estate.there, domainId: estate.groups.abroad, login: 'FAR-1' }));
  const rows = [
    'BK-3,A,panel,XX-1,North,none,',
    'BK-4,B,spaceship,DP-140,North,none,',
    'BK-5,C,panel,DP-140,North,http,',
    'far-1,D,panel,DP-140,North,none,',
  ];
  const { counts: found, issues } = await check(`${head}\n${rows.join('\n')}\n`);
  expect(found).toEqual(counts(0, 0, 0, 4));
  expect(issues.map(({ row, field, rule }) => [row, field, rule])).toEqual([
    [2, 'model', 'device_model'],
    [3, 'type', 'import_choice'],
    [4, 'ip_address', 'required'],
    [5, 'login', 'import_taken'],
  ]);
  // What may stand there is named in the language of whoever imports.
  expect(issues[1]?.params).toEqual({ value: 'spaceship', values: 'Panel, Monitor, Access controller, Elevator controller, IP camera, Barrier' });
});

it('is for those who may import device backups; devices that they may not make are refused row by row', async () => {
  const file = `${head}\nBK-9,Door,panel,DP-140,North,none,\n`;
  const maker = await makePerson(server, estate, { permissions: ['can_create_devices', 'can_view_all_devices'], in: [estate.groups.town] });
  expect(codeOf(await attempt(maker, file))).toBe('forbidden');
  const reader = await makePerson(server, estate, {
    permissions: ['can_import_device_backup', 'can_view_all_devices', 'can_view_all_groups'],
    in: [estate.groups.town],
  });
  const { counts: found, issues } = await check(file, reader);
  expect([found, issues.map(({ rule }) => rule)]).toEqual([counts(0, 0, 0, 1), ['import_may_not_create']]);
});

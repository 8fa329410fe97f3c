import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { allLicensed } from '#models/licence-info.ts';
import { initialGroupLicence } from '#models/licences.ts';
import { lengthOf } from '#models/time.ts';
import type { Ukey2 } from '#models/ukey2.ts';
import { judge } from '#server/access/decide.ts';
import { worldForQuestion } from '#server/access/load.ts';
import {
  accessRuleDevices,
  accessRules,
  accessRuleUsers,
  auditEvents,
  devices,
  deviceTasks,
  groups,
  identifiers,
  ukey2Activations,
} from '#server/db/schema/index.ts';
import { buildEstate, codeOf, dataOf, deviceRow, type Estate, makePerson, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let estate: Estate;
let boss: Person;
let owner: Person;

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
  boss = await makePerson(server, estate, {
    permissions: ['can_view_ukey2', 'can_issue_ukey2', 'can_revoke_ukey2', 'can_view_users'],
    in: [estate.groups.north],
  });
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.services.db.delete(identifiers);
  owner = await makePerson(server, estate, { in: [estate.groups.n1], name: 'Olga' });
});

const issue = (over: Record<string, unknown> = {}, who = boss) => who.client.put('/identifiers/ukey2', { name: 'Phone', owner: owner.id, ...over });
const issued = async (): Promise<string> => {
  const answer = await issue();
  expect(answer.statusCode, answer.body).toBe(200);
  return dataOf<string>(answer);
};
const read = async (id: string, who = boss): Promise<Ukey2> => dataOf<Ukey2>(await who.client.get(`/identifiers/ukey2/${id}`));
const codeFor = async (id: string): Promise<{ code: string; until: string }> => {
  const answer = await boss.client.post(`/identifiers/ukey2/${id}/code`);
  expect(answer.statusCode, answer.body).toBe(200);
  return dataOf(answer);
};
const take = (code: string) => server.as(null).post('/ukey2/activation', { code, phone: 'Pixel 9' });
const keyOf = async (id: string): Promise<string> => {
  const [row] = await server.services.db.select({ value: identifiers.value }).from(identifiers).where(eq(identifiers.id, id));
  return row?.value ?? '';
};

/** A door that lets the owner in. */
async function doorOf(userId: string): Promise<string> {
  const { db } = server.services;
  const [device] = await db
    .insert(devices)
    .values(deviceRow({ projectId: estate.here, domainId: estate.groups.north }))
    .returning();
  const [rule] = await db
    .insert(accessRules)
    .values({ projectId: estate.here, name: `Rule ${device?.login}` })
    .returning();
  await db.insert(accessRuleDevices).values({ ruleId: rule?.id ?? '', deviceId: device?.id ?? '' });
  await db.insert(accessRuleUsers).values({ ruleId: rule?.id ?? '', userId });
  return device?.id ?? '';
}
/** Whether a reader of the door opens for a key, by the server's own world. */
async function opens(deviceId: string, value: string): Promise<boolean> {
  const at = server.services.now();
  const asked = { credential: { type: 'ukey2', value }, deviceId } as const;
  const world = await worldForQuestion(server.services, { projectId: estate.here, ...asked, at });
  return judge(world, { ...asked, at: at.getTime() }).isGranted;
}
const tasksOf = async (deviceId: string): Promise<number> =>
  (await server.services.db.select().from(deviceTasks).where(eq(deviceTasks.deviceId, deviceId))).length;

describe('a mobile key', () => {
  it('waits for its phone, is taken once with its code, and opens what its owner may open', async () => {
    const door = await doorOf(owner.id);
    const id = await issued();
    expect(await read(id)).toMatchObject({ state: 'waiting', phone: null, owner: { name: 'Olga' }, code_until: null });
    const { code, until } = await codeFor(id);
    expect(code).toMatch(/^[2-9A-Z]{4}-[2-9A-Z]{4}-[2-9A-Z]{4}$/);
    expect(Date.parse(until) - server.services.now().getTime()).toBe(lengthOf(1, 'day'));
    const unknown = await keyOf(id);
    const before = await tasksOf(door);
    const taken = await take(` ${code.toLowerCase().replaceAll('-', ' ')} `);
    expect(taken.statusCode, taken.body).toBe(200);
    const { key, project } = dataOf<{ key: string; project: string }>(taken);
    expect([project, key === unknown, await opens(door, key), await opens(door, unknown)]).toEqual(['Here', false, true, false]);
    expect(await tasksOf(door)).toBeGreaterThanOrEqual(Math.max(1, before));
    expect(await read(id)).toMatchObject({ state: 'active', phone: 'Pixel 9', code_until: null });
    expect(codeOf(await take(code))).toBe('outdated_link');
    expect(codeOf(await boss.client.post(`/identifiers/ukey2/${id}/code`))).toBe('editing_prohibited');
  });

  it('is kept neither by its code nor told to people', async () => {
    const id = await issued();
    const { code } = await codeFor(id);
    const [stored] = await server.services.db.select().from(ukey2Activations).where(eq(ukey2Activations.identifierId, id));
    expect(JSON.stringify(stored)).not.toContain(code.replaceAll('-', ''));
    const { key } = dataOf<{ key: string }>(await take(code));
    const viewer = await makePerson(server, estate, { permissions: ['can_view_all_identifiers'], in: [estate.groups.town] });
    for (const body of [(await boss.client.get(`/identifiers/ukey2/${id}`)).body, (await viewer.client.get(`/identifiers/${id}`)).body])
      expect([body.includes(key), body.includes(code)]).toEqual([false, false]);
    const filters = JSON.stringify({ match: 'match_all', items: [{ field: 'words', rule: 'contains', value: key.slice(0, 12) }] });
    expect(dataOf<unknown[]>(await viewer.client.get(`/identifiers?${new URLSearchParams({ filters })}`))).toEqual([]);
    const trail = await server.services.db
      .select()
      .from(auditEvents)
      .where(and(eq(auditEvents.area, 'ukey2'), eq(auditEvents.entityId, id)));
    expect(trail.map(({ action, changes }) => [action, Object.keys(changes).toSorted().join()])).toContainEqual(['update', 'activated_at,phone']);
    expect(JSON.stringify(trail)).not.toContain(key);
  });

  it('is taken by the last code given out, within its day, and by none of two at once', async () => {
    const id = await issued();
    const [{ code: first }, { code: second }] = [await codeFor(id), await codeFor(id)];
    expect(codeOf(await take(first))).toBe('outdated_link');
    const answers = await Promise.all([take(second), take(second)]);
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 400]));
    const late = await issued();
    const { code } = await codeFor(late);
    await server.services.db.update(ukey2Activations).set({ codeUntil: server.services.now() }).where(eq(ukey2Activations.identifierId, late));
    expect(codeOf(await take(code))).toBe('outdated_link');
  });

  it('is revoked for good by who may, and then its code is worth nothing', async () => {
    const [door, id] = [await doorOf(owner.id), await issued()];
    const { code } = await codeFor(id);
    const { key } = dataOf<{ key: string }>(await take(code));
    const issuer = await makePerson(server, estate, { permissions: ['can_view_ukey2', 'can_issue_ukey2'], in: [estate.groups.north] });
    expect((await issuer.client.post(`/identifiers/ukey2/${id}/revoke`)).statusCode).toBe(403);
    const outside = await makePerson(server, estate, { permissions: ['can_view_ukey2', 'can_revoke_ukey2'], in: [estate.groups.south] });
    expect((await outside.client.post(`/identifiers/ukey2/${id}/revoke`)).statusCode).toBe(404);
    const editor = await makePerson(server, estate, { permissions: ['can_view_all_identifiers', 'can_edit_identifiers'], in: [estate.groups.town] });
    expect((await editor.client.post(`/identifiers/${id}/revoke`)).statusCode).toBe(403);
    expect((await editor.client.patch(`/identifiers/${id}`, { owner: editor.id })).statusCode).toBe(422);
    expect((await boss.client.post(`/identifiers/ukey2/${id}/revoke`)).statusCode).toBe(200);
    expect([(await read(id)).state, await opens(door, key)]).toEqual(['revoked', false]);
    const waiting = await issued();
    const { code: unused } = await codeFor(waiting);
    await boss.client.post(`/identifiers/ukey2/${waiting}/revoke`);
    expect(codeOf(await take(unused))).toBe('outdated_link');
  });

  it('is never deleted, one by one or many together, and whoever may view it is answered so', async () => {
    const id = await issued();
    const answers = [await boss.client.delete(`/identifiers/ukey2/${id}`), await boss.client.post('/identifiers/ukey2/delete', { items: [{ id }] })];
    for (const answer of answers) expect([answer.statusCode, answer.json()]).toMatchObject([409, { message: 'ukey2 cannot be deleted' }]);
    const stranger = await makePerson(server, estate, { permissions: ['can_view_users'], in: [estate.groups.town] });
    expect(codeOf(await stranger.client.delete(`/identifiers/ukey2/${id}`))).toBe('forbidden');
    expect((await read(id)).state).toBe('waiting');
  });

  it('has a seat of the project and of every group, free again once revoked', async () => {
    const { db } = server.services;
    const limited = { ...initialGroupLicence, info: { ...allLicensed, ukey2: { is_enabled: true, license_count: 1 } } };
    await db.update(groups).set({ licence: limited }).where(eq(groups.id, estate.groups.north));
    const id = await issued();
    const refused = await issue({ name: 'Second' });
    expect([codeOf(refused), refused.json()]).toMatchObject(['ukey2_over_group', { data: { used: 2, max: 1 } }]);
    await boss.client.post(`/identifiers/ukey2/${id}/revoke`);
    expect((await issue({ name: 'Second' })).statusCode).toBe(200);
    await db.update(groups).set({ licence: {} }).where(eq(groups.id, estate.groups.north));
  });

  it('is issued to people in sight only, and not without the licence', async () => {
    const far = await makePerson(server, estate, { in: [estate.groups.s1] });
    expect((await issue({ owner: far.id })).statusCode).toBe(422);
    const without = { ...initialGroupLicence, info: { ...allLicensed, ukey2: { is_enabled: false, license_count: null } } };
    await server.services.db.update(groups).set({ licence: without }).where(eq(groups.id, estate.groups.n1));
    expect(codeOf(await issue())).toBe('licence_restricted');
    await server.services.db.update(groups).set({ licence: {} }).where(eq(groups.id, estate.groups.n1));
  });
});

it('whoever tries codes waits', async () => {
  const statuses: number[] = [];
  for (let round = 0; round < 12; round += 1) statuses.push((await take(`WRONG-${round}`)).statusCode);
  expect([statuses[0], statuses.at(-1)]).toEqual([400, 429]);
});

import Papa from 'papaparse';
import { and, eq, inArray } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BulkFindings } from '#models/bulk.ts';
import type { Job } from '#models/job.ts';
import { permissionCodes } from '#models/permission-catalogue.ts';
import type { User } from '#models/users.ts';
import { auditEvents, groupTypes, mails, markers, sipNumbers } from '#server/db/schema/index.ts';
import { buildEstate, codeOf, dataOf, type Estate, jobIsOver, makePerson, makeRole, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let estate: Estate;
let boss: Person;
let keeper: Person;
let plain: string;
let other: string;
let red: string;

beforeAll(async () => {
  server = await openTestServer({ now: new Date('2026-11-23T10:00:00Z') });
  estate = await buildEstate(server.services);
  plain = await makeRole(server.services, estate.here, []);
  other = await makeRole(server.services, estate.here, ['can_view_users']);
  boss = await makePerson(server, estate, { permissions: permissionCodes, in: [estate.groups.town], name: 'Boss' });
  keeper = await makePerson(server, estate, { permissions: ['can_view_users', 'can_edit_all_users'], in: [estate.groups.north], name: 'Keeper' });
  const [marker] = await server.services.db.insert(markers).values({ projectId: estate.here, name: 'Red', color: '#ff0000' }).returning();
  red = marker?.id ?? '';
});
afterAll(() => server.close());

/** So many people of one name, in the north and in the south by turns. */
async function crowd(name: string, count: number, roleId = plain): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const group = at % 2 ? estate.groups.s1 : estate.groups.n1;
    ids.push((await makePerson(server, estate, { roleId, in: [group], name: `${name} ${String(at).padStart(3, '0')}` })).id);
  }
  return ids;
}
const named = (name: string) => ({ match: 'match_all', items: [{ field: 'name', rule: 'begins_with', value: name }] });
const check = async (who: Person, body: object): Promise<BulkFindings> => dataOf<BulkFindings>(await who.client.post('/users/bulk/check', body));
const run = async (who: Person, body: object, area = 'users'): Promise<Job> => {
  const answer = await who.client.post(`/${area}/bulk`, body);
  expect(answer.statusCode, answer.body).toBe(202);
  return jobIsOver(who.client, dataOf<Job>(answer));
};
const undo = async (who: Person, { id }: Job): Promise<Job> =>
  jobIsOver(who.client, dataOf<Job>(await who.client.post(`/jobs/${id}/undo`, undefined)));
const userOf = async (id: string): Promise<User> => dataOf<User>(await boss.client.get(`/users/${id}`));
const trailOf = (ids: string[]) =>
  server.services.db
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.action, 'update'), inArray(auditEvents.entityId, ids)));

describe('the check before', () => {
  it('counts the rows, and says who is among them and what uses them', async () => {
    await crowd('Checked', 3);
    await crowd('Checked high', 2, boss.roleId);
    expect(await check(boss, { action: 'delete', filters: named('Checked') })).toEqual({ total: 5, yourself: false, administrators: 2, uses: [] });
    expect(await check(boss, { action: 'role', value: [other], items: [boss.id] })).toMatchObject({ total: 1, yourself: true, administrators: 1 });
    expect(await check(keeper, { action: 'role', value: [other], filters: named('Checked') })).toMatchObject({ total: 3 });
    const [type] = await server.services.db.insert(groupTypes).values({ projectId: estate.here, name: 'in use' }).returning();
    await boss.client.patch(`/groups/${estate.groups.n1}`, { domain_type_id: type?.id });
    const uses = dataOf<BulkFindings>(await boss.client.post('/group-types/bulk/check', { action: 'delete', items: [type?.id] }));
    expect(uses.uses).toEqual([{ area: 'groups', total: 1 }]);
  });

  it('a group whose subgroups go along is not in its own way', async () => {
    const { town, north, n1 } = estate.groups;
    const both = dataOf<BulkFindings>(await boss.client.post('/groups/bulk/check', { action: 'delete', items: [north, n1] }));
    const one = dataOf<BulkFindings>(await boss.client.post('/groups/bulk/check', { action: 'delete', items: [town] }));
    const groupsIn = ({ uses }: BulkFindings): number => uses.find(({ area }) => area === 'groups')?.total ?? 0;
    expect(groupsIn(one)).toBeGreaterThan(0);
    expect(groupsIn(both)).toBeLessThan(groupsIn(one) + 5);
  });
});

describe('bulk work', () => {
  it('changes all that match, each as by itself, with an entry in the trail for each, and is taken back', async () => {
    const ids = await crowd('Moved', 60);
    const job = await run(boss, { action: 'role', value: [other], filters: named('Moved'), total: 60 });
    expect(job).toMatchObject({ kind: 'bulk', state: 'completed', done: 60, total: 60, failures: [], bulk: { action: 'role', can_undo: true } });
    expect(new Set((await Promise.all(ids.map(userOf))).map(({ role }) => role?.id))).toEqual(new Set([other]));
    expect(await trailOf(ids)).toHaveLength(60);

    await boss.client.patch(`/users/${ids[0]}`, { role: boss.roleId });
    const back = await undo(boss, job);
    expect(back).toMatchObject({
      kind: 'bulk_undo',
      state: 'completed',
      total: 60,
      failures: [{ id: ids[0], ok: false, problem: { code: 'conflict' } }],
    });
    expect(new Set((await Promise.all(ids.slice(1).map(userOf))).map(({ role }) => role?.id))).toEqual(new Set([plain]));
    expect(codeOf(await boss.client.post(`/jobs/${job.id}/undo`, undefined))).toBe('prohibited');
    expect(codeOf(await keeper.client.post(`/jobs/${back.id}/undo`, undefined))).toBe('not_found');
  });

  it('groups and markers are added and removed; nobody is left without a group', async () => {
    const ids = await crowd('Marked', 4);
    await run(boss, { action: 'markers_add', value: [red], filters: named('Marked'), total: 4 });
    expect((await userOf(ids[0] ?? '')).markers.map(({ id }) => id)).toEqual([red]);
    await run(boss, { action: 'groups_add', value: [estate.groups.north], filters: named('Marked'), total: 4 });
    expect((await userOf(ids[0] ?? '')).domains.map(({ id }) => id).toSorted()).toEqual([estate.groups.n1, estate.groups.north].toSorted());
    const removed = await run(boss, { action: 'groups_remove', value: [estate.groups.n1, estate.groups.north], filters: named('Marked'), total: 4 });
    expect(removed.failures.map(({ name, problem }) => [name, problem?.rule])).toEqual([
      ['Marked 000', 'user_needs_group'],
      ['Marked 002', 'user_needs_group'],
    ]);
    const file = await boss.client.get(`/jobs/${removed.id}/file`);
    const { data } = Papa.parse<string[]>(file.body.replace('\ufeff', '').trimEnd());
    expect(data.map((line) => line.slice(0, 2))).toEqual([
      ['Name', 'ID'],
      ['Marked 000', ids[0]],
      ['Marked 002', ids[2]],
    ]);
    expect(data[1]?.[2]).toMatch(/group/i);
  });

  it('reaches no row that a single change would not: scope, role, oneself (P2)', async () => {
    const [mine = '', foreign = ''] = await crowd('Scoped', 2);
    const [high = ''] = await crowd('Scoped high', 1, boss.roleId);
    const job = await run(keeper, { action: 'markers_add', value: [red], items: [mine, foreign, high], total: 3 });
    expect(job.failures.map(({ id, name, problem }) => [id, name, problem?.code])).toEqual([
      [mine, 'Scoped 000', 'invalid_related'],
      [foreign, null, 'not_found'],
      [high, 'Scoped high 000', 'invalid_related'],
    ]);
    const self = await run(boss, { action: 'delete', items: [boss.id], total: 1 });
    expect(self.failures).toMatchObject([{ id: boss.id, problem: { code: 'deleting_prohibited' } }]);
    for (const action of ['delete', 'activate'])
      expect(codeOf(await keeper.client.post('/users/bulk', { action, items: [mine], total: 1 }))).toBe(
        action === 'delete' ? 'forbidden' : 'prohibited',
      );
  });

  it('a total that has changed since the question is refused with the present one', async () => {
    await crowd('Counted', 2);
    const answer = await boss.client.post('/users/bulk', { action: 'role', value: [other], filters: named('Counted'), total: 3 });
    expect([answer.statusCode, codeOf(answer), dataOf(answer)]).toEqual([409, 'total_changed', { total: 2 }]);
  });

  it('sends registration links, switches numbers, deletes', async () => {
    const ids = await crowd('Invited', 3);
    const before = (await server.services.db.select().from(mails)).length;
    const sent = await run(boss, { action: 'registration_link', filters: named('Invited'), total: 3 });
    expect(sent.bulk).toEqual({ action: 'registration_link', can_undo: false });
    expect((await server.services.db.select().from(mails)).length - before + sent.failures.length).toBe(3);
    const [number] = await server.services.db.insert(sipNumbers).values({ projectId: estate.here, number: '779900', name: 'Gate' }).returning();
    const off = await run(boss, { action: 'deactivate', items: [number?.id], total: 1 }, 'sip-numbers');
    expect(off).toMatchObject({ failures: [], bulk: { can_undo: true } });
    await undo(boss, off);
    const [after] = await server.services.db
      .select()
      .from(sipNumbers)
      .where(eq(sipNumbers.id, number?.id ?? ''));
    expect(after?.isActive).toBe(true);
    expect(await run(boss, { action: 'delete', filters: named('Invited'), total: 3 })).toMatchObject({ failures: [], bulk: { can_undo: false } });
    expect(codeOf(await boss.client.get(`/users/${ids[0]}`))).toBe('not_found');
  });
});

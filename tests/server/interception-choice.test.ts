import { desc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { principalOf } from '#server/access/principal.ts';
import type { Principal } from '#server/context.ts';
import { auditEvents, callInterceptions, groups } from '#server/db/schema/index.ts';
import { HttpError } from '#server/http-error.ts';
import { readInterception, setInterception } from '#server/modules/calls/interception.ts';
import { buildEstate, type Estate, makePerson } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let estate: Estate;
let principal: Principal;
const db = () => server.services.db;

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
});
afterAll(() => server.close());
beforeEach(async () => {
  const { id } = await makePerson(server, estate, { permissions: ['can_intercept_call_like_concierge'], in: [estate.groups.north] });
  const found = await principalOf(server.services, id, { ip: '10.0.0.7', userAgent: null });
  if (!found) throw new Error('nobody is there');
  principal = found;
});

const set = (isActive: boolean, ...wanted: (keyof Estate['groups'])[]) =>
  setInterception(
    server.services,
    principal,
    isActive,
    wanted.map((name) => estate.groups[name]),
  );
const refused = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof HttpError ? [error.code, error.data] : error),
  );
const lastSaid = async () => {
  const [row] = await db().select().from(auditEvents).where(eq(auditEvents.userId, principal.id)).orderBy(desc(auditEvents.createdAt)).limit(1);
  return row && { area: row.area, action: row.action, changes: row.changes };
};
const shown = (name: keyof Estate['groups'], path: readonly string[]) => ({ id: estate.groups[name], name, path });
const named = (name: keyof Estate['groups']) => ({ id: estate.groups[name], name });

it('begins with groups, and the trail says which', async () => {
  const [own, below] = [shown('north', ['north']), shown('n1', ['north', 'n1'])];
  expect(await readInterception(db(), principal)).toEqual({ is_active: false, groups: [], user_groups: [own] });
  expect(await set(true, 'north', 'n1')).toEqual({ is_active: true, groups: [below, own], user_groups: [own] });
  const groupsSaid = { before: [], after: [named('n1'), named('north')] };
  expect(await lastSaid()).toEqual({
    area: 'calls',
    action: 'update',
    changes: { interception: { before: false, after: true }, groups: groupsSaid },
  });
});

it('ends and keeps its groups, of which the trail says nothing then', async () => {
  await set(true, 'n1');
  server.pass(1_000);
  expect(await set(false)).toMatchObject({ is_active: false, groups: [named('n1')] });
  expect(await lastSaid()).toMatchObject({ changes: { interception: { before: true, after: false } } });
  expect((await lastSaid())?.changes).not.toHaveProperty('groups');
  server.pass(1_000);
  expect(await set(true, 'n2')).toMatchObject({ is_active: true, groups: [named('n2')] });
  expect(await lastSaid()).toMatchObject({ changes: { groups: { before: [named('n1')], after: [named('n2')] } } });
});

it('does not begin without a group, or with one out of sight', async () => {
  const [code, data] = (await refused(set(true))) as [string, unknown];
  expect([code, JSON.stringify(data)]).toEqual(['invalid_data', expect.stringMatching(/domains.*at_least_on_group_must_be_selected/) as unknown]);
  const [other, unknown] = (await refused(set(true, 'n1', 's1'))) as [string, unknown];
  expect([other, JSON.stringify(unknown).includes(estate.groups.s1), JSON.stringify(unknown).includes(estate.groups.n1)]).toEqual([
    'invalid_related',
    true,
    false,
  ]);
  expect(await db().select().from(callInterceptions).where(eq(callInterceptions.userId, principal.id))).toEqual([]);
});

it('is over once its groups are gone', async () => {
  const id = crypto.randomUUID();
  const blocks = { guestLimits: {} as never, whitelabel: {}, appleWallet: {}, licence: {} };
  const path = [estate.groups.town, estate.groups.north, id];
  await db()
    .insert(groups)
    .values({ ...blocks, id, projectId: estate.here, name: 'Gone', parentId: estate.groups.north, path });
  await setInterception(server.services, principal, true, [id]);
  await db().delete(groups).where(eq(groups.id, id));
  expect(await readInterception(db(), principal)).toMatchObject({ is_active: false, groups: [] });
});

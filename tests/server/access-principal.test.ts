import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { nothingLicensed } from '#models/licence-info.ts';
import { permissionCodes } from '#models/permission-catalogue.ts';
import { administratorRemains, isAdministrator } from '#server/access/administrators.ts';
import { inOrderMade, isOperator, operatorProject } from '#server/access/operator.ts';
import { requireLicensed } from '#server/access/require.ts';
import { makeToken, originOf, principalOf, sessionAgain, sessionOfToken, tokenOf } from '#server/access/principal.ts';
import { auditEvents, availableRoles, passkeys, projects, roles, secondFactors, sessions, userDomains, users } from '#server/db/schema/index.ts';
import { beginSession } from '#server/modules/session/tokens.ts';
import { buildEstate, codeOf, type Estate, makePerson, makeRole, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

const origin = { ip: '10.0.0.7', userAgent: 'test' };
let server: TestServer;
let estate: Estate;
let anna: Person;
let token: string;
const db = () => server.services.db;
const open = () => sessionOfToken(server.services, token, origin);

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
});
afterAll(() => server.close());
beforeEach(async () => {
  const available = await makeRole(server.services, estate.here, []);
  anna = await makePerson(server, estate, {
    permissions: ['can_view_users'],
    in: [estate.groups.n1, estate.groups.s1],
    available: [available],
    name: 'Anna',
  });
  await db().delete(sessions).where(eq(sessions.userId, anna.id));
  ({ token } = await beginSession(db(), anna.id, origin, server.services.now()));
});

describe('the token of a request', () => {
  const request = (authorization?: string) => ({ headers: { authorization } }) as FastifyRequest;
  it.each([
    ['Bearer 0123456789abcdef', '0123456789abcdef'],
    ['bearer 0123456789-_~+/.=abc', '0123456789-_~+/.=abc'],
    ['Bearer 0123456789abcde', null],
    [`Bearer ${'x'.repeat(513)}`, null],
    ['Basic 0123456789abcdef', null],
    ['Bearer 0123456789abcdef more', null],
    [undefined, null],
  ])('%j is %j', (header, found) => expect(tokenOf(request(header))).toBe(found));
  it('is one of 256 bits', () => expect(Buffer.from(makeToken(), 'base64url')).toHaveLength(32));
  it('comes from an address and a program whose name is cut', () => {
    const from = (userAgent?: string) => originOf({ ip: '10.0.0.7', headers: { 'user-agent': userAgent } } as FastifyRequest);
    expect([from('x'.repeat(600)), from()]).toEqual([
      { ip: '10.0.0.7', userAgent: 'x'.repeat(500) },
      { ip: '10.0.0.7', userAgent: null },
    ]);
  });
});

describe('whose token it is', () => {
  it('is read as the database knows them at this moment', async () => {
    const found = await open();
    const [role] = await db().select().from(availableRoles).where(eq(availableRoles.roleId, anna.roleId));
    if (!found) throw new Error('the session is not there');
    const { principal } = found;
    const { sessionId, profileVersion, ...known } = principal;
    expect(known).toEqual({
      id: anna.id,
      projectId: estate.here,
      name: 'Anna',
      locale: 'en',
      roleId: anna.roleId,
      permissions: ['can_view_users'],
      domains: [estate.groups.n1, estate.groups.s1].toSorted(),
      availableRoles: [role?.availableId],
      mustEnrol: false,
      ...origin,
    });
    expect([sessionId, profileVersion]).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), expect.stringMatching(/^[\da-f]{16}$/)]);
    expect(found.expiresAt).toBe(server.services.now().getTime() + 15 * 60_000);
    await db().update(users).set({ locale: 'ru' }).where(eq(users.id, anna.id));
    expect((await sessionAgain(server.services, principal))?.principal).toMatchObject({ id: anna.id, locale: 'ru', sessionId });
    expect(await principalOf(server.services, anna.id, origin)).toMatchObject({
      id: anna.id,
      locale: 'ru',
      domains: known.domains,
      mustEnrol: false,
    });
    expect(await principalOf(server.services, randomUUID(), origin)).toBeNull();
  });
  it('is nobody’s once it is over, or where none was given out', async () => {
    expect(await sessionOfToken(server.services, 'x'.repeat(43), origin)).toBeNull();
    server.pass(15 * 60_000 - 1);
    expect(await open()).not.toBeNull();
    server.pass(1);
    expect(await open()).toBeNull();
  });
  it('is remembered as seen, once a minute', async () => {
    const seen = async () => {
      const [row] = await db()
        .select({ person: users.lastSeenAt, session: sessions.lastSeenAt })
        .from(sessions)
        .innerJoin(users, eq(users.id, sessions.userId))
        .where(eq(users.id, anna.id));
      return [row?.person?.getTime(), row?.session.getTime()];
    };
    const began = server.services.now().getTime();
    await open();
    expect(await seen()).toEqual([began, began]);
    server.pass(60_000);
    await open();
    expect(await seen()).toEqual([began, began]);
    server.pass(1);
    await open();
    expect(await seen()).toEqual([began + 60_001, began + 60_001]);
  });
});

describe('a role that requires a second factor', () => {
  const requires = (requiresSecondFactor: boolean) => db().update(roles).set({ requiresSecondFactor }).where(eq(roles.id, anna.roleId));
  const passkey = (userId: string) =>
    db().insert(passkeys).values({ userId, credentialId: randomUUID(), publicKey: 'key', counter: 0, transports: [], isSynced: false, name: 'Key' });
  const app = (confirmedAt: Date | null) => db().insert(secondFactors).values({ userId: anna.id, secretCipher: 'sealed', confirmedAt });
  const mustEnrol = async () => (await open())?.principal.mustEnrol;
  it('has to be met before anything else, by an app whose code was confirmed', async () => {
    expect(await mustEnrol()).toBe(false);
    await requires(true);
    expect(await mustEnrol()).toBe(true);
    await app(null);
    expect(await mustEnrol()).toBe(true);
    await db().update(secondFactors).set({ confirmedAt: new Date() }).where(eq(secondFactors.userId, anna.id));
    expect(await mustEnrol()).toBe(false);
  });
  it('ends sessions that a password alone began, where there is a passkey and no app', async () => {
    const withFactor = (withSecondFactor: boolean) => db().update(sessions).set({ withSecondFactor }).where(eq(sessions.userId, anna.id));
    await passkey((await makePerson(server, estate, { in: [] })).id);
    await passkey(anna.id);
    expect(await mustEnrol()).toBe(false);
    await requires(true);
    expect(await open()).toBeNull();
    await withFactor(true);
    expect(await mustEnrol()).toBe(false);
    await withFactor(false);
    await app(null);
    expect(await open()).toBeNull();
    await db().update(secondFactors).set({ confirmedAt: new Date() });
    expect(await mustEnrol()).toBe(false);
  });
});

describe('the version of a profile', () => {
  it('is another after each change of what a profile shows, and the same without', async () => {
    const seen = new Set<string | undefined>();
    const version = async () => (await open())?.principal.profileVersion;
    const next = async (change: () => Promise<unknown>): Promise<void> => {
      seen.add(await version());
      await change();
    };
    const raise = (table: 'users' | 'roles' | 'projects' | 'groups', id: string) => () =>
      db().execute(sql`update ${sql.raw(table)} set version = version + 1 where id = ${id}`);
    await next(raise('users', anna.id));
    await next(raise('roles', anna.roleId));
    await next(raise('projects', estate.here));
    await next(raise('groups', estate.groups.n1));
    await next(() => db().delete(availableRoles).where(eq(availableRoles.roleId, anna.roleId)));
    await next(() => db().delete(userDomains).where(eq(userDomains.userId, anna.id)));
    await next(raise('groups', estate.groups.n1));
    expect(seen.size).toBe(7);
    expect(seen.has(await version())).toBe(true);
  });
});

it('a feature that is not licensed for somebody is refused, and the trail says which', async () => {
  const principal = await principalOf(server.services, anna.id, origin);
  if (!principal) throw new Error('nobody is there');
  const said = async () =>
    (await db().select().from(auditEvents).where(eq(auditEvents.userId, anna.id))).map(({ area, action, changes }) => ({ area, action, changes }));
  await requireLicensed(server.services, principal, 'whiteLabel', 'groups');
  expect(await said()).toEqual([]);
  await db().update(users).set({ licenseInfo: nothingLicensed }).where(eq(users.id, anna.id));
  await expect(requireLicensed(server.services, principal, 'whiteLabel', 'groups')).rejects.toMatchObject({ code: 'licence_restricted' });
  expect(await said()).toEqual([{ area: 'groups', action: 'refused', changes: { feature: { before: null, after: 'whiteLabel' } } }]);
});

describe('a call that is refused', () => {
  const trail = async (person: Person) =>
    (await db().select().from(auditEvents).where(eq(auditEvents.userId, person.id))).map(({ area, action, changes }) => ({
      area,
      action,
      changes,
    }));
  it.each([
    ['who may see mobile keys is told that none is ever deleted', ['can_view_ukey2'], 409, 'ukey2_not_deletable'],
    ['who may not is told nothing of them', ['can_view_users'], 403, 'forbidden'],
  ] as const)('%s, and it stands in the audit trail', async (_who, permissions, status, code) => {
    const person = await makePerson(server, estate, { permissions, in: [estate.groups.town] });
    const answer = await person.client.delete(`/identifiers/ukey2/${randomUUID()}`);
    expect([answer.statusCode, codeOf(answer)]).toEqual([status, code]);
    expect(await trail(person)).toEqual([{ area: 'ukey2', action: 'refused', changes: { verb: { before: null, after: 'delete' } } }]);
  });
});

describe('administrators', () => {
  const all = [...permissionCodes];
  it('see and change every user and every role', () => {
    const rights = ['can_view_all_users', 'can_edit_all_users', 'can_edit_all_roles'];
    expect(isAdministrator(all)).toBe(true);
    for (const right of rights) expect([right, isAdministrator(rights.filter((code) => code !== right))]).toEqual([right, false]);
  });
  it('remain as long as there is one of the project besides', async () => {
    const remains = (without: { userId?: string; roleId?: string }) => administratorRemains(db(), estate.here, without);
    await makePerson(server, estate, {
      permissions: all,
      in: [estate.groups.abroad],
      project: estate.there,
      roleId: await makeRole(server.services, estate.there, all),
    });
    expect(await remains({})).toBe(false);
    const one = await makePerson(server, estate, { permissions: all, in: [] });
    expect([await remains({}), await remains({ userId: one.id }), await remains({ roleId: one.roleId })]).toEqual([true, false, false]);
    const same = await makePerson(server, estate, { roleId: one.roleId, in: [] });
    expect([await remains({ userId: one.id }), await remains({ roleId: one.roleId })]).toEqual([true, false]);
    const other = await makePerson(server, estate, { permissions: all, in: [] });
    expect([await remains({ roleId: one.roleId }), await remains({ roleId: other.roleId })]).toEqual([true, true]);
    await db().delete(users).where(eq(users.id, same.id));
  });
});

it('the installation is run by the project that was made first; of the demo’s two of one instant by the first', async () => {
  const at = (uid: string, when: string) =>
    db()
      .update(projects)
      .set({ createdAt: new Date(when) })
      .where(eq(projects.uid, uid));
  const order = async () =>
    (
      await db()
        .select({ uid: projects.uid })
        .from(projects)
        .orderBy(...inOrderMade())
    ).map(({ uid }) => uid);
  await at('here', '2026-01-02');
  await at('there', '2026-01-01');
  expect([await operatorProject(db()), await isOperator(server.services, { projectId: estate.here } as never)]).toEqual([estate.there, false]);
  await at('here', '2026-01-01');
  expect(await order()).toEqual(['here', 'there']);
  await db()
    .insert(projects)
    .values([
      { uid: 'harbour', name: 'Harbour', createdAt: new Date('2026-01-01') },
      { uid: 'riverside', name: 'Riverside', createdAt: new Date('2026-01-01') },
    ]);
  expect(await order()).toEqual(['here', 'riverside', 'there', 'harbour']);
  expect(await isOperator(server.services, { projectId: estate.here } as never)).toBe(true);
});

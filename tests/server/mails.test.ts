import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Mail } from '#models/mail.ts';
import { defaultRoles } from '#models/default-roles.ts';
import { mails, projects, users } from '#server/db/schema/index.ts';
import { makeRegistrationLink, writeMail } from '#server/modules/mail.ts';
import { buildEstate, dataOf, type Estate, makePerson, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';
import { seedWorld } from './world.ts';

let demo: TestServer;
let plain: TestServer;
const guestOf = async ({ services }: TestServer): Promise<string> =>
  (await services.db.select().from(users)).find(({ login }) => login === 'guest')?.id ?? '';
const idOf = async ({ services }: TestServer, uid: string): Promise<string> =>
  (await services.db.select().from(projects)).find((project) => project.uid === uid)?.id ?? '';

beforeAll(async () => {
  [demo, plain] = await Promise.all([openTestServer({ seed: seedWorld, config: { demo: true } }), openTestServer({ seed: seedWorld })]);
});
afterAll(() => Promise.all([demo.close(), plain.close()]));

describe('the mails of the demo', () => {
  it('are the last 50 of one’s own project, newest first', async () => {
    const { db, now } = demo.services;
    const [here, elsewhere] = [await idOf(demo, 'riverside'), await idOf(demo, 'harbour')];
    const userId = await guestOf(demo);
    for (let count = 0; count < 53; count++) {
      const letter = { userId, recipient: 'new@example.org', subject: `Letter ${count}`, body: 'Hello' };
      await writeMail(db, { ...letter, projectId: here }, new Date(now().getTime() + count));
      if (count < 3) await writeMail(db, { ...letter, subject: 'Not for here', projectId: elsewhere }, new Date(now().getTime() + 1_000));
    }
    const boss = await demo.signIn('boss');
    const answer = await boss.get('/mails');
    expect(answer.statusCode).toBe(200);
    const { data } = answer.json() as { data: Mail[] };
    expect(data.map(({ subject }) => subject)).toEqual(Array.from({ length: 50 }, (_, at) => `Letter ${52 - at}`));
    expect(data[0]).toMatchObject({ recipient: 'new@example.org', body: 'Hello', created_at: new Date(now().getTime() + 52).toISOString() });
  });

  it('are not there for people who may not see the system', async () => {
    const guest = await demo.signIn('guest');
    const answer = await guest.get('/mails');
    expect([answer.statusCode, answer.json()]).toMatchObject([403, { error: { code: 'forbidden' } }]);
    expect((await demo.as(null).get('/mails')).statusCode).toBe(401);
  });

  it('say nothing of what they contain where the demo is off', async () => {
    const { db, now } = plain.services;
    const [someone] = await db.select().from(users);
    const body = await makeRegistrationLink(db, plain.services, { id: someone?.id ?? '', projectId: await idOf(plain, 'riverside') });
    await writeMail(
      db,
      { projectId: await idOf(plain, 'riverside'), userId: someone?.id ?? '', recipient: 'a@example.org', subject: 'Secret', body },
      now(),
    );
    const answer = await (await plain.signIn('boss')).get('/mails');
    expect(dataOf<Mail[]>(answer)).toMatchObject([{ subject: 'Secret', recipient: 'a@example.org', body: null, state: 'kept' }]);
    expect(answer.body).not.toContain('registration');
  });
});

describe('a mail that may open an account', () => {
  let server: TestServer;
  let estate: Estate;
  let dealer: Person;
  const rolePermissions = (key: string) => defaultRoles.find((role) => role.key === key)?.permissions ?? [];
  const linkTo = async (person: Person): Promise<string> => {
    const { db, now } = server.services;
    const body = await makeRegistrationLink(db, server.services, { id: person.id, projectId: estate.here });
    await db.delete(mails);
    await writeMail(db, { projectId: estate.here, userId: person.id, recipient: 'x@example.org', subject: 'Your account', body }, now());
    return body.slice(body.lastIndexOf('/') + 1);
  };
  const reads = async (reader: Person, link: string): Promise<boolean> => {
    const answer = await reader.client.get('/mails');
    expect(answer.statusCode).toBe(200);
    return answer.body.includes(link);
  };

  beforeAll(async () => {
    server = await openTestServer({ config: { demo: true } });
    estate = await buildEstate(server.services);
    dealer = await makePerson(server, estate, { permissions: rolePermissions('dealer'), in: [estate.groups.north] });
  });
  afterAll(() => server.close());

  it('is not shown to a dealer when it is for an administrator', async () => {
    const administrator = await makePerson(server, estate, { permissions: rolePermissions('administrator'), in: [estate.groups.north] });
    const link = await linkTo(administrator);
    expect(await reads(dealer, link)).toBe(false);
    const other = await makePerson(server, estate, { permissions: rolePermissions('administrator'), in: [estate.groups.north] });
    expect(await reads(other, link)).toBe(true);
  });

  it('is shown to whoever could change how its reader signs in, and hidden from whoever could not', async () => {
    const { groups } = estate;
    const codes = ['can_view_system_info', 'can_view_users', 'can_edit_all_users', 'can_call_all'] as const;
    const reader = await makePerson(server, estate, { permissions: codes, in: [groups.north] });
    const cases = {
      'of one’s tree': { in: [groups.n1], may: true },
      'of another tree': { in: [groups.s1], may: false },
      'who may do more': { in: [groups.n1], permissions: ['can_view_audit_events'], may: false },
      'of another project': { in: [groups.abroad], project: estate.there, may: false },
    } as const;
    for (const [name, { may, ...wanted }] of Object.entries(cases)) {
      const person = await makePerson(server, estate, wanted);
      const link = await linkTo(person);
      expect([name, await reads(reader, link)]).toEqual([name, may]);
      const taken = await reader.client.post(`/users/${person.id}/password`, { new_password: 'Another-2026' });
      expect([name, taken.statusCode === 200]).toEqual([name, may]);
    }
  });

  it('is not shown to who only sees people, or once its reader is gone', async () => {
    const watcher = await makePerson(server, estate, { permissions: ['can_view_system_info', 'can_view_all_users'], in: [estate.groups.north] });
    const person = await makePerson(server, estate, { in: [estate.groups.n1] });
    expect(await reads(watcher, await linkTo(person))).toBe(false);
    const administrator = await makePerson(server, estate, { permissions: rolePermissions('administrator'), in: [estate.groups.north] });
    const link = await linkTo(person);
    expect(await reads(administrator, link)).toBe(true);
    await server.services.db.delete(users).where(eq(users.id, person.id));
    expect(await reads(administrator, link)).toBe(false);
  });
});

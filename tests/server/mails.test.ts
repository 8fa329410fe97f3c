import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Mail } from '#models/api.ts';
import { projects, users } from '#server/db/schema/index.ts';
import { makeRegistrationLink, writeMail } from '#server/modules/mail.ts';
import { openTestServer, type TestServer } from './support.ts';
import { seedWorld } from './world.ts';

let demo: TestServer;
let plain: TestServer;
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
    for (let count = 0; count < 53; count++) {
      const letter = { recipient: 'new@example.org', subject: `Letter ${count}`, body: 'Hello' };
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
    expect([answer.statusCode, answer.json()]).toMatchObject([404, { error: { code: 'not_found' } }]);
    expect((await demo.as(null).get('/mails')).statusCode).toBe(401);
  });

  it('are there for nobody where the demo is off', async () => {
    const { db, now } = plain.services;
    const [someone] = await db.select().from(users);
    const body = await makeRegistrationLink(db, plain.services, someone?.id ?? '');
    await writeMail(db, { projectId: await idOf(plain, 'riverside'), recipient: 'a@example.org', subject: 'Secret', body }, now());
    const answer = await (await plain.signIn('boss')).get('/mails');
    expect(answer.statusCode).toBe(404);
    expect(answer.body).not.toContain('registration');
  });
});

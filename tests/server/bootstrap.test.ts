import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inviteFirstAdministrator } from '#server/db/bootstrap.ts';
import { oneTimeLinks, users } from '#server/db/schema/index.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({ config: { publicUrl: 'https://door.example.org' } });
});
afterAll(() => server.close());

const tokenIn = (link: string | null): string => /^https:\/\/door\.example\.org\/registration\/([\w-]{43})$/.exec(link ?? '')?.[1] ?? '';

describe('the first administrator', () => {
  it('is invited by a link at every start, of which the last one works, for seven days, until they have come', async () => {
    const { services } = server;
    const stranger = server.as(null);
    const statusOf = async (token: string) => (await stranger.get(`/registration/${token}`)).statusCode;
    const first = tokenIn(await inviteFirstAdministrator(services));
    expect(await stranger.get(`/registration/${first}`).then((answer) => answer.json())).toEqual({
      data: { login: 'admin', name: 'Administrator', email: null, project: 'Doorward' },
    });
    const links = await services.db.select().from(oneTimeLinks);
    expect(links).toHaveLength(1);
    expect(JSON.stringify(links)).not.toContain(first);

    const second = tokenIn(await inviteFirstAdministrator(services));
    expect(await services.db.select().from(users)).toHaveLength(1);
    expect([await statusOf(first), await statusOf(second)]).toEqual([400, 200]);

    server.pass(7 * 24 * 3_600_000 + 1);
    expect(await statusOf(second)).toBe(400);
    const third = tokenIn(await inviteFirstAdministrator(services));
    expect(third).toHaveLength(43);

    expect((await stranger.post('/login', { login: 'admin', password: 'Doorward-2026' })).statusCode).toBe(401);
    expect((await stranger.post(`/registration/${third}`, { password: 'Chosen-2026' })).statusCode).toBe(200);
    expect((await stranger.post(`/registration/${third}`, { password: 'Stolen-2026' })).statusCode).toBe(400);
    const admin = await server.signIn('admin', 'Chosen-2026');
    expect((await admin.get('/users')).json()).toMatchObject({ meta: { total: 1 } });

    expect(await inviteFirstAdministrator(services)).toBeNull();
    expect(await services.db.select().from(users)).toHaveLength(1);
  });
});

import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Profile } from '#models/profile.ts';
import { auditEvents, sessions, users } from '#server/db/schema/index.ts';
import { until } from './devices-support.ts';
import { openTestServer, password, type TestServer } from './support.ts';
import { seedWorld } from './world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({ seed: seedWorld });
});
afterAll(() => server.close());

const codeOf = (answer: { json: () => unknown }) => (answer.json() as { error?: { code: string } }).error?.code;
const pairOf = (answer: { json: () => unknown }) => (answer.json() as { data: { token: string; refresh: string } }).data;
const refresh = (token: string | null) => server.as(null).post('/refresh', { token });
const audited = (action: string) => server.services.db.select().from(auditEvents).where(eq(auditEvents.action, action));
/** What the trail of a server says of guesses, once it says something. */
const refusedIn = ({ services }: TestServer) =>
  until(
    () => services.db.select().from(auditEvents).where(eq(auditEvents.action, 'refused')),
    (rows) => rows.length > 0,
  );

describe('changing the project', () => {
  const projectsOf = async (token: string) =>
    ((await server.as(token).get('/sessions/projects')).json() as { data: { id: string; uid: string }[] }).data;
  const signInBoth = async () => {
    const answer = await server.as(null).post('/login', { login: 'both', password });
    return (answer.json() as { data: { sessions: { token: string; refresh: string; project: { id: string; uid: string } }[] } }).data.sessions;
  };

  it('goes on in the other project of the same sign-in, and comes back', async () => {
    const [harbour, riverside] = await signInBoth();
    if (!harbour || !riverside) throw new Error('two projects are wanted');
    expect((await projectsOf(harbour.token)).map(({ uid }) => uid)).toEqual(['harbour', 'riverside']);
    const there = pairOf(await server.as(harbour.token).post('/sessions/projects', { project_id: riverside.project.id }));
    const projectOf = async (token: string) => ((await server.as(token).get('/profile')).json() as { data: Profile }).data.project.uid;
    expect(await projectOf(there.token)).toBe('riverside');
    expect((await server.as(riverside.token).get('/profile')).statusCode, 'the pair before').toBe(401);
    const back = pairOf(await server.as(there.token).post('/sessions/projects', { project_id: harbour.project.id }));
    expect(await projectOf(back.token)).toBe('harbour');
    expect((await refresh(back.refresh)).statusCode).toBe(200);
  });

  it('leads nowhere where this sign-in opened nothing', async () => {
    const [harbour] = await signInBoth();
    const one = await server.signIn('boss');
    expect((await projectsOf(one.token ?? '')).map(({ uid }) => uid)).toEqual(['riverside']);
    expect(codeOf(await one.post('/sessions/projects', { project_id: harbour?.project.id }))).toBe('not_found');
    expect((await server.as(null).get('/sessions/projects')).statusCode).toBe(401);
  });
});

describe('signing in', () => {
  it('opens one session for each project whose password fits', async () => {
    const answer = await server.as(null).post('/login', { login: ' BOTH ', password });
    expect(answer.statusCode).toBe(200);
    const { data } = answer.json() as { data: { sessions: { project: { uid: string } }[] } };
    expect(data.sessions.map(({ project }) => project.uid)).toEqual(['harbour', 'riverside']);
  });

  it('is seen with the first request, in the project it was made in and in no other', async () => {
    await server.services.db.execute(sql`update users set last_seen_at = null where login = 'both'`);
    const harbour = await server.signIn('both');
    await harbour.get('/profile');
    const seen = await server.services.db.select({ at: users.lastSeenAt }).from(users).where(eq(users.login, 'both'));
    expect(seen.filter(({ at }) => at !== null)).toHaveLength(1);
  });

  it('leaves out the project whose password is another', async () => {
    const harbour = await server.signIn('both');
    await server.services.db.execute(
      sql`update users set password_hash = null where login = 'both' and project_id = (select id from projects where uid = 'riverside')`,
    );
    const answer = await server.as(null).post('/login', { login: 'both', password });
    expect((answer.json() as { data: { sessions: unknown[] } }).data.sessions).toHaveLength(1);
    expect((await harbour.get('/profile')).statusCode).toBe(200);
    await server.services.db.execute(
      sql`update users set password_hash = (select password_hash from users where login = 'boss') where login = 'both'`,
    );
  });

  it.each([
    ['boss', 'wrong'],
    ['nobody', password],
    ["boss' or 1=1--", password],
  ])('refuses %s / %s with the same words', async (login, word) => {
    const answer = await server.as(null).post('/login', { login, password: word });
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toEqual({ message: 'incorrect login/password', error: { code: 'incorrect_login', message: 'incorrect login/password' } });
  });

  it('takes as long for an unknown login as for a known one (S12)', async () => {
    // The processor's time, ms: a busy machine takes it from both alike.
    const time = async (login: string) => {
      const begun = process.cpuUsage();
      await server.as(null).post('/login', { login, password: 'wrong' });
      const { user, system } = process.cpuUsage(begun);
      return (user + system) / 1_000;
    };
    const median = (list: number[]) => list.toSorted((a, b) => a - b)[Math.trunc(list.length / 2)] ?? 0;
    /** The median of what a known login takes longer than an unknown one, asked in turns, as a part of what the known one takes. */
    const difference = async () => {
      const differences: number[] = [];
      const known: number[] = [];
      for (let round = 0; round < 15; round++) {
        const own = await time('boss');
        known.push(own);
        differences.push(own - (await time(`nobody-${round}`)));
      }
      return Math.abs(median(differences)) / median(known);
    };
    // A hash left out shows in every measuring; a busy machine does not.
    const measured = [await difference(), await difference(), await difference()];
    expect(Math.min(...measured)).toBeLessThan(0.4);
  });

  it('names what is missing', async () => {
    const answer = await server.as(null).post('/login', { login: 'boss', role: 'x' });
    expect(answer.statusCode).toBe(422);
    const { data } = answer.json() as { data: { issues: { path: string[]; rule: string }[] } };
    expect(data.issues.map(({ path, rule }) => `${path.join('.')}:${rule}`).toSorted()).toEqual([':unknown_field', 'password:required']);
  });
});

describe('the limiter (S12)', () => {
  it('lets ten tries a minute pass for a login from an address, and then says when to come again', async () => {
    const own = await openTestServer({ seed: seedWorld, config: { signInTries: 10, signInTriesPerIp: 500 } });
    const attempt = (word = 'wrong') => own.as(null).post('/login', { login: 'boss', password: word });
    const tries = await Promise.all(Array.from({ length: 200 }, () => attempt()));
    expect(tries.filter(({ statusCode }) => statusCode === 401)).toHaveLength(10);
    const locked = tries.filter(({ statusCode }) => statusCode === 423);
    expect(locked).toHaveLength(190);
    expect(Number(locked[0]?.headers['retry-after'])).toBe(60);
    expect(codeOf(await attempt(password))).toBe('locked_out');
    expect((await own.as(null).post('/login', { login: 'guest', password })).statusCode).toBe(200);
    const answered = await refusedIn(own);
    expect(answered).toMatchObject([{ area: 'users', entityName: 'The boss', ip: '127.0.0.1', changes: { cause: { after: 'too_many_tries' } } }]);
    expect(JSON.stringify(answered)).not.toContain('wrong');
    own.pass(61_000);
    for (let round = 0; round < 10; round++) expect((await attempt()).statusCode).toBe(401);
    expect(Number((await attempt()).headers['retry-after'])).toBe(120);
    own.pass(121_000);
    expect((await attempt(password)).statusCode).toBe(200);
    for (let round = 0; round < 10; round++) expect((await attempt()).statusCode).toBe(401);
    await own.close();
  });

  it('limits an address that tries many logins, whatever it says it is, but nobody there who knows the password', async () => {
    const own = await openTestServer({ seed: seedWorld, config: { signInTriesPerIp: 20, trustedProxies: 'loopback' } });
    const from = (address: string, login: string, word: string) =>
      own.as(null).post('/login', { login, password: word }, { 'x-forwarded-for': address });
    const tries = await Promise.all(Array.from({ length: 60 }, (_, index) => from(`10.0.0.${index}, 203.0.113.9`, `user-${index}`, 'wrong')));
    expect(tries.filter(({ statusCode }) => statusCode === 401)).toHaveLength(20);
    const limited = tries.filter(({ statusCode }) => statusCode === 429);
    expect(limited).toHaveLength(40);
    expect(Number(limited[0]?.headers['retry-after'])).toBe(60);
    expect((await from('203.0.113.9', 'boss', password)).statusCode).toBe(200);
    expect((await from('203.0.113.10', 'boss', password)).statusCode).toBe(200);
    await own.close();
  });

  it('lets somebody in whose login is guessed from elsewhere', async () => {
    const own = await openTestServer({ seed: seedWorld, config: { signInTries: 10, signInTriesPerIp: 500, trustedProxies: 'loopback' } });
    const from = (address: string, word: string) => own.as(null).post('/login', { login: 'boss', password: word }, { 'x-forwarded-for': address });
    const tries = await Promise.all(Array.from({ length: 200 }, (_, index) => from(`203.0.113.${index % 50}`, 'wrong')));
    expect(tries.filter(({ statusCode }) => statusCode === 401).length).toBeLessThanOrEqual(100);
    expect(tries.filter(({ statusCode }) => statusCode === 423).length).toBeGreaterThanOrEqual(100);
    expect((await from('198.51.100.1', password)).statusCode).toBe(200);
    await own.close();
  });

  it('lets no more wait for one address than it can look at', async () => {
    const own = await openTestServer({ seed: seedWorld, config: { signInTriesPerIp: 20 } });
    const tries = await Promise.all(
      Array.from({ length: 300 }, (_, index) => own.as(null).post('/login', { login: `user-${index}`, password: 'wrong' })),
    );
    const turnedAway = tries.filter(({ statusCode, headers }) => statusCode === 429 && headers['retry-after'] === '1');
    expect(turnedAway.length).toBeGreaterThanOrEqual(150);
    await own.close();
  });
});

describe('refreshing', () => {
  it('gives exactly one pair to fifty at once (S1)', async () => {
    const person = await server.signIn('boss');
    const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(person.refresh)));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect(new Set(answers.filter(({ statusCode }) => statusCode !== 200).map(codeOf))).toEqual(new Set(['invalid_token']));
    const winner = answers.find(({ statusCode }) => statusCode === 200);
    if (!winner) throw new Error('nobody got a pair');
    expect((await server.as(pairOf(winner).token).get('/profile')).statusCode).toBe(200);
    expect((await person.get('/profile')).statusCode).toBe(401);
  });

  it('ends the session when an old token comes back later than 30 s (S5)', async () => {
    const person = await server.signIn('boss');
    const first = pairOf(await refresh(person.refresh));
    server.pass(20_000);
    expect(codeOf(await refresh(person.refresh))).toBe('invalid_token');
    expect((await server.as(first.token).get('/profile')).statusCode).toBe(200);
    const second = pairOf(await refresh(first.refresh));
    server.pass(31_000);
    const before = (await audited('session_revoked')).length;
    expect(codeOf(await refresh(person.refresh))).toBe('invalid_token');
    expect((await server.as(second.token).get('/profile')).statusCode).toBe(401);
    expect(codeOf(await refresh(second.refresh))).toBe('invalid_token');
    expect(await audited('session_revoked')).toHaveLength(before + 1);
  });

  describe('under a key', () => {
    const underKey = (token: string | null, key: string) => server.as(null).post('/refresh', { token }, { 'idempotency-key': key });

    it('gives fifty at once the same pair, and those who lost the answer that pair again, however late', async () => {
      const person = await server.signIn('boss');
      const revoked = (await audited('session_revoked')).length;
      const pairs = (await Promise.all(Array.from({ length: 50 }, () => underKey(person.refresh, 'one')))).map(pairOf);
      expect(new Set(pairs.map((pair) => JSON.stringify(pair))).size).toBe(1);
      server.pass(10 * 60_000);
      const again = pairOf(await underKey(person.refresh, 'one'));
      expect(again).toEqual(pairs[0]);
      expect((await server.as(again.token).get('/profile')).statusCode).toBe(200);
      expect(await audited('session_revoked')).toHaveLength(revoked);
    });

    it('gives nothing to another key, or to none', async () => {
      const person = await server.signIn('boss');
      const pair = pairOf(await underKey(person.refresh, 'one'));
      expect([codeOf(await underKey(person.refresh, 'two')), codeOf(await refresh(person.refresh))]).toEqual(['invalid_token', 'invalid_token']);
      expect((await server.as(pair.token).get('/profile')).statusCode).toBe(200);
    });

    it('ends the session when the token comes back later than 30 s after its pair was exchanged too', async () => {
      const person = await server.signIn('boss');
      const first = pairOf(await underKey(person.refresh, 'one'));
      const second = pairOf(await underKey(first.refresh, 'two'));
      expect(codeOf(await underKey(person.refresh, 'one'))).toBe('invalid_token');
      expect((await server.as(second.token).get('/profile')).statusCode).toBe(200);
      server.pass(31_000);
      expect(codeOf(await underKey(person.refresh, 'one'))).toBe('invalid_token');
      expect((await server.as(second.token).get('/profile')).statusCode).toBe(401);
    });

    it('gives nothing for a session that has ended meanwhile', async () => {
      const person = await server.signIn('boss');
      const pair = pairOf(await underKey(person.refresh, 'one'));
      await server.as(pair.token).post('/logout');
      expect(codeOf(await underKey(person.refresh, 'one'))).toBe('invalid_token');
    });

    it('refuses what is no such key', async () => {
      const person = await server.signIn('boss');
      expect(codeOf(await underKey(person.refresh, 'x'.repeat(201)))).toBe('wrong_parameters');
      expect((await person.get('/profile')).statusCode).toBe(200);
    });
  });

  it('lets access tokens die after 15 minutes and refresh tokens after 30 days', async () => {
    const person = await server.signIn('boss');
    server.pass(15 * 60_000);
    expect(codeOf(await person.get('/profile'))).toBe('not_authorized');
    const next = pairOf(await refresh(person.refresh));
    server.pass(30 * 24 * 3_600_000);
    expect(codeOf(await refresh(next.refresh))).toBe('invalid_token');
  });
});

describe('tokens (S20)', () => {
  it('refuses whatever is not a living access token in the header', async () => {
    const person = await server.signIn('boss');
    const { token, refresh: refreshToken } = person;
    const jwt = `${btoa('{"alg":"none"}')}.${btoa('{"sub":"boss"}')}.`;
    const hash = (await server.services.db.select({ hash: sessions.tokenHash }).from(sessions).limit(1))[0]?.hash;
    const forged = [
      refreshToken,
      jwt,
      hash,
      'x'.repeat(43),
      `${token}x`,
      token?.slice(1),
      token?.toUpperCase(),
      '',
      ' ',
      '../../etc/passwd',
      '%00',
      'null',
      'undefined',
      "' or '1'='1",
      'a'.repeat(5_000),
    ];
    for (const bad of forged) expect(codeOf(await server.as(null).get('/profile', { authorization: `Bearer ${bad}` }))).toBe('not_authorized');
    for (const authorization of [String(token), `Basic ${token}`, `Token ${token}`, `Bearer  ${token}`])
      expect((await server.as(null).get('/profile', { authorization })).statusCode).toBe(401);
    expect((await server.as(null).get(`/profile?access_token=${token}`)).statusCode).toBe(401);
    expect((await server.as(null).get('/profile', { cookie: `token=${token}` })).statusCode).toBe(401);
    expect((await person.get('/profile')).statusCode).toBe(200);
  });

  it('are kept as hashes only', async () => {
    const { token, refresh: refreshToken } = await server.signIn('boss');
    const stored = JSON.stringify(await server.services.db.select().from(sessions));
    expect(stored).not.toContain(token);
    expect(stored).not.toContain(refreshToken);
  });
});

describe('sessions', () => {
  it('lists them, ends one, ends all', async () => {
    const one = await server.signIn('guest');
    const two = await server.signIn('guest');
    const list = (await one.get('/sessions')).json() as { data: { id: string; is_current: boolean }[] };
    expect(list.data.filter(({ is_current }) => is_current)).toHaveLength(1);
    const boss = await server.signIn('boss');
    const other = list.data.find(({ is_current }) => !is_current);
    expect((await boss.delete(`/sessions/${other?.id}`)).statusCode).toBe(404);
    const twos = (await two.get('/sessions')).json() as typeof list;
    expect((await one.delete(`/sessions/${twos.data.find(({ is_current }) => is_current)?.id}`)).json()).toEqual({ data: null });
    expect((await two.get('/profile')).statusCode).toBe(401);
    const three = await server.signIn('guest');
    expect((await three.post('/logout')).statusCode).toBe(200);
    expect((await three.get('/profile')).statusCode).toBe(401);
    expect((await refresh(three.refresh)).statusCode).toBe(401);
    const four = await server.signIn('guest');
    expect((await one.post('/logout/all')).statusCode).toBe(200);
    expect((await one.get('/profile')).statusCode).toBe(401);
    expect((await four.get('/profile')).statusCode).toBe(401);
  });

  it('die with their user (S17)', async () => {
    const person = await server.signIn('guest');
    const { data } = (await person.get('/profile')).json() as { data: Profile };
    const [removed] = await server.services.db.delete(users).where(eq(users.id, data.id)).returning();
    expect((await person.get('/profile')).statusCode).toBe(401);
    expect((await refresh(person.refresh)).statusCode).toBe(401);
    if (removed) await server.services.db.insert(users).values(removed);
  });
});

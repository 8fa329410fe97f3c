import { afterEach, describe, expect, it, vi } from 'vitest';
import { calls } from '#models/api.ts';
import { constants } from '#models/constants.ts';
import type { Problem } from '#models/problem.ts';
import { openHttp } from '#src/adapters/http.ts';
import type { LastAnswers } from '#src/adapters/last-answers.ts';
import { sessionCalls } from '#src/adapters/session-calls.ts';
import { type Exclusively, openSessionPorts } from '#src/adapters/session-ports.ts';
import { openTokenStore } from '#src/adapters/token-store.ts';
import { anna, harbour, riverside } from '#tests/support/people.ts';
import { memoryStore, memoryStorage, noAnswers } from './support/stores.ts';
import { fakeServer, pause, refused, unauthenticated } from './support/fake-server.ts';

afterEach(() => vi.unstubAllGlobals());
const grant = (name: string) => ({ token: `access-${name}`, refresh: `refresh-${name}` });

/** A lock shared by the tabs of one browser. */
function lock(): Exclusively {
  let last: Promise<unknown> = Promise.resolve();
  return (_name, work) => {
    const mine = last.then(work, work);
    last = mine.catch(() => {});
    return mine;
  };
}
/** One tab: `local` is shared with other tabs of the browser. */
function openTab({
  local = memoryStorage(),
  tab = memoryStorage(),
  exclusively = lock(),
  ready = async () => {},
  answers = noAnswers,
}: { local?: Storage; tab?: Storage; exclusively?: Exclusively; ready?: () => Promise<void>; answers?: LastAnswers } = {}) {
  const tokens = openTokenStore(memoryStore(local), memoryStore(tab), { postMessage: () => {}, onmessage: null });
  const http = openHttp({
    base: 'http://doorward.test/api/v0',
    fetch: (input, init) => fetch(input, init),
    tokens,
    session: { tokenRejected: async () => 'over', profileVersion: () => {}, recalled: () => {} },
    online: () => true,
    isWriteHeld: () => false,
    takeSecrets: (body) => body,
    answers,
  });
  return { tokens, http, ports: openSessionPorts({ http, tokens, ready, answers, exclusively }) };
}
const problemOf = async (asked: Promise<unknown>): Promise<Problem> => {
  try {
    await asked;
  } catch (error) {
    return error as Problem;
  }
  throw new Error('it went well');
};

describe('several projects', () => {
  const sessions = [
    { ...grant('1'), project: riverside },
    { ...grant('9'), project: harbour },
  ];

  it('are still to choose among after a reload, and forgotten once one is chosen', async () => {
    const [local, tab] = [memoryStorage(), memoryStorage()];
    fakeServer({ 'POST /login': () => ({ body: { data: { sessions } } }), 'GET /profile': () => ({ body: { data: anna } }) });
    await openTab({ local, tab }).ports.signIn({ login: 'anna', password: 'x', rememberUser: true });
    const after = openTab({ local, tab });
    expect(await after.ports.restoreSession()).toEqual({ projects: [riverside, harbour], rememberUser: true });
    expect(await after.ports.adoptProject({ projectId: harbour.id, rememberUser: true })).toEqual(anna);
    expect(after.tokens.read()).toEqual(grant('9'));
    expect(await openTab({ local, tab }).ports.restoreSession()).toEqual(anna);
    expect(JSON.stringify([...Array(tab.length).keys()].map((at) => tab.getItem(tab.key(at) ?? '')))).not.toContain('access-1');
  });

  it('are changed between by the server’s word: its tokens stand where the former ones stood', async () => {
    const server = fakeServer({ 'POST /sessions/projects': () => ({ body: { data: grant('9') } }) });
    const { ports, tokens } = openTab();
    tokens.store(grant('1'), true);
    await ports.switchProject({ projectId: harbour.id });
    expect(server.asked('POST', '/sessions/projects')[0]?.body).toEqual({ project_id: harbour.id });
    expect([tokens.read(), tokens.isShared()]).toEqual([grant('9'), true]);
  });
});

describe('the calls that login needs', () => {
  it.each(Object.entries(sessionCalls))('%s is as the contract has it', (name, call) => {
    const contract = calls[name as keyof typeof sessionCalls];
    expect(call).toEqual({
      method: contract.method,
      path: contract.path,
      ...('timeout' in contract && contract.timeout !== undefined && { timeout: contract.timeout }),
    });
  });
  it('login waits three seconds', () => expect(sessionCalls.signIn.timeout).toBe(constants.loginTimeout));
});

describe('signing in', () => {
  const sessions = [
    { ...grant('riverside'), project: riverside },
    { ...grant('harbour'), project: harbour },
  ];

  it('answers the projects without a token among them, and keeps the chosen one', async () => {
    fakeServer({ 'POST /login': () => ({ body: { data: { sessions } } }), 'GET /profile': () => ({ body: { data: anna } }) });
    const { ports, tokens } = openTab();
    const answer = await ports.signIn({ login: 'anna', password: 'secret', rememberUser: true });
    expect(JSON.stringify(answer)).not.toMatch(/access|refresh/);
    expect(tokens.read()).toBeNull();
    await expect(ports.adoptProject({ projectId: harbour.id, rememberUser: true })).resolves.toEqual(anna);
    expect(tokens.read()).toEqual(grant('harbour'));
  });

  it('a project that was not offered cannot be adopted (S18)', async () => {
    fakeServer({ 'POST /login': () => ({ body: { data: { sessions: [sessions[0]] } } }) });
    const { ports, tokens } = openTab();
    await ports.signIn({ login: 'anna', password: 'secret', rememberUser: true });
    expect((await problemOf(ports.adoptProject({ projectId: harbour.id, rememberUser: true }))).code).toBe('not_found');
    expect(tokens.read()).toBeNull();
  });

  it('nobody counts as signed in before the code of the console is there', async () => {
    fakeServer({ 'POST /login': () => ({ body: { data: { sessions } } }), 'GET /profile': () => ({ body: { data: anna } }) });
    const missing: Problem = { code: 'chunk_failed' };
    const { ports } = openTab({ ready: () => Promise.reject(missing) });
    await ports.signIn({ login: 'anna', password: 'secret', rememberUser: false });
    expect(await problemOf(ports.adoptProject({ projectId: riverside.id, rememberUser: false }))).toEqual(missing);
  });

  it('signing out forgets the tokens first, then tells the server with them', async () => {
    const server = fakeServer({ 'POST /logout/all': () => ({ status: 204 }) });
    const { ports, tokens } = openTab();
    tokens.store(grant('one'), true);
    const ended = ports.endSession({ everywhere: true });
    expect(tokens.read()).toBeNull();
    await ended;
    expect(server.seen[0]?.headers.get('authorization')).toBe('Bearer access-one');
  });
});

describe('refreshing', () => {
  it('of two tabs of one session asks the server once, 50 times over (S6)', async () => {
    for (let round = 0; round < 50; round++) {
      let count = 0;
      fakeServer({
        'POST /refresh': async ({ body }) => {
          if ((body as { token: string }).token !== 'refresh-1') return refused(401, 'invalid_token', 'invalid token');
          count++;
          await pause(1);
          return { body: { data: { token: 'access-2', refresh: 'refresh-2' } } };
        },
      });
      const [local, exclusively] = [memoryStorage(), lock()];
      const [one, two] = [openTab({ local, exclusively }), openTab({ local, exclusively })];
      one.tokens.store(grant('1'), true);
      await Promise.all([one.ports.refreshTokens(), two.ports.refreshTokens()]);
      expect([count, one.tokens.read()?.token, two.tokens.read()?.token]).toEqual([1, 'access-2', 'access-2']);
      vi.unstubAllGlobals();
    }
  });

  it("adopts another tab's pair that arrives after the refusal", async () => {
    const { ports, tokens } = openTab();
    tokens.store(grant('1'), false);
    fakeServer({
      'POST /refresh': () => {
        setTimeout(() => tokens.replace(grant('2')), 150);
        return refused(401, 'invalid_token', 'invalid token');
      },
    });
    await ports.refreshTokens();
    expect(tokens.read()).toEqual(grant('2'));
  });

  it('refused for good is told as it is', async () => {
    fakeServer({ 'POST /refresh': () => refused(401, 'invalid_token', 'invalid token') });
    const { ports, tokens } = openTab();
    tokens.store(grant('1'), true);
    expect((await problemOf(ports.refreshTokens())).code).toBe('invalid_token');
  });

  it.each([
    ['the server is down', () => ({ status: 500, body: {} }), 'internal'],
    ['the network is gone', () => new TypeError('failed'), 'offline'],
  ])('keeps the tokens when %s', async (_name, answer, code) => {
    fakeServer({ 'POST /refresh': answer });
    const { ports, tokens } = openTab();
    tokens.store(grant('1'), true);
    expect((await problemOf(ports.refreshTokens())).code).toBe(code);
    expect(tokens.read()).toEqual(grant('1'));
  });
});

describe('the key of an exchange', () => {
  it('is the same one until a pair has come, over a reload too, and another one for the next pair', async () => {
    const [local, tab] = [memoryStorage(), memoryStorage()];
    const answers = [() => new TypeError('failed'), () => new TypeError('failed'), () => ({ body: { data: grant('2') } })];
    const server = fakeServer({ 'POST /refresh': () => answers.shift()?.() ?? { body: { data: grant('3') } } });
    const { ports, tokens } = openTab({ local, tab });
    tokens.store(grant('1'), true);
    await problemOf(ports.refreshTokens());
    await problemOf(ports.refreshTokens());
    const after = openTab({ local, tab });
    await after.ports.refreshTokens();
    await after.ports.refreshTokens();
    expect(after.tokens.read()).toEqual(grant('3'));
    const [first, second, third, next] = server.seen.map(({ headers }) => headers.get('idempotency-key'));
    expect(first).toMatch(/^[\da-f-]{36}$/);
    expect([second, third]).toEqual([first, first]);
    expect(next).toMatch(/^[\da-f-]{36}$/);
    expect(next).not.toBe(first);
  });
});

describe('restoring what was remembered', () => {
  it('is nobody where nothing is kept, and asks nothing', async () => {
    const server = fakeServer({});
    await expect(openTab().ports.restoreSession()).resolves.toBeNull();
    expect(server.seen).toEqual([]);
  });

  it('refreshes a spent token on the way', async () => {
    const server = fakeServer({
      'GET /profile': ({ headers }) => (headers.get('authorization') === 'Bearer access-2' ? { body: { data: anna } } : unauthenticated),
      'POST /refresh': () => ({ body: { data: grant('2') } }),
    });
    const { ports, tokens } = openTab();
    tokens.store(grant('1'), true);
    await expect(ports.restoreSession()).resolves.toEqual(anna);
    expect([server.asked('POST', '/refresh').length, tokens.read()]).toEqual([1, grant('2')]);
  });

  it('forgets tokens that the server refuses', async () => {
    fakeServer({ 'GET /profile': () => unauthenticated, 'POST /refresh': () => refused(401, 'invalid_token', 'invalid token') });
    const { ports, tokens } = openTab();
    tokens.store(grant('1'), true);
    expect((await problemOf(ports.restoreSession())).code).toBe('invalid_token');
    expect(tokens.read()).toBeNull();
  });

  it('keeps them when the server is only away', async () => {
    fakeServer({
      'GET /profile': () => ({ status: 503, body: { message: 'service is unavailable, try again later', error: { code: 'unavailable' } } }),
    });
    const { ports, tokens } = openTab();
    tokens.store(grant('1'), true);
    expect((await problemOf(ports.restoreSession())).code).toBe('unavailable');
    expect(tokens.read()).toEqual(grant('1'));
  });
});

import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Problem } from '#models/problem.ts';
import { openHttp, type Request, type SessionDoor } from '#src/adapters/http.ts';
import type { LastAnswers } from '#src/adapters/last-answers.ts';
import { openWriteHold } from '#src/adapters/write-hold.ts';
import { noAnswers } from './support/stores.ts';
import { fakeServer, pause, refused, unauthenticated } from './support/fake-server.ts';

const base = 'http://doorward.test/api/v0';
afterEach(() => vi.unstubAllGlobals());

function open(door: Partial<SessionDoor> = {}, online = true, answers: Pick<LastAnswers, 'save' | 'read'> = noAnswers) {
  const tokens = { now: { token: 'old', refresh: 'r' } as { token: string; refresh: string } | null };
  const session: SessionDoor = {
    tokenRejected: vi.fn<SessionDoor['tokenRejected']>(async () => 'over'),
    profileVersion: vi.fn<SessionDoor['profileVersion']>(),
    recalled: vi.fn<SessionDoor['recalled']>(),
    ...door,
  };
  const writes = openWriteHold();
  return {
    http: openHttp({
      base,
      fetch: (input, init) => fetch(input, init),
      tokens: { read: () => tokens.now },
      session,
      online: () => online,
      isWriteHeld: writes.isHeld,
      takeSecrets: (body) => body,
      answers,
    }),
    writes,
    tokens,
    session,
  };
}
const problemOf = async (asked: Promise<unknown>): Promise<Problem> => {
  const outcome = await asked.then(
    () => null,
    (problem: Problem) => problem,
  );
  if (!outcome) throw new Error('it went well');
  return outcome;
};
const get: Request = { method: 'GET', path: '/users' };
const put: Request = { method: 'PUT', path: '/users', body: { name: 'Ada' } };

describe('a request', () => {
  it('carries the token, the version it is based on, the idempotency key and the query', async () => {
    const server = fakeServer({ 'PATCH /users/7': () => ({ body: { data: null } }) });
    await open().http.send({ method: 'PATCH', path: '/users/7', body: { name: 'Ada' }, version: 4, key: 'k-1', query: { with: 'markers' } });
    const [seen] = server.seen;
    expect([seen?.headers.get('authorization'), seen?.headers.get('if-match'), seen?.headers.get('idempotency-key')]).toEqual([
      'Bearer old',
      '"4"',
      'k-1',
    ]);
    expect([seen?.query, seen?.body]).toEqual([{ with: 'markers' }, { name: 'Ada' }]);
  });

  it('sends no token where none is needed', async () => {
    const server = fakeServer({ 'POST /login': () => ({ body: { data: { sessions: [] } } }) });
    await open().http.data({ method: 'POST', path: '/login', body: {}, anonymous: true });
    expect(server.seen[0]?.headers.get('authorization')).toBeNull();
  });

  it('tells the session which version of the profile the answer spoke of', async () => {
    fakeServer({ 'GET /users': () => ({ body: { data: [] }, headers: { 'Doorward-Profile': '17' } }) });
    const { http, session } = open();
    await http.data(get);
    expect(session.profileVersion).toHaveBeenCalledWith('17');
  });
});

describe('while writes are held', () => {
  it('writes are refused before they are sent; reads, and what belongs to the session, go on', async () => {
    const answers = { 'GET /users': () => ({ body: { data: [] } }), 'POST /access/matrix': () => ({ body: { data: {} } }) };
    const server = fakeServer({ ...answers, 'POST /logout': () => ({ body: { data: null } }) });
    const { http, writes } = open();
    const release = writes.hold();
    expect(await problemOf(http.send(put))).toEqual({ code: 'previewing' });
    expect(await problemOf(http.send({ method: 'DELETE', path: '/users/7' }))).toEqual({ code: 'previewing' });
    await http.send(get);
    await http.send({ method: 'POST', path: '/access/matrix', body: {}, purpose: 'read' });
    await http.send({ method: 'POST', path: '/logout', token: 'old' });
    expect(server.seen).toHaveLength(3);
    release();
    expect((await problemOf(http.send(put))).code).not.toBe('previewing');
    expect(server.seen).toHaveLength(4);
  });
});

describe('a failure becomes a problem', () => {
  it.each([
    [
      'by its code',
      refused(409, 'in_use', 'item is in use', [{ area: 'users' }]),
      { code: 'in_use', status: 409, message: 'item is in use', data: [{ area: 'users' }] },
    ],
    [
      'by its status where the code is unknown',
      { status: 404, body: { message: 'gone fishing' } },
      { code: 'not_found', status: 404, message: 'gone fishing' },
    ],
    [
      'by its error message',
      { status: 403, body: { error: { message: "can't perform action" } } },
      { code: 'forbidden', status: 403, message: "can't perform action" },
    ],
    [
      'with the seconds to wait',
      { ...refused(423, 'locked_out', 'too many failed attempts, sign-in is locked'), headers: { 'Retry-After': '120' } },
      { code: 'locked_out', status: 423, message: 'too many failed attempts, sign-in is locked', data: { seconds: 120 } },
    ],
    ['when it is a crash', { status: 502, body: '<html>' }, { code: 'internal', status: 502 }],
    ['when nothing else fits', { status: 418 }, { code: 'bad_answer', status: 418 }],
  ])('%s', async (_name, answer, expected) => {
    fakeServer({ 'GET /users': () => answer });
    expect(await problemOf(open().http.data(get))).toEqual(expected);
  });

  it('an answer that is no JSON is a bad answer', async () => {
    fakeServer({ 'GET /users': () => new Response('<html>', { status: 200 }) });
    expect(await problemOf(open().http.data(get))).toEqual({ code: 'bad_answer', status: 200 });
  });

  it.each([
    ['reading, the network gone', get, true, 'offline'],
    ['writing, the network gone from the start', put, false, 'offline'],
    ['writing, the connection lost', put, true, 'unknown_outcome'],
  ] as const)('%s', async (_name, request, online, code) => {
    fakeServer({ 'GET /users': () => new TypeError('failed'), 'PUT /users': () => new TypeError('failed') });
    expect(await problemOf(open({}, online).http.data(request))).toEqual({ code });
  });

  it.each([
    ['reading may simply be repeated', get, 'timeout'],
    ['writing may have been done', put, 'unknown_outcome'],
    ['signing in writes nothing that matters', { ...put, purpose: 'read' as const }, 'timeout'],
  ] as const)('too slow: %s', async (_name, request, code) => {
    const slow = async () => {
      await pause(200);
      return { body: {} };
    };
    fakeServer({ 'GET /users': slow, 'PUT /users': slow });
    expect(await problemOf(open().http.data({ ...request, timeout: 30 }))).toEqual({ code });
  });

  it('a wrong password asks no session', async () => {
    fakeServer({ 'POST /login': () => refused(401, 'incorrect_login', 'incorrect login/password') });
    const { http, session } = open();
    expect((await problemOf(http.data({ method: 'POST', path: '/login', body: {}, anonymous: true }))).code).toBe('incorrect_login');
    expect(session.tokenRejected).not.toHaveBeenCalled();
  });
});

describe('a spent access token', () => {
  it.each([
    ['named by its code', refused(401, 'not_authorized', 'no')],
    ['named by its message', { status: 401, body: { message: 'Unauthenticated.' } }],
  ])('%s: the request waits for the session and is asked once more', async (_name, refusedAnswer) => {
    const server = fakeServer({
      'GET /users': ({ headers }) => (headers.get('authorization') === 'Bearer new' ? { body: { data: 'rows' } } : refusedAnswer),
    });
    const { http, tokens } = open({
      tokenRejected: async () => {
        await pause(10);
        tokens.now = { token: 'new', refresh: 'r2' };
        return 'renewed';
      },
    });
    await expect(http.data(get)).resolves.toBe('rows');
    expect(server.seen).toHaveLength(2);
  });

  it('is asked once more only: a second refusal is told', async () => {
    const server = fakeServer({ 'GET /users': () => unauthenticated });
    const { http } = open({ tokenRejected: async () => 'renewed' });
    expect((await problemOf(http.data(get))).code).toBe('not_authorized');
    expect(server.seen).toHaveLength(2);
  });

  it('when the session is over the refusal is told at once', async () => {
    const server = fakeServer({ 'GET /users': () => unauthenticated });
    expect((await problemOf(open().http.data(get))).code).toBe('not_authorized');
    expect(server.seen).toHaveLength(1);
  });

  it('that was renewed meanwhile is not told again', async () => {
    const server = fakeServer({
      'GET /users': ({ headers }) => {
        if (headers.get('authorization') === 'Bearer new') return { body: { data: 'rows' } };
        tokens.now = { token: 'new', refresh: 'r2' };
        return unauthenticated;
      },
    });
    const { http, tokens, session } = open();
    await expect(http.data(get)).resolves.toBe('rows');
    expect(session.tokenRejected).not.toHaveBeenCalled();
    expect(server.seen).toHaveLength(2);
  });
});

describe('what was answered last', () => {
  const mine: Request = { method: 'GET', path: '/amenity-reservations', query: { size: '5' } };
  const stored = { body: { data: ['seen'], meta: { total: 1 } }, seenAt: '2026-03-09T08:00:00.000Z' };
  const remembering = (last: typeof stored | null = stored) => ({
    save: vi.fn<LastAnswers['save']>(),
    read: vi.fn<LastAnswers['read']>(async () => last),
  });

  it('is kept by its address, of everyday things alone', async () => {
    fakeServer({ 'GET /amenity-reservations': () => ({ body: { data: [] } }), 'GET /users': () => ({ body: { data: [] } }) });
    const answers = remembering();
    const { http } = open({}, true, answers);
    await http.data(mine);
    await http.data(get);
    expect(answers.save.mock.calls).toEqual([['/amenity-reservations?size=5', { data: [] }]]);
  });

  it.each([
    ['nobody answers', new TypeError('Failed to fetch')],
    ['a proxy says that nobody answers', { status: 502, body: {} }],
  ])('is answered, with its time, while %s', async (_name, failure) => {
    fakeServer({ 'GET /amenity-reservations': () => failure });
    const { http, session } = open({}, true, remembering());
    await expect(http.whole(mine)).resolves.toEqual({ data: ['seen'], meta: { total: 1 }, seenAt: stored.seenAt });
    expect(session.recalled).toHaveBeenCalledExactlyOnceWith(stored.seenAt);
  });

  it.each([
    ['a refusal', refused(403, 'forbidden', 'no'), 'forbidden', stored],
    ['a fault of the server', refused(500, 'internal', 'oops'), 'internal', stored],
    ['a server away, where nothing is kept,', new TypeError('Failed to fetch'), 'offline', null],
  ])('%s is told as ever', async (_name, failure, code, last) => {
    fakeServer({ 'GET /amenity-reservations': () => failure });
    const { http, session } = open({}, true, remembering(last));
    expect((await problemOf(http.whole(mine))).code).toBe(code);
    expect(session.recalled).not.toHaveBeenCalled();
  });

  it('is not answered to what opens doors, administers or writes', async () => {
    fakeServer({});
    const answers = remembering();
    const { http } = open({}, true, answers);
    const others: Request[] = [
      get,
      { ...mine, method: 'POST' },
      { method: 'GET', path: '/identifiers/guests' },
      { method: 'GET', path: '/mails' },
      { method: 'GET', path: '/emergency-alerts/mine' },
    ];
    for (const other of others) await problemOf(http.whole(other));
    expect(answers.read).not.toHaveBeenCalled();
  });
});

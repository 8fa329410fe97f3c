import { describe, expect, it, vi } from 'vitest';
import { type EarlyAnswer, withEarly } from '#src/adapters/early.ts';
import { boot, type BootPage } from '#src/app/boot.ts';
import { memoryStorage } from './support/stores.ts';

const facts = { lists: { '/users': 'users', '/devices/events': 'device-events' }, usual: { page: '1', size: '25', sort: '' } };

/** A page at an address, and what was asked for from it. */
function pageAt(address: string, session?: unknown) {
  const [pathname = '', search = ''] = address.split('?');
  const ask = vi.fn<BootPage['fetch']>(async (path) => new Response(path));
  const localStorage = memoryStorage();
  if (session !== undefined) localStorage.setItem('doorward.session', JSON.stringify(session));
  const page: BootPage = {
    location: { pathname, search: search && `?${search}` },
    localStorage,
    sessionStorage: memoryStorage(),
    fetch: ask,
    now: () => 0,
  };
  return { page, ask, asked: () => ask.mock.calls.map(([path]) => path) };
}
const session = { token: 'a', refresh: 'b' };

describe('the boot script', () => {
  it.each([
    ['/users', ['/api/v0/profile', '/api/v0/users']],
    ['/devices/events', ['/api/v0/profile', '/api/v0/device-events']],
    ['/users?pageId=x&size=50&page=2&sort=-name,email', ['/api/v0/profile', '/api/v0/users?page=2&size=50&sort=-name%2Cemail']],
    ['/users?page=1&size=25', ['/api/v0/profile', '/api/v0/users']],
    // What only the area's model can turn into a request waits for it.
    ['/users?search=anna', ['/api/v0/profile']],
    ['/users/new', ['/api/v0/profile']],
  ])('asks early at %s', (address, expected) => {
    const { page, asked } = pageAt(address, session);
    boot(facts, page);
    expect(asked()).toEqual(expected);
  });

  it('asks nothing where nobody is signed in, or storage is barred or broken', () => {
    const strangers = [pageAt('/users'), pageAt('/users', { token: 7 }), pageAt('/users', 'x')];
    const barred = pageAt('/users', session);
    Object.defineProperty(barred.page, 'localStorage', {
      get: () => {
        throw new Error('barred');
      },
    });
    for (const { page, asked } of [...strangers, barred]) {
      expect(boot(facts, page)).toBeUndefined();
      expect(asked()).toEqual([]);
    }
  });

  it('reads the answers as they come', async () => {
    const { page } = pageAt('/users', session);
    expect(await boot(facts, page)?.answers['/api/v0/users']).toMatchObject({ status: 200, text: '/api/v0/users' });
  });

  it('takes the session of this tab before the one of all tabs, as the console does', () => {
    const { page, ask } = pageAt('/home', session);
    page.sessionStorage.setItem('doorward.session', JSON.stringify({ token: 'tab', refresh: 'b' }));
    boot(facts, page);
    expect(ask.mock.calls[0]?.[1].headers).toEqual({ Authorization: 'Bearer tab' });
  });

  it('stands by itself: the build takes its text', () => {
    const { page, asked } = pageAt('/users', session);
    // oxlint-disable-next-line no-implied-eval, no-new-func -- it is what the built page runs
    const alone = new Function('facts', 'page', `return (${boot.toString()})(facts, page)`) as typeof boot;
    alone(facts, page);
    expect(asked()).toEqual(['/api/v0/profile', '/api/v0/users']);
  });
});

describe('an answer asked for early', () => {
  const request = (token = 'a', init: RequestInit = {}): Request =>
    new Request('http://doorward.test/api/v0/users', { ...init, headers: { Authorization: `Bearer ${token}` } });
  /** Requests after an early one that ends so. */
  function after(answer: () => Promise<EarlyAnswer>, now = 0) {
    const ask = vi.fn<typeof fetch>(async () => new Response('late'));
    const early = { token: 'a', askedAt: 0, answers: { '/api/v0/users': answer() } };
    const send = withEarly(early, ask, () => now);
    return { ask, send, textOf: async (wanted: Request) => (await send(wanted)).text() };
  }
  const inTime = async (): Promise<EarlyAnswer> => ({ status: 200, headers: [], text: 'early' });

  it('is taken once', async () => {
    const { textOf, ask } = after(inTime);
    expect([await textOf(request()), await textOf(request())]).toEqual(['early', 'late']);
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it('is not taken by another session, by a request that writes, or when it is old', async () => {
    expect(await after(inTime).textOf(request('renewed'))).toBe('late');
    expect(await after(inTime).textOf(request('a', { method: 'POST' }))).toBe('late');
    expect(await after(inTime, 10_001).textOf(request())).toBe('late');
  });

  it('is answered as it was, whatever it said', async () => {
    const headers: [string, string][] = [['doorward-profile', '"7"']];
    const refused = await after(async () => ({ status: 403, headers, text: '{"message":"no"}' })).send(request());
    expect([refused.status, refused.headers.get('Doorward-Profile'), await refused.json()]).toEqual([403, '"7"', { message: 'no' }]);
    const empty = await after(async () => ({ status: 204, headers: [], text: '' })).send(request());
    expect([empty.status, await empty.text()]).toEqual([204, '']);
  });

  it('is read at once, without waiting for another task of the browser', async () => {
    const answer = await after(async () => ({ status: 200, headers: [], text: '{"data":[]}' })).send(request());
    const happened: string[] = [];
    setTimeout(() => happened.push('task'));
    await answer.json().then(() => happened.push('read'));
    await new Promise((done) => setTimeout(done));
    expect(happened).toEqual(['read', 'task']);
  });

  it('that could not be had is asked for again', async () => {
    expect(await after(() => Promise.reject(new TypeError('Failed to fetch'))).textOf(request())).toBe('late');
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SocketReport } from '#machines/realtime/realtime.machine.ts';
import { frameOf } from '#models/realtime.ts';
import { isDeadToken, openSocket, type SocketDeps } from '#src/adapters/socket.ts';
import { wakeupsOf } from '#src/adapters/wakeups.ts';

/** A WebSocket in the hands of the test. */
class FakeSocket extends EventTarget {
  static readonly OPEN = 1;
  static last: FakeSocket;
  readonly url: string;
  readyState = 0;
  sent: string[] = [];
  closedWith: number | undefined;
  constructor(url: string) {
    super();
    this.url = url;
    FakeSocket.last = this;
  }
  send(frame: string): void {
    this.sent.push(frame);
  }
  close(code = 1000): void {
    this.closedWith = code;
    this.end(code);
  }
  open(): void {
    this.readyState = 1;
    this.dispatchEvent(new Event('open'));
  }
  hear(data: unknown): void {
    this.dispatchEvent(new MessageEvent('message', { data }));
  }
  end(code: number): void {
    this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event('close'), { code }));
  }
}

let token: string | null = 'first';
let dead = false;
let pictures: (() => void)[] = [];
let facts: SocketReport[] = [];
const draw = (): void => {
  for (const work of pictures.splice(0)) work();
};
const settled = () => new Promise((resolve) => setTimeout(resolve, 0));
const deps: SocketDeps = {
  address: 'ws://here/api/v0/ws',
  tokens: { read: () => (token === null ? null : { token, refresh: 'r' }) },
  isDead: () => Promise.resolve(dead),
  now: () => 0,
  chance: () => 0.25,
  withNextPicture: (work) => void pictures.push(work),
};
const open = () => openSocket(deps, (fact) => facts.push(fact));
const event = (id: number) => frameOf('private-user.1', 'CallUpdated', { id });

beforeEach(() => {
  [token, dead, pictures, facts] = ['first', false, [], []];
  vi.stubGlobal('WebSocket', FakeSocket);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('a connection', () => {
  it('goes to the channel with the token as it stands (RT-01, RT-02)', () => {
    token = 'a+b/c=';
    open();
    expect(FakeSocket.last.url).toBe('ws://here/api/v0/ws?access_token=a%2Bb%2Fc%3D');
  });

  it('reports what was heard once a picture, in order, and no more than a picture bears', () => {
    open();
    FakeSocket.last.open();
    for (let id = 0; id < 600; id++) FakeSocket.last.hear(event(id));
    expect([facts.length, pictures.length]).toEqual([1, 1]);
    const sizes: number[] = [];
    while (pictures.length > 0) {
      draw();
      const fact = facts.at(-1);
      if (fact?.type === 'socket.heard') sizes.push(fact.words.length);
    }
    expect(sizes).toEqual([250, 250, 100]);
    const ids = facts.flatMap((fact) => (fact.type === 'socket.heard' ? fact.words.map(({ payload }) => (payload as { id: number }).id) : []));
    expect(ids).toEqual(Array.from({ length: 600 }, (_, id) => id));
  });

  it('gives up, so that all is read anew, when a page is hopelessly behind', () => {
    open();
    FakeSocket.last.open();
    for (let id = 0; id <= 20_001; id++) FakeSocket.last.hear(event(id));
    expect(FakeSocket.last.closedWith).toBe(4000);
  });

  it('drops frames it cannot read, says so once, and stays (R9)', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    open();
    FakeSocket.last.open();
    for (const frame of ['', '{', new ArrayBuffer(4), 'null', '{"topic":"__proto__","data":"{}"}']) FakeSocket.last.hear(frame);
    FakeSocket.last.hear(event(1));
    draw();
    expect(facts.at(-1)).toMatchObject({ type: 'socket.heard', words: [{ name: 'CallUpdated' }] });
    expect([warn.mock.calls.length, FakeSocket.last.closedWith]).toEqual([1, undefined]);
  });

  it('says only what it is told while it is open', () => {
    const socket = open();
    socket.obey({ type: 'socket.say', frames: [{ command: 'subscribe', topic: 'areas.users' }] });
    expect(FakeSocket.last.sent).toEqual([]);
    FakeSocket.last.open();
    socket.obey({ type: 'socket.say', frames: [{ command: 'subscribe', topic: 'areas.users' }] });
    expect(FakeSocket.last.sent).toEqual(['{"command":"subscribe","topic":"areas.users"}']);
  });

  it('that is stopped is closed and silent', async () => {
    const socket = open();
    FakeSocket.last.open();
    FakeSocket.last.hear(event(1));
    facts = [];
    socket.stop();
    draw();
    await settled();
    expect([facts, FakeSocket.last.closedWith]).toEqual([[], 1000]);
  });
});

describe('the end of a connection', () => {
  it('is a refusal when the server says 4401, or would not take the token (R10, R11)', async () => {
    open();
    FakeSocket.last.open();
    FakeSocket.last.end(4401);
    await settled();
    expect(facts.at(-1)).toMatchObject({ type: 'socket.refused', spent: false, chance: 0.25 });
    dead = true;
    open();
    FakeSocket.last.end(1006);
    await settled();
    expect(facts.at(-1)).toMatchObject({ type: 'socket.refused', spent: false });
  });

  it('knows when the token was another’s by then', async () => {
    open();
    token = 'second';
    FakeSocket.last.end(4401);
    await settled();
    expect(facts.at(-1)).toMatchObject({ type: 'socket.refused', spent: true });
  });

  it('is nothing but an end otherwise', async () => {
    dead = true;
    open();
    FakeSocket.last.open();
    FakeSocket.last.end(1001);
    await settled();
    expect(facts.at(-1)).toEqual({ type: 'socket.closed', code: 1001, at: '1970-01-01T00:00:00.000Z', chance: 0.25 });
  });
});

describe('whether a token is dead', () => {
  it.each([
    [401, true],
    [426, false],
    [503, false],
  ])('is told by %d', async (status, expected) => {
    const fetched = vi.fn<typeof fetch>(() => Promise.resolve(new Response(null, { status })));
    vi.stubGlobal('fetch', fetched);
    expect(await isDeadToken('/api/v0/ws', 'secret')).toBe(expected);
    expect(fetched.mock.calls[0]).toMatchObject(['/api/v0/ws', { headers: { Authorization: 'Bearer secret' } }]);
  });

  it('is not known without an answer', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
    expect(await isDeadToken('/api/v0/ws', 'secret')).toBe(false);
  });
});

describe('waking up', () => {
  it('is noticed by the network, by looking at the page, and by a timer that comes too late (R4)', () => {
    vi.useFakeTimers();
    let time = 0;
    let nudges = 0;
    const following = wakeupsOf(window, () => time).subscribe(() => (nudges += 1));
    window.dispatchEvent(new Event('online'));
    window.dispatchEvent(new Event('focus'));
    document.dispatchEvent(new Event('visibilitychange'));
    expect(nudges).toBe(3);
    time = 5_000;
    vi.advanceTimersByTime(5_000);
    expect(nudges).toBe(3);
    time = 605_000;
    vi.advanceTimersByTime(5_000);
    expect(nudges).toBe(4);
    following.unsubscribe();
    window.dispatchEvent(new Event('online'));
    vi.advanceTimersByTime(60_000);
    expect(nudges).toBe(4);
    vi.useRealTimers();
  });
});

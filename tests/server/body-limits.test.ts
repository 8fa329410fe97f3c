import { connect, type AddressInfo, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { limitBodies } from '#server/http/limits.ts';
import { longestWait } from '#tests/support/in-time.ts';

let app: FastifyInstance;
let socket: Socket;
let answer: string;
/** Requests that wait at the hook, as for a database that is busy. */
let waiting: (() => void)[];
let isBusy: boolean;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  [answer, waiting, isBusy] = ['', [], false];
  app = Fastify({ bodyLimit: 1024 * 1024, requestTimeout: 0 }) as unknown as FastifyInstance;
  limitBodies(app);
  app.addHook('onRequest', async () => {
    await new Promise<void>((done) => {
      waiting.push(done);
      if (!isBusy) done();
    });
  });
  app.post('/', async ({ body }) => ({ length: (body as { text: string }).text.length }));
  await app.listen({ host: '127.0.0.1', port: 0 });
  socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {}).on('data', (data) => (answer += String(data)));
});
afterEach(async () => {
  socket.destroy();
  await app.close();
  vi.useRealTimers();
});

const comes = (check: () => void) => vi.waitFor(check, { timeout: longestWait });
const head = (length: number) => `POST / HTTP/1.1\r\nhost: door\r\ncontent-type: application/json\r\ncontent-length: ${String(length)}\r\n\r\n`;
const bodyOf = (length: number) => JSON.stringify({ text: 'x'.repeat(length) });
/** Sends the head and the first characters of a body, and waits until the server has begun with it. */
async function begin(body: string, sent: number): Promise<void> {
  socket.write(head(body.length) + body.slice(0, sent));
  await comes(() => expect(waiting).toHaveLength(1));
}
/** Lets what the server has set in motion come to the client. */
async function settle(): Promise<void> {
  for (let round = 0; round < 50; round += 1) await turn();
}

describe('a body', () => {
  it('has to be sent in ten seconds, however steadily it drips', async () => {
    const body = bodyOf(100);
    await begin(body, 10);
    for (let at = 10; at < 19; at += 1) {
      socket.write(body.slice(at, at + 1));
      await vi.advanceTimersByTimeAsync(1_000);
    }
    await settle();
    expect(socket.closed).toBe(false);
    await vi.advanceTimersByTimeAsync(1_000);
    await comes(() => expect(socket.closed).toBe(true));
    expect(answer).toBe('');
  });

  it('that has come whole waits for a busy server as long as it takes', async () => {
    isBusy = true;
    const body = bodyOf(100);
    await begin(body, body.length);
    await vi.advanceTimersByTimeAsync(60_000);
    await settle();
    waiting[0]?.();
    await comes(() => expect(answer).toContain('{"length":100}'));
  });

  it('larger than what is read ahead waits for a busy server too, and is cut off when the client stops after that', async () => {
    isBusy = true;
    const body = bodyOf(500_000);
    await begin(body, body.length - 1);
    await settle();
    await vi.advanceTimersByTimeAsync(60_000);
    await settle();
    expect(socket.closed).toBe(false);
    waiting[0]?.();
    await settle();
    await vi.advanceTimersByTimeAsync(10_000);
    await comes(() => expect(socket.closed).toBe(true));
    expect(answer).toBe('');
  });

  it('whose rest came while the process was busy is taken', async () => {
    const body = bodyOf(100);
    await begin(body, 10);
    await turn();
    socket.write(body.slice(10));
    vi.advanceTimersByTime(10_000);
    await comes(() => expect(answer).toContain('{"length":100}'));
  });

  it('that was injected waits for a busy server', async () => {
    isBusy = true;
    const injected = app.inject({ method: 'POST', url: '/', payload: { text: 'door' } });
    await comes(() => expect(waiting).toHaveLength(1));
    await vi.advanceTimersByTimeAsync(60_000);
    await settle();
    waiting[0]?.();
    expect((await injected).json()).toEqual({ length: 4 });
  });
});

import { writeFile } from 'node:fs/promises';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Transformer } from '@napi-rs/image';
import { asc, eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Profile } from '#models/profile.ts';
import { auditEvents, users } from '#server/db/schema/index.ts';
import { loadConfig } from '#server/config.ts';
import { openDatabase } from '#server/db/open.ts';
import { isFull } from '#tests/support/extent.ts';
import { inTime, longestWait } from '#tests/support/in-time.ts';
import { form } from './hostile-files.ts';
import { freePort, request, type ServerProcess, setProcesses, tokenAt } from './process.ts';

const { start, world } = setProcesses();

/** How often a server is killed while it writes; TESTS=full asks for as many as the row does. */
const rounds = isFull ? 30 : 2;

/** What a database folder holds after its process was killed: the boss's row and the trail of changes to it. */
async function lookInto(data: string) {
  const { db, close } = await openDatabase({ ...loadConfig({}), data });
  const [boss] = await db.select().from(users).where(eq(users.login, 'boss'));
  const trail = await db.select().from(auditEvents).where(eq(auditEvents.action, 'update')).orderBy(asc(auditEvents.createdAt));
  await close();
  return { address: boss?.address ?? '', version: boss?.version ?? 0, trail: trail.length };
}

const residentMegabytes = (pid: number | undefined): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

/** Pours an avatar without end into the server until it hangs up; answers what it said and how many MiB it was sent. */
const pour = (port: number, userId: string, token: string): Promise<{ answer: string; sent: number }> =>
  new Promise((done) => {
    const socket = connect(port, '127.0.0.1');
    const chunk = Buffer.alloc(65_536, 1);
    let answer = '';
    let sent = 0;
    const more = () => {
      while (socket.writable && sent < 500) {
        sent += chunk.length / 1_048_576;
        if (!socket.write(Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]))) break;
      }
    };
    socket.on('data', (text) => (answer += text.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => done({ answer, sent }));
    socket.on('drain', more);
    const head = `--line\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\n`;
    socket.write(
      `POST /api/v0/users/${userId}/avatar HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: multipart/form-data; boundary=line\r\nTransfer-Encoding: chunked\r\n\r\n${head.length.toString(16)}\r\n${head}\r\n`,
    );
    more();
  });

describe('a start that cannot be', () => {
  it.each([
    ['a wrong setting', { DOORWARD_PORT: 'eighty' }, /^The setting DOORWARD_PORT is not a number\.$/],
    [
      'a folder that cannot be',
      { DOORWARD_DATA: '/dev/null/data' },
      /^The data folder \/dev\/null\/data cannot be written: a part of its path is a file/,
    ],
    [
      'a database that is away',
      { DATABASE_URL: 'postgres://someone:hidden@127.0.0.1:1/x' },
      /^PostgreSQL at 127\.0\.0\.1:1 cannot be used: .*ECONNREFUSED/,
    ],
  ] as [string, Record<string, string>, RegExp][])('%s is one sentence and a failure', async (_name, env, sentence) => {
    const server = await start({ DOORWARD_DATA: world.empty(), ...env });
    expect((await server.exit).code).toBe(1);
    expect(server.said().trim()).toMatch(sentence);
    expect(server.said().trim().split('\n')).toHaveLength(1);
    expect(server.said()).not.toContain('hidden');
  });

  it('a busy port is one too, and nothing is made', async () => {
    const port = await freePort();
    const other = createServer().listen(port, '127.0.0.1');
    const data = world.empty();
    const server = await start({ DOORWARD_DATA: data }, port);
    expect((await server.exit).code).toBe(1);
    const [, free] =
      /^Port \d+ is in use by another program\. Stop it, or set DOORWARD_PORT to (\d+), which is free\.$/.exec(server.said().trim()) ?? [];
    expect(Number(free)).toBeGreaterThan(port);
    expect(existsSync(join(data, 'db'))).toBe(false);
    other.close();
  });
});

describe('a process that lives, and how it ends', { timeout: 4 * longestWait + rounds * 20_000 }, () => {
  /** One server for the tests that do it no harm. */
  let lasting: ServerProcess;
  let lastingData = '';
  beforeAll(async () => {
    lastingData = await world.copy();
    lasting = await start({ DOORWARD_DATA: lastingData });
    await lasting.ready;
  });

  it('keeps a second one off its folder (V3)', async () => {
    const second = await start({ DOORWARD_DATA: lastingData });
    expect((await second.exit).code).toBe(1);
    expect(second.said()).toContain(`The data folder is in use by process ${lasting.child.pid} (`);
  });

  it('takes over from a dead one, loses nothing it said it kept after kill -9 (V1)', async () => {
    const data = await world.copy();
    let written = 0;
    for (let round = 0; round < rounds; round++) {
      const server = await start({ DOORWARD_DATA: data });
      await server.ready;
      const token = await tokenAt(server.url, 'boss');
      const { json } = await request(server.url, 'GET', '/profile', token);
      const stored = Number((json as { data: Profile }).data.profile.address ?? 0);
      // The last one may have been kept without anybody having been told.
      expect([written, written + 1]).toContain(stored);
      written = stored;
      let killed: Promise<unknown> | undefined;
      for (let turn = 1; ; turn++) {
        const { status } = await request(server.url, 'PATCH', '/profile', token, { profile: { address: String(written + 1) } }).catch(() => ({
          status: 0,
        }));
        if (status !== 200) break;
        written += 1;
        // Killed at some moment of writing, however slow the machine.
        if (turn === 3) killed = pause(37 * (round % 7)).then(() => server.child.kill('SIGKILL'));
      }
      if (!killed) throw new Error(`three writes were not told of: ${server.said()}`);
      await killed;
      expect((await server.exit).signal).toBe('SIGKILL');
    }
    const { address, version, trail } = await lookInto(data);
    expect([written, written + 1]).toContain(Number(address));
    expect(version - 1).toBe(trail);
    expect(written).toBeGreaterThanOrEqual(3 * rounds);
    if (rounds > 2) console.log(`V1: ${rounds} kills, ${written} acknowledged writes, ${trail} in the trail, none lost`);
  });

  it('makes a database anew whose first making was cut short, never a finished one', async () => {
    const data = await world.copy();
    await writeFile(join(data, 'db', 'PG_VERSION'), '');
    await writeFile(join(data, 'db.unfinished'), '');
    const { db, close } = await openDatabase({ ...loadConfig({}), data });
    expect(await db.select().from(users)).toEqual([]);
    await close();
    expect(existsSync(join(data, 'db.unfinished'))).toBe(false);
    expect((await lookInto(await world.copy())).version).toBe(1);
  });

  it('ends in order while requests go on: what was answered is kept, nothing hangs (V11)', async () => {
    const data = await world.copy();
    const server = await start({ DOORWARD_DATA: data });
    await server.ready;
    const token = await tokenAt(server.url, 'boss');
    let acknowledged = 0;
    let stop = false;
    const refused = new Set<number>();
    const writer = async (name: string) => {
      for (let count = 0; !stop; count++) {
        const { status } = await request(server.url, 'PATCH', '/profile', token, { profile: { address: `${name}-${count}` } }).catch(() => ({
          status: 0,
        }));
        if (status === 200) acknowledged += 1;
        else {
          refused.add(status);
          // As clients do: who asks again at once, thousands of times a second, takes the processor from the server that is to end.
          await pause(50);
        }
      }
    };
    const writers = Array.from({ length: 8 }, (_, index) => writer(`w${index}`));
    await pause(1_000);
    const asked = performance.now();
    server.child.kill('SIGTERM');
    const { code } = await server.exit;
    expect(code, server.said().slice(-2_000)).toBe(0);
    expect(performance.now() - asked, server.said().slice(-2_000)).toBeLessThan(inTime(10_000));
    stop = true;
    await Promise.all(writers);
    expect(existsSync(join(data, 'db.lock'))).toBe(false);
    const { trail, version } = await lookInto(data);
    expect(trail).toBe(acknowledged);
    expect(version - 1).toBe(acknowledged);
    for (const status of refused) expect([0, 503]).toContain(status);
  });

  it('ends in order while six exports are under way: they say that they were interrupted, and leave nothing half-written', async () => {
    const data = await world.copy();
    const { db, close } = await openDatabase({ ...loadConfig({}), data });
    const [boss] = await db.select().from(users).where(eq(users.login, 'boss'));
    await db.execute(sql`insert into audit_events (project_id, area, action, entity_name, user_name)
      select ${boss?.projectId}, 'users', 'update', 'Somebody', 'The boss' from generate_series(1, 40000)`);
    await close();
    const server = await start({ DOORWARD_DATA: data });
    await server.ready;
    const token = await tokenAt(server.url, 'boss');
    const ids = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const { json, status } = await request(server.url, 'POST', '/audit-events/export', token, { export_format: 'xlsx' });
        expect(status).toBe(202);
        return (json as { data: { id: string } }).data.id;
      }),
    );
    const first = async () => ((await request(server.url, 'GET', `/jobs/${ids[0]}`, token)).json as { data: { done: number } }).data.done;
    while ((await first()) === 0) await pause(20);
    const asked = performance.now();
    server.child.kill('SIGTERM');
    expect((await server.exit).code).toBe(0);
    const took = performance.now() - asked;
    expect(took).toBeLessThan(inTime(6_000));
    if (rounds > 2) console.log(`V11: ended ${Math.round(took)} ms after SIGTERM with six exports under way`);
    const after = await start({ DOORWARD_DATA: data });
    await after.ready;
    for (const id of ids)
      expect((await request(after.url, 'GET', `/jobs/${id}`, await tokenAt(after.url, 'boss'))).json).toMatchObject({
        data: { state: 'failed', file_name: null, problem: { code: 'unavailable' } },
      });
    expect(existsSync(join(data, 'files')) ? readdirSync(join(data, 'files')) : []).toEqual([]);
    after.child.kill('SIGKILL');
    await after.exit;
  });

  it('ends at once at the second signal', async () => {
    const server = await start({ DOORWARD_DATA: await world.copy() });
    await server.ready;
    const socket = connect(server.port, '127.0.0.1').on('error', () => undefined);
    socket.write('POST /api/v0/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{');
    await pause(100);
    server.child.kill('SIGINT');
    await pause(900);
    expect(server.child.exitCode).toBeNull();
    server.child.kill('SIGINT');
    expect((await server.exit).code).toBe(1);
    socket.destroy();
  });

  it('cuts uploads that never end at their limit and draws large ones, without holding either (C10: 20 MB)', async () => {
    const server = await start({ DOORWARD_DATA: await world.copy() });
    await server.ready;
    const token = await tokenAt(server.url, 'boss');
    const { json } = await request(server.url, 'GET', '/profile', token);
    const { id } = (json as { data: Profile }).data;
    const photo = await Transformer.fromRgbaPixels(Buffer.alloc(4_000 * 3_000 * 4, 120), 4_000, 3_000).jpeg(90);
    // What is loaded with the first upload and the first picture stays, and is no upload.
    await pour(server.port, id, token);
    const address = `${server.url}/api/v0/users/${id}/avatar`;
    const send = ({ body, headers }: ReturnType<typeof form>) =>
      fetch(address, { method: 'POST', body: new Uint8Array(body), headers: { ...headers, authorization: `Bearer ${token}` } });
    const small = await Transformer.fromRgbaPixels(Buffer.alloc(100 * 100 * 4, 120), 100, 100).jpeg(90);
    expect((await send(form({ x: 0, y: 0, size: 100 }, small, 'photo.jpg', 'image/jpeg'))).status).toBe(200);
    const before = residentMegabytes(server.child.pid);
    for (const { answer, sent } of [await pour(server.port, id, token), await pour(server.port, id, token)]) {
      expect(answer).toMatch(/^HTTP\/1\.1 413 /);
      expect(answer).toContain('"too_large"');
      expect(sent).toBeLessThan(24);
    }
    expect(residentMegabytes(server.child.pid) - before).toBeLessThan(20);
    const large = form({ x: 0, y: 0, size: 3_000 }, photo, 'photo.jpg', 'image/jpeg');
    const answers = await Promise.all([send(large), send(large), send(large)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(residentMegabytes(server.child.pid) - before).toBeLessThan(40);
    expect((await request(server.url, 'GET', '/profile', token)).status).toBe(200);
  });

  it('cuts off clients that drip their headers or bodies, and serves others meanwhile (V8)', async () => {
    const server = lasting;
    const begun = performance.now();
    const gone: number[] = [];
    const drip = (head: string, next: string): Promise<void> =>
      new Promise((done) => {
        const socket: Socket = connect(server.port, '127.0.0.1');
        socket.on('error', () => undefined);
        socket.on('data', () => undefined);
        socket.write(head);
        const timer = setInterval(() => socket.write(next), 500);
        socket.on('close', () => {
          clearInterval(timer);
          gone.push(performance.now() - begun);
          done();
        });
      });
    const sockets = Array.from({ length: 400 }, (_, index) =>
      index % 2 === 0
        ? drip('GET /api/v0/profile HTTP/1.1\r\nHost: x\r\n', `X-${index}: 1\r\n`)
        : drip('POST /api/v0/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n', '{'),
    );
    await pause(300);
    const asked = performance.now();
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect(performance.now() - asked).toBeLessThan(inTime(1_500));
    await Promise.all(sockets);
    expect(gone).toHaveLength(400);
    expect(Math.max(...gone)).toBeLessThan(inTime(15_000));
  });
});

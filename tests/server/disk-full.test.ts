import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { count, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Profile } from '#models/profile.ts';
import { loadConfig } from '#server/config.ts';
import type { OpenDatabase } from '#server/db/database.ts';
import { openDatabase } from '#server/db/open.ts';
import { auditEvents, sessions } from '#server/db/schema/index.ts';
import { until } from './devices-support.ts';
import { request, type ServerProcess, setProcesses, tokenAt } from './process.ts';

const megabyte = 1_048_576;
const whole = 48;

/** A disk of the tests of one block, mounted while they run: they are skipped where this account may mount none. Answers its folder once there is one. */
function setDisk(megabytes: number): () => string | null {
  let disk: ReturnType<typeof makeDisk> = null;
  beforeAll(() => {
    disk = makeDisk(megabytes);
  });
  afterAll(() => disk?.remove());
  beforeEach(({ skip }) => skip(disk === null, 'nothing may be mounted'));
  return () => disk?.folder ?? null;
}

function makeDisk(megabytes: number): { folder: string; remove: () => void } | null {
  const folder = mkdtempSync(join(tmpdir(), 'doorward-disk-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' });
  if (status === 0) return { folder, remove: () => (execFileSync('umount', ['-l', folder]), rmdirSync(folder)) };
  rmdirSync(folder);
  return null;
}

/** Takes all that is free on a disk, to the last byte. */
function fillDisk(folder: string): void {
  const file = openSync(join(folder, 'ballast'), 'w');
  for (const size of [megabyte, 4_096, 1])
    for (let full = false; !full;) {
      try {
        full = writeSync(file, Buffer.alloc(size, 7)) < size;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        full = true;
      }
    }
  closeSync(file);
}
const clearDisk = (folder: string): void => rmSync(join(folder, 'ballast'));
const slicesIn = (data: string): number => {
  try {
    return readdirSync(join(data, 'reserve')).filter((name) => !name.endsWith('.part')).length;
  } catch {
    return 0;
  }
};
const segmentsIn = (data: string): number => readdirSync(join(data, 'db', 'pg_wal')).filter((name) => name.length === 24).length;

const { start } = setProcesses();

describe('a server whose disk is full (V2); skipped where nothing may be mounted', () => {
  const disk = setDisk(320);
  let [folder, data] = ['', ''];
  const begin = async () => {
    const server = await start({ DOORWARD_DATA: data, DOORWARD_DEMO: 'on', DOORWARD_DEMO_LIFE: 'off', DOORWARD_SIGN_IN_TRIES: '1000' });
    await server.ready;
    return server;
  };
  let running: ServerProcess;
  let token = '';
  const ask = (method: string, path: string, body?: unknown) => request(running.url, method, path, token, body);
  const write = () => ask('PATCH', '/profile', { profile: { address: `The ${performance.now()}` } });
  const markers = { made: 0 };
  const addMarker = () => ask('PUT', '/markers', { name: `Marker ${++markers.made}`, color: '#112233' });

  beforeAll(async () => {
    folder = disk() ?? '';
    if (!folder) return;
    data = join(folder, 'data');
    mkdirSync(data);
    running = await begin();
    token = await tokenAt(running.url, 'admin');
    await until(
      () => slicesIn(data),
      (slices) => slices === whole,
    );
  });

  it('refuses what would be kept with 507, in words, once there is no room for it', async () => {
    fillDisk(folder);
    const last = await until(addMarker, ({ status }) => status !== 200, 60_000, 0);
    expect(last).toMatchObject({ status: 507, json: { error: { code: 'storage_full' } } });
    expect((await write()).status).toBe(507);
    expect(slicesIn(data)).toBeLessThan(whole);
  });

  it('lets people sign in, read, go on, open doors and sign out', async () => {
    const doors = async () => ((await ask('GET', '/concierge-devices')).json as { data: { token: string; status: string | null }[] }).data;
    const door = (await until(doors, (all) => all.some(({ status }) => status === 'online'))).find(({ status }) => status === 'online');
    for (let round = 0; round < 10; round++) {
      const { status, json } = await request(running.url, 'POST', '/login', null, { login: 'concierge', password: 'Doorward-2026' });
      expect(status).toBe(200);
      const [pair] = (json as { data: { sessions: { token: string; refresh: string }[] } }).data.sessions;
      const again = await request(running.url, 'POST', '/refresh', null, { token: pair?.refresh });
      expect(again.status).toBe(200);
      const fresh = (again.json as { data: { token: string } }).data.token;
      expect((await request(running.url, 'GET', '/users?size=20', token)).status).toBe(200);
      expect((await request(running.url, 'POST', '/logout', fresh)).status).toBe(200);
    }
    const opened = await ask('POST', '/devices/open', { token: door?.token });
    expect(opened).toMatchObject({ status: 200, json: { data: { outcome: 'confirmed' } } });
    expect((await write()).status).toBe(507);
  });

  it('starts again on a full disk after a kill, and nothing is lost', async () => {
    running.child.kill('SIGKILL');
    await running.exit;
    running = await begin();
    token = await tokenAt(running.url, 'admin');
    expect((await ask('GET', '/profile')).status).toBe(200);
    const { json } = await ask('GET', '/markers?size=1');
    const { total } = (json as { meta: { total: number } }).meta;
    expect(total).toBeGreaterThanOrEqual(markers.made - 1);
    expect((await write()).status).toBe(507);
  });

  it('is as before when there is room again, without anybody doing anything', async () => {
    clearDisk(folder);
    await until(write, ({ status }) => status === 200, 30_000);
    expect(slicesIn(data)).toBe(whole);
    expect((await addMarker()).status).toBe(200);
    const profile = (await ask('GET', '/profile')).json as { data: Profile };
    expect(profile.data.profile.address).toMatch(/^The /);
    running.child.kill('SIGKILL');
    await running.exit;
    const { db, close } = await openDatabase({ ...loadConfig({}), data });
    const [signedIn] = await db.select({ rows: count() }).from(auditEvents).where(eq(auditEvents.action, 'sign_in'));
    expect(signedIn?.rows).toBeGreaterThanOrEqual(12);
    expect((await db.select().from(sessions)).length).toBeGreaterThan(0);
    await close();
  });
});

describe('the log of the embedded database; skipped where nothing may be mounted', () => {
  const disk = setDisk(192);
  let [folder, data] = ['', ''];
  let open: OpenDatabase;
  /** Writes some megabytes of log without needing room for rows. */
  const churn = async (rounds: number) => {
    for (let round = 0; round < rounds; round++) {
      await open.db.execute(sql`update churn set n = n + 1`);
      if (round % 8 === 7) await open.db.execute(sql`vacuum churn`);
    }
  };
  beforeAll(async () => {
    folder = disk() ?? '';
    if (!folder) return;
    data = join(folder, 'data');
    open = await openDatabase({ ...loadConfig({}), data });
    await open.db.execute(sql`create table churn (id int primary key, n int not null)`);
    await open.db.execute(sql`insert into churn select g, 0 from generate_series(1, 2000) g`);
    await open.reserve?.fill();
  });
  // Only where it was opened.
  afterAll(() => (folder ? open.close() : undefined));

  it('stays within a few segments while the server lives', async () => {
    await churn(160);
    expect(segmentsIn(data)).toBeLessThanOrEqual(5);
  });

  it('goes on when the disk is full, and is whole afterwards', async () => {
    expect(slicesIn(data)).toBe(whole);
    fillDisk(folder);
    await churn(160);
    expect(open.reserve?.full).toBe(true);
    const { rows } = await open.db.execute<{ sum: number }>(sql`select sum(n)::int as sum from churn`);
    expect(rows[0]?.sum).toBe(2_000 * 320);
    clearDisk(folder);
    await open.reserve?.fill();
    expect([open.reserve?.full, slicesIn(data)]).toEqual([false, whole]);
    await open.close();
    open = await openDatabase({ ...loadConfig({}), data });
    expect((await open.db.execute<{ sum: number }>(sql`select sum(n)::int as sum from churn`)).rows[0]?.sum).toBe(2_000 * 320);
  });
});

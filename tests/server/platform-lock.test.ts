import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { LockHeld, takeLock } from '#server/db/lock.ts';

const folder = mkdtempSync(join(tmpdir(), 'doorward-lock-'));
const path = join(folder, 'db.lock');
beforeEach(() => rmSync(path, { force: true }));
afterAll(() => rmSync(folder, { recursive: true }));

const dead = await new Promise<number>((done) => {
  const child = spawn(process.execPath, ['-e', '0']);
  child.once('exit', () => done(child.pid ?? 0));
});
const holder = (pid: number, more: object = {}) => JSON.stringify({ pid, host: hostname(), began: null, mark: 'x', ...more });

describe('the lock of the data folder (V3)', () => {
  it('is held by one, named to the other, and free again when released', async () => {
    const lock = await takeLock(path);
    const begun = performance.now();
    await expect(takeLock(path)).rejects.toThrow(`in use by process ${process.pid} (`);
    expect(performance.now() - begun).toBeLessThan(3_000);
    await lock.release();
    expect(existsSync(path)).toBe(false);
    await (await takeLock(path)).release();
  });

  it('is waited for when one is told to', async () => {
    const lock = await takeLock(path);
    const next = takeLock(path, 3_000);
    setTimeout(() => void lock.release(), 200);
    const second = await next;
    expect(existsSync(path)).toBe(true);
    await second.release();
  });

  it.each([
    ['a dead process', holder(dead)],
    ['a pid that is used again', holder(process.pid, { began: 'another boot:17' })],
    ['a pid that somebody else has now', holder(1, { began: 'another boot:17' })],
    ['nobody: the file is empty', ''],
    ['nobody: the file is cut short', '{"pid":1'],
  ])('is taken over from %s', async (_name, left) => {
    writeFileSync(path, left);
    await (await takeLock(path)).release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is believed to be held on another machine only while its file is touched', async () => {
    writeFileSync(path, holder(4_711, { host: 'elsewhere' }));
    await expect(takeLock(path)).rejects.toThrow('process 4711 on elsewhere');
    const before = new Date(Date.now() - 20_000);
    utimesSync(path, before, before);
    await (await takeLock(path)).release();
  });

  it('goes to exactly one of many that find a dead one', async () => {
    for (let round = 0; round < 10; round++) {
      writeFileSync(path, holder(dead));
      const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => takeLock(path)));
      const winners = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
      expect(winners).toHaveLength(1);
      for (const outcome of outcomes) expect(outcome.status === 'fulfilled' || outcome.reason instanceof LockHeld).toBe(true);
      await winners[0]?.release();
    }
  });
});

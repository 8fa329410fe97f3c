import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { LockHeld, takeLock } from '#server/db/lock.ts';
import { inTime } from '#tests/support/in-time.ts';
import { until } from './devices-support.ts';
import { lifeByProc, lifeByPs } from '#server/db/process-life.ts';

const folder = mkdtempSync(join(tmpdir(), 'doorward-lock-'));
const path = join(folder, 'db.lock');
beforeEach(() => rmSync(path, { force: true }));
afterAll(() => {
  parent.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

const dead = await new Promise<number>((done) => {
  const child = spawn(process.execPath, ['-e', '0']);
  child.once('exit', () => done(child.pid ?? 0));
});
/** A process that has ended and whose parent never asks after it. */
const parent = spawn('sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 600'], { stdio: ['ignore', 'pipe', 'ignore'] });
const defunct = await new Promise<number>((done) => parent.stdout.once('data', (text: Buffer) => done(Number(text.toString()))));
await until(
  () => readFileSync(`/proc/${defunct}/stat`, 'utf8'),
  (text) => / Z /.test(text),
);

const holder = (pid: number, more: object = {}) => JSON.stringify({ pid, host: hostname(), began: null, mark: 'x', ...more });

describe('the lock of the data folder (V3)', () => {
  it('is held by one, named to the other, and free again when released', async () => {
    const lock = await takeLock(path);
    const begun = performance.now();
    await expect(takeLock(path)).rejects.toThrow(`in use by process ${process.pid} (`);
    expect(performance.now() - begun).toBeLessThan(inTime(3_000));
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
    ['one that has ended and was not collected', holder(defunct)],
    ['one that has ended and was not collected, with when it began', holder(defunct, { began: lifeByProc(defunct)?.began })],
    ['a pid of ours that says nothing of when it began', holder(process.pid)],
    ['a pid that is used again', holder(process.pid, { began: 'another boot:17' })],
    ['a pid that somebody else has now', holder(1, { began: 'another boot:17' })],
    ['nobody: the file is empty', ''],
    ['nobody: the file is cut short', '{"pid":1'],
  ])('is taken over from %s', async (_name, left) => {
    writeFileSync(path, left);
    await (await takeLock(path)).release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is left to a process that runs, whether or not it says when it began', async () => {
    for (const began of [null, lifeByProc(process.ppid)?.began]) {
      writeFileSync(path, holder(process.ppid, { began }));
      await expect(takeLock(path)).rejects.toThrow(`in use by process ${process.ppid} (`);
    }
  });

  it.each([
    ['/proc', lifeByProc],
    ['ps', lifeByPs],
  ])('tells by %s who runs, who has ended and when they began', (_name, look) => {
    expect(look(process.pid)).toEqual({ runs: true, began: expect.stringMatching(/\d/) });
    expect(look(process.pid)).toEqual(look(process.pid));
    expect(look(defunct)?.runs).toBe(false);
    expect(look(dead)).toBeNull();
    expect(look(process.pid)?.began).not.toBe(look(1)?.began);
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

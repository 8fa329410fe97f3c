import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { BackupOverview } from '#models/backups.ts';
import { backupKinds } from '#models/backups.ts';
import type { Job } from '#models/job.ts';
import { loadConfig } from '#server/config.ts';
import { openDatabase } from '#server/db/open.ts';
import { request, setProcesses, tokenAt } from './process.ts';

const { start, world, entry } = setProcesses();
const people = 3_000;
const run = promisify(execFile);

const usersOf = async (url: string, token: string): Promise<number> => {
  const { json } = await request(url, 'GET', '/users?size=10', token);
  return (json as { meta: { total: number } }).meta.total;
};
const jobOf = async (url: string, token: string, id: string): Promise<Job> => {
  const { json } = await request(url, 'GET', `/jobs/${id}`, token);
  return (json as { data: Job }).data;
};

/** A data folder with a backup of a crowd in it that is gone since; answers the backup's id. */
async function lostCrowd(): Promise<{ data: string; id: string }> {
  const data = await world.copy();
  await world.crowd(data, people);
  const server = await start({ DOORWARD_DATA: data });
  await server.ready;
  const token = await tokenAt(server.url, 'boss');
  const { json } = await request(server.url, 'POST', '/backups', token, { name: 'The crowd', entities: [...backupKinds] });
  let job = (json as { data: Job }).data;
  while (job.state === 'queued' || job.state === 'running') {
    await pause(50);
    job = await jobOf(server.url, token, job.id);
  }
  expect(job.state).toBe('completed');
  const { json: listed } = await request(server.url, 'GET', '/backups', token);
  const [backup] = (listed as { data: BackupOverview }).data.backups;
  server.child.kill('SIGTERM');
  await server.exit;
  const opened = await openDatabase({ ...loadConfig({}), data });
  await opened.db.execute(sql`delete from users where login like 'crowd%'`);
  await opened.close();
  return { data, id: backup?.id ?? '' };
}

/** After so many times 120 ms it is killed. */
const moments = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

describe('a restore whose process is killed', () => {
  it('leaves the old or the new state whole, at several moments of it; another try brings everything back', async () => {
    const { data, id } = await lostCrowd();
    const outcomes: number[] = [];
    let last = data;
    for (const moment of moments) {
      last = `${data}-${moment}`;
      await cp(data, last, { recursive: true });
      const first = await start({ DOORWARD_DATA: last });
      await first.ready;
      const token = await tokenAt(first.url, 'boss');
      const before = await usersOf(first.url, token);
      const answer = await request(first.url, 'POST', `/backups/${id}/apply`, token);
      expect(answer.status).toBe(202);
      await pause(moment * 120);
      first.child.kill('SIGKILL');
      await first.exit;

      const second = await start({ DOORWARD_DATA: last });
      await second.ready;
      const after = await usersOf(second.url, await tokenAt(second.url, 'boss'));
      expect([before, before + people]).toContain(after);
      outcomes.push(after);
      second.child.kill('SIGTERM');
      await second.exit;
    }
    expect(outcomes[0]).toBeLessThan(people);
    // Whatever was left behind stands in nobody's way.
    await cp(data, `${data}-again`, { recursive: true });
    const archive = join(`${data}-again`, 'backups', `${id}.zip`);
    const { stdout } = await run(process.execPath, [entry('restore'), archive], {
      env: { ...process.env, DOORWARD_DATA: `${data}-again`, DOORWARD_DEMO: 'off' },
    });
    expect(stdout).toContain('“The crowd”');
    const third = await start({ DOORWARD_DATA: `${data}-again` });
    await third.ready;
    expect(await usersOf(third.url, await tokenAt(third.url, 'boss'))).toBeGreaterThan(people);
    const refused = await run(process.execPath, [entry('restore'), archive], { env: { ...process.env, DOORWARD_DATA: `${data}-again` } }).catch(
      (error: { stderr: string }) => error,
    );
    expect((refused as { stderr: string }).stderr).toContain('in use by process');
  }, 300_000);
});

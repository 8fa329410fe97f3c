import { setTimeout as wait } from 'node:timers/promises';
import { backupKinds, type BackupOverview } from '#models/backups.ts';
import type { Job } from '#models/job.ts';
import { api, startServer, tokenOf } from '#tests/e2e/support/server.ts';
import { fillFolder, filledEnv } from './filled.ts';
import { type Figure, percentile, timesOf } from './figures.ts';
import { addEvents, addPeople, manyPeople, manyRows } from './many.ts';
import { residentMegabytes } from './processes.ts';

/** The most memory a process holds until told to stop. */
function watchMemory(pid: number): () => number {
  let most = residentMegabytes(pid);
  const timer = setInterval(() => (most = Math.max(most, residentMegabytes(pid))), 20);
  return () => {
    clearInterval(timer);
    return most;
  };
}

/** A backup of 100,000 people and 1,000,000 events and its restore: how long, how much memory, and what others notice of the first. */
export async function benchBackups(): Promise<Figure[]> {
  const { data, remove } = await fillFolder(async (db) => {
    await addPeople(db, manyPeople);
    await addEvents(db, manyRows);
  });
  const server = await startServer({ data, env: filledEnv });
  const pid = server.process.pid ?? 0;
  const timed = async (work: () => Promise<unknown>): Promise<{ took: number; gained: number }> => {
    const idle = residentMegabytes(pid);
    const most = watchMemory(pid);
    const begun = performance.now();
    await work();
    return { took: performance.now() - begun, gained: most() - idle };
  };
  try {
    const first = await tokenOf(server, 'admin');
    const get = async <T>(path: string, token: string): Promise<T> => (await api<{ data: T }>(server, 'GET', path, { token })).body.data;
    const isOver = async (id: string, token: string): Promise<Job> => {
      for (;;) {
        const job = await get<Job>(`/jobs/${id}`, token);
        if (job.state !== 'queued' && job.state !== 'running') return job;
        await wait(200);
      }
    };
    const page = () => api(server, 'GET', '/users?size=20', { token: first });
    await timesOf(50, page);
    const quiet = await timesOf(100, page);
    await wait(5_000);
    const busy: number[] = [];
    const made = await timed(async () => {
      const { body } = await api<{ data: Job }>(server, 'POST', '/backups', {
        token: first,
        body: { name: 'All of it', entities: [...backupKinds] },
      });
      const over = isOver(body.data.id, first);
      let done = false;
      void over.then(() => (done = true));
      while (!done) busy.push(...(await timesOf(1, page)));
      const { state } = await over;
      if (state !== 'completed') throw new Error(`the backup is ${state}`);
    });
    const [backup] = (await get<BackupOverview>('/backups', first)).backups;
    await wait(5_000);
    const restored = await timed(async () => {
      const { status, body } = await api<{ data: Job }>(server, 'POST', `/backups/${backup?.id}/apply`, { token: first });
      if (status !== 202) throw new Error(`the restore was refused: ${status} ${JSON.stringify(body)}`);
      // Everybody is signed out once it stands.
      while ((await api(server, 'GET', '/profile', { token: first })).status !== 401) await wait(200);
    });
    const value = percentile(quiet, 0.95);
    const what = `${manyPeople.toLocaleString('en')} people and ${manyRows.toLocaleString('en')} events`;
    return [
      { what: `backup of ${what}, in seconds`, unit: '', ours: made.took / 1_000 },
      { what: 'memory above idle meanwhile', unit: 'MB', ours: made.gained, atMost: 200 },
      { what: 'page of 20 users meanwhile, p95', unit: 'ms', ours: percentile(busy, 0.95), baseline: { what: 'quiet', value } },
      { what: 'the same, longest', unit: 'ms', ours: Math.max(...busy) },
      { what: 'the archive', unit: 'MB', ours: (backup?.bytes ?? 0) / 1e6 },
      { what: 'its restore, in seconds', unit: '', ours: restored.took / 1_000 },
      { what: 'memory above idle meanwhile', unit: 'MB', ours: restored.gained, atMost: 200 },
    ];
  } finally {
    await server.discard();
    await remove();
  }
}

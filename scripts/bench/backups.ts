import { setTimeout as wait } from 'node:timers/promises';
import { backupKinds, type BackupOverview } from '#models/backups.ts';
import type { Job } from '#models/job.ts';
import { api, type RunningServer, startServer, tokenOf } from '#tests/e2e/support/server.ts';
import { fillFolder, filledEnv } from './filled.ts';
import { type Figure, percentile, timesOf } from './figures.ts';
import { addEvents, addPeople, manyPeople, manyRows } from './many.ts';
import { residentMegabytes, watchMemory } from './processes.ts';

/** What a process holds in memory at most while it does something, above what it held before, in MB; and how long that takes, in ms. */
async function measured(pid: number, work: () => Promise<unknown>): Promise<{ took: number; gained: number }> {
  await wait(5_000);
  const idle = residentMegabytes(pid);
  const most = watchMemory(pid);
  const begun = performance.now();
  await work();
  return { took: performance.now() - begun, gained: most() - idle };
}

/** An administrator who makes and restores backups, while others read pages. */
class Desk {
  readonly #server: RunningServer;
  readonly #token: string;
  constructor(server: RunningServer, token: string) {
    this.#server = server;
    this.#token = token;
  }
  #ask<T>(method: string, path: string, body?: unknown) {
    return api<{ data: T }>(this.#server, method, path, { token: this.#token, body });
  }
  page = (): Promise<unknown> => this.#ask('GET', '/users?size=20');
  async isOver(id: string): Promise<void> {
    for (;;) {
      const { state } = (await this.#ask<Job>('GET', `/jobs/${id}`)).body.data;
      if (state === 'completed') return;
      if (state !== 'queued' && state !== 'running') throw new Error(`the backup is ${state}`);
      await wait(200);
    }
  }
  async make(): Promise<number[]> {
    const { body } = await this.#ask<Job>('POST', '/backups', { name: 'All of it', entities: [...backupKinds] });
    const times: number[] = [];
    let done = false;
    const over = this.isOver(body.data.id).finally(() => (done = true));
    while (!done) times.push(...(await timesOf(1, this.page)));
    await over;
    return times;
  }
  async newest() {
    return (await this.#ask<BackupOverview>('GET', '/backups')).body.data.backups[0];
  }
  /** Everybody is signed out once it stands. */
  async restore(id: string): Promise<void> {
    const { status, body } = await this.#ask('POST', `/backups/${id}/apply`);
    if (status !== 202) throw new Error(`the restore was refused: ${status} ${JSON.stringify(body)}`);
    while ((await this.#ask('GET', '/profile')).status !== 401) await wait(200);
  }
}

/** A backup of 100,000 people and 1,000,000 events and its restore: how long, how much memory, and what others notice of the first. */
export async function benchBackups(): Promise<Figure[]> {
  const { data, remove } = await fillFolder(async (db) => {
    await addPeople(db, manyPeople);
    await addEvents(db, manyRows);
  });
  const server = await startServer({ data, env: filledEnv });
  const pid = server.process.pid ?? 0;
  try {
    const desk = new Desk(server, await tokenOf(server, 'admin'));
    await timesOf(50, desk.page);
    const value = percentile(await timesOf(100, desk.page), 0.95);
    let busy: number[] = [];
    const made = await measured(pid, async () => (busy = await desk.make()));
    const { id = '', bytes } = (await desk.newest()) ?? {};
    const restored = await measured(pid, () => desk.restore(id));
    const what = `${manyPeople.toLocaleString('en')} people and ${manyRows.toLocaleString('en')} events`;
    return [
      { what: `backup of ${what}, in seconds`, unit: '', ours: made.took / 1_000 },
      { what: 'memory above idle meanwhile', unit: 'MB', ours: made.gained, atMost: 200 },
      { what: 'page of 20 users meanwhile, p95', unit: 'ms', ours: percentile(busy, 0.95), baseline: { what: 'quiet', value } },
      { what: 'the same, longest', unit: 'ms', ours: Math.max(...busy) },
      { what: 'the archive', unit: 'MB', ours: (bytes ?? 0) / 1e6 },
      { what: 'its restore, in seconds', unit: '', ours: restored.took / 1_000 },
      { what: 'memory above idle meanwhile', unit: 'MB', ours: restored.gained, atMost: 200 },
    ];
  } finally {
    await server.discard();
    await remove();
  }
}

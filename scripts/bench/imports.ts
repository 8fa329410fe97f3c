import { setTimeout as wait } from 'node:timers/promises';
import type { ImportAttempt } from '#models/import.ts';
import type { Job } from '#models/job.ts';
import { api, type RunningServer, startServer, tokenOf } from '#tests/e2e/support/server.ts';
import { type Figure, percentile, timesOf } from './figures.ts';
import { residentMegabytes, watchMemory } from './processes.ts';

const rows = 10_000;
/** Rows that cannot be taken: the first, one in the middle, the last. */
const bad = new Set([0, rows / 2, rows - 1]);
const content = `Type,Value,Name\n${Array.from({ length: rows }, (_, at) => `card,${bad.has(at) ? 'none' : 7_000_000 + at},Card ${at}`).join('\n')}\n`;

/** An administrator who imports identifiers as the dialog does: the file, a check of all rows, then the work itself. */
async function importAll(server: RunningServer, token: string): Promise<Job> {
  const isOver = async (id: string): Promise<Job> => {
    for (;;) {
      const { data } = (await api<{ data: Job }>(server, 'GET', `/jobs/${id}`, { token })).body;
      if (data.state !== 'queued' && data.state !== 'running') return data;
      await wait(100);
    }
  };
  const form = new FormData();
  form.append('file', new Blob([content]), 'cards.csv');
  const answer = await fetch(`${server.url}/api/v0/identifiers/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  const { filepath, mapping } = ((await answer.json()) as { data: ImportAttempt }).data;
  const begin = async (step: string, body: object): Promise<Job> =>
    isOver((await api<{ data: Job }>(server, 'POST', `/identifiers/import/${step}`, { token, body: { filepath, mapping, ...body } })).body.data.id);
  await begin('check', {});
  return begin('continue', { action: 'leave' });
}

/** 10,000 identifiers out of a file, three of them bad: how long it takes, how long others wait meanwhile, and what it holds in memory. */
export async function benchImports(): Promise<Figure[]> {
  const server = await startServer();
  const pid = server.process.pid ?? 0;
  try {
    const token = await tokenOf(server, 'admin');
    const ask = () => fetch(`${server.url}/healthz`);
    const quiet = await timesOf(300, ask);
    const most = watchMemory(pid);
    const idle = residentMegabytes(pid);
    const work = { over: false };
    const begun = performance.now();
    const imported = importAll(server, token).finally(() => (work.over = true));
    const busy: number[] = [];
    while (!work.over) {
      busy.push(...(await timesOf(1, ask)));
      await wait(10);
    }
    const took = performance.now() - begun;
    const { state, import: result } = await imported;
    if (state !== 'completed' || result?.counts.new !== rows - bad.size || result.counts.bad !== bad.size)
      throw new Error(JSON.stringify({ state, result }));
    return [
      { what: `${rows.toLocaleString('en')} identifiers checked and imported, 3 bad`, unit: 'ms', ours: took, atMost: 60_000 },
      {
        what: 'meanwhile /healthz p99',
        unit: 'ms',
        ours: percentile(busy, 0.99),
        atMost: 100,
        baseline: { what: 'quiet', value: percentile(quiet, 0.99) },
      },
      { what: 'memory gained', unit: 'MB', ours: most() - idle, atMost: 300 },
    ];
  } finally {
    await server.discard();
  }
}

import { mkdtemp, rm } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startServer } from '#tests/e2e/support/server.ts';
import { type Figure, median, timesOf } from './figures.ts';
import { residentMegabytes } from './processes.ts';

/** From the command to the first answer: on an empty folder, and again on a seeded one. Node doing nothing is the baseline. */
export async function benchStarts(): Promise<Figure[]> {
  const data = await mkdtemp(join(tmpdir(), 'doorward-bench-'));
  try {
    const node = median(await timesOf(5, async () => spawnSync(process.execPath, ['-e', '0'])));
    const baseline = { what: 'node doing nothing', value: node };
    const cold = await startServer({ data });
    await cold.stop();
    const warm: number[] = [];
    let resident = 0;
    for (let round = 0; round < 5; round += 1) {
      const server = await startServer({ data });
      warm.push(server.readyAfter);
      if (round === 4) {
        await wait(5_000);
        resident = residentMegabytes(server.process.pid ?? 0);
      }
      await server.stop();
    }
    return [
      { what: 'cold start: empty folder, migrated and seeded', unit: 'ms', ours: cold.readyAfter, baseline },
      { what: 'warm start, median of 5', unit: 'ms', ours: median(warm), baseline, atMost: 3_000 },
      { what: 'resident after 5 s idle (PGlite)', unit: 'MB', ours: resident, atMost: 600 },
    ];
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}

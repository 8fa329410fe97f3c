import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { ImportAttempt } from '#models/import.ts';
import type { Job } from '#models/job.ts';
import { isFull } from '#tests/support/extent.ts';
import { request, setProcesses, tokenAt } from './process.ts';

const { start, world } = setProcesses();
const rows = isFull ? 6_000 : 2_500;
const content = `Type,Value,Name\n${Array.from({ length: rows }, (_, at) => `card,${5_000_000 + at},Killed ${at}`).join('\n')}\n`;

async function plan(url: string, token: string): Promise<{ filepath: string; mapping: Record<string, number> }> {
  const form = new FormData();
  form.append('file', new Blob([content]), 'cards.csv');
  const answer = await fetch(`${url}/api/v0/identifiers/import`, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: form });
  const { data } = (await answer.json()) as { data: ImportAttempt };
  return { filepath: data.filepath, mapping: data.mapping };
}
const jobOf = async (url: string, token: string, id: string): Promise<Job> => {
  const { json } = await request(url, 'GET', `/jobs/${id}`, token);
  return (json as { data: Job }).data;
};
async function countOf(url: string, token: string): Promise<number> {
  const filters = encodeURIComponent(JSON.stringify({ match: 'match_all', items: [{ field: 'name', rule: 'begins_with', value: 'Killed' }] }));
  const { json } = await request(url, 'GET', `/identifiers?size=10&filters=${filters}`, token);
  return (json as { meta: { total: number } }).meta.total;
}
const begin = async (url: string, token: string): Promise<Job> => {
  const { json } = await request(url, 'POST', '/identifiers/import/continue', token, { ...(await plan(url, token)), action: 'leave' });
  return (json as { data: Job }).data;
};

describe('an import whose process is killed in the middle', () => {
  it('leaves whole portions, says where it stopped, and a repeat adds the rest', async () => {
    const data = await world.copy();
    const first = await start({ DOORWARD_DATA: data });
    await first.ready;
    const token = await tokenAt(first.url, 'boss');
    let job = await begin(first.url, token);
    while (job.done < 800) {
      await pause(20);
      job = await jobOf(first.url, token, job.id);
    }
    first.child.kill('SIGKILL');
    await first.exit;

    const second = await start({ DOORWARD_DATA: data });
    await second.ready;
    const again = await tokenAt(second.url, 'boss');
    const stopped = await jobOf(second.url, again, job.id);
    const there = await countOf(second.url, again);
    expect(there).toBeGreaterThanOrEqual(800);
    expect(there).toBeLessThan(rows);
    expect(stopped).toMatchObject({
      state: 'failed',
      problem: { code: 'unavailable' },
      done: there,
      total: rows,
      import: { counts: { new: there, same: 0, changed: 0, bad: 0 }, last_row: there + 1 },
    });

    let rest = await begin(second.url, again);
    while (rest.state === 'queued' || rest.state === 'running') {
      await pause(50);
      rest = await jobOf(second.url, again, rest.id);
    }
    expect(rest).toMatchObject({ state: 'completed', import: { counts: { new: rows - there, same: there, changed: 0, bad: 0 } } });
    expect(await countOf(second.url, again)).toBe(rows);
  });
});

import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Job } from '#models/job.ts';
import { isFull } from '#tests/support/extent.ts';
import { inTime } from '#tests/support/in-time.ts';
import { request, setProcesses, tokenAt } from './process.ts';

const { start, world } = setProcesses();
const people = isFull ? 5_000 : 400;

interface Row {
  id: string;
  version: number;
  markers: { id: string }[];
}
const dataOf = async <T>(url: string, token: string, method: 'GET' | 'PUT' | 'POST', path: string, body?: unknown): Promise<T> => {
  const { json } = await request(url, method, path, token, body);
  return (json as { data: T }).data;
};
const filters = { match: 'match_all', items: [{ field: 'login', rule: 'begins_with', value: 'crowd' }] };
const allOf = async (url: string, token: string): Promise<Row[]> => {
  const rows: Row[] = [];
  for (let page = 1; rows.length < people; page += 1) {
    const asked = `size=500&page=${page}&with=markers&filters=${encodeURIComponent(JSON.stringify(filters))}`;
    const found = await dataOf<Row[]>(url, token, 'GET', `/users?${asked}`);
    if (found.length === 0) break;
    rows.push(...found);
  }
  return rows;
};

it(`bulk work over ${people} people goes on after a kill -9, and changes each once`, async () => {
  const data = await world.copy();
  await world.crowd(data, people);
  const first = await start({ DOORWARD_DATA: data });
  await first.ready;
  const token = await tokenAt(first.url, 'boss');
  const marker = await dataOf<string>(first.url, token, 'PUT', '/markers', { name: 'Bulk', color: '#123456' });
  const body = { action: 'markers_add', value: [marker], filters, total: people };
  let job = await dataOf<Job>(first.url, token, 'POST', '/users/bulk', body);
  let slowest = 0;
  while (job.done < people / 4) {
    await pause(20);
    const asked = performance.now();
    job = await dataOf<Job>(first.url, token, 'GET', `/jobs/${job.id}`);
    slowest = Math.max(slowest, performance.now() - asked);
  }
  expect(job.done).toBeLessThan(people);
  // A portion holds everybody up, never the whole of the work.
  expect(slowest).toBeLessThan(inTime(5_000));
  first.child.kill('SIGKILL');
  await first.exit;

  const second = await start({ DOORWARD_DATA: data });
  await second.ready;
  const again = await tokenAt(second.url, 'boss');
  let rest = await dataOf<Job>(second.url, again, 'GET', `/jobs/${job.id}`);
  expect(rest.done).toBeGreaterThanOrEqual(job.done);
  while (rest.state === 'queued' || rest.state === 'running') {
    await pause(200);
    rest = await dataOf<Job>(second.url, again, 'GET', `/jobs/${job.id}`);
  }
  expect(rest).toMatchObject({ state: 'completed', done: people, total: people, failures: [] });
  const rows = await allOf(second.url, again);
  expect(rows).toHaveLength(people);
  expect(rows.filter(({ markers }) => markers.length !== 1 || markers[0]?.id !== marker)).toEqual([]);
  // One version more than at first: nobody was changed twice.
  expect(rows.filter(({ version }) => version !== 2)).toEqual([]);
}, 600_000);

import { sql } from 'drizzle-orm';
import { forgetOldLogs } from '#server/settings/logs.ts';
import { publish } from '#server/realtime/publish.ts';
import { topics } from '#models/realtime.ts';
import { lengthOf } from '#models/time.ts';
import { api, tokenOf } from '#tests/e2e/support/server.ts';
import { fillFolder, type Served, serveFolder } from './filled.ts';
import { type Figure, median, percentile, timesOf } from './figures.ts';
import { addEntries, addEvents, addPeople, manyPeople, manyRows } from './many.ts';

const rounds = 100;
type Item = { field: string; rule: string; value: string | string[] };
interface World {
  doors: { id: string; name: string }[];
  people: string[];
}
const daysAgo = (days: number): string => new Date(Date.now() - days * lengthOf(1, 'day')).toISOString();
const period = (field: string, days: number, round: number): Item[] => [
  { field, rule: 'equals_above', value: daysAgo(days + round * 7) },
  { field, rule: 'below', value: daysAgo(round * 7) },
];
const pick = <T>(list: readonly T[], round: number): T => list[(round * 37) % list.length] as T;

/** What people ask of logs: everything, a door, a person, a part of a name, a day, a month, and two of them together. */
const asked: readonly [area: string, what: string, items: (world: World, round: number) => Item[]][] = [
  ['device-events', 'the newest', () => []],
  ['device-events', 'of a door', ({ doors }, round) => [{ field: 'device', rule: 'equals', value: [pick(doors, round).id] }]],
  ['device-events', 'of a person', ({ people }, round) => [{ field: 'user', rule: 'equals', value: [pick(people, round)] }]],
  ['device-events', 'name of a door', ({ doors }, round) => [{ field: 'device_name', rule: 'contains', value: pick(doors, round).name }]],
  [
    'device-events',
    'part of many names',
    (_world, round) => [{ field: 'device_name', rule: 'contains', value: pick(['tower', 'lobby', 'gate', 'er a'], round) }],
  ],
  ['device-events', 'a name nothing has', (_world, round) => [{ field: 'device_name', rule: 'contains', value: `zq${round}` }]],
  ['device-events', 'of a day', (_world, round) => period('occurred_at', 1, round)],
  ['device-events', 'of a month', (_world, round) => period('occurred_at', 30, round)],
  [
    'device-events',
    'refused, of a door',
    ({ doors }, round) => [
      { field: 'device', rule: 'equals', value: [pick(doors, round).id] },
      { field: 'type', rule: 'equals', value: ['access_denied'] },
    ],
  ],
  [
    'device-events',
    'of a kind',
    (_world, round) => [{ field: 'type', rule: 'equals', value: [pick(['access_denied', 'exit_button', 'door_opened', 'sos', 'tampered'], round)] }],
  ],
  ['access-control/events', 'the newest', () => []],
  ['access-control/events', 'of a person', ({ people }, round) => [{ field: 'user', rule: 'equals', value: [pick(people, round)] }]],
  ['audit-events', 'the newest', () => []],
  ['audit-events', 'a name', (_world, round) => [{ field: 'entity_name', rule: 'contains', value: `Entry ${1_000 + round * 37}` }]],
  ['audit-events', 'part of all names', () => [{ field: 'entity_name', rule: 'contains', value: 'entry' }]],
  ['audit-events', 'of a month', (_world, round) => period('created_at', 30, round)],
];

async function search(url: string, token: string, world: World, notify: () => Promise<void>): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [area, what, items] of asked) {
    const ask = async (round: number) => {
      const filters = encodeURIComponent(JSON.stringify({ match: 'match_all', items: items(world, round) }));
      const answer = await api({ url }, 'GET', `/${area}?size=20&filters=${filters}`, { token });
      if (answer.status !== 200) throw new Error(`${area} ${what}: ${answer.status} ${JSON.stringify(answer.body)}`);
    };
    // Something happens all the while: what was counted before does not hold any more.
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await notify();
      times.push(...(await timesOf(1, () => ask(round))));
    }
    figures.push({ what: `${area}, ${what}: p50`, unit: 'ms', ours: median(times) });
    figures.push({ what: `${area}, ${what}: p99`, unit: 'ms', ours: percentile(times, 0.99), atMost: 100 });
  }
  return figures;
}

/** A page of users while all but the last day of the logs goes. */
async function forget({ services, url }: Served, token: string, project: string): Promise<Figure[]> {
  const page = () => api({ url }, 'GET', '/users?size=20', { token });
  await timesOf(50, page);
  const quiet = await timesOf(rounds, page);
  await services.db
    .execute(sql`insert into project_settings (project_id, block, value) values (${project}, 'general', '{"logs_life":{"value":1,"unit":"days"}}'::jsonb)
      on conflict (project_id, block) do update set value = project_settings.value || excluded.value`);
  const begun = performance.now();
  let removed: number | null = null;
  const over = forgetOldLogs(services).then((count) => (removed = count));
  const busy: number[] = [];
  while (removed === null) busy.push(...(await timesOf(1, page)));
  const rows = (await over).toLocaleString('en');
  const value = percentile(quiet, 0.95);
  return [
    {
      what: `page of 20 users while ${rows} old rows go, p95`,
      unit: 'ms',
      ours: percentile(busy, 0.95),
      atMost: 2 * value,
      baseline: { what: 'quiet', value },
    },
    { what: 'the same, longest', unit: 'ms', ours: Math.max(...busy), baseline: { what: 'quiet', value: Math.max(...quiet) } },
    { what: 'how long that took, in seconds', unit: '', ours: (performance.now() - begun) / 1_000 },
  ];
}

/** A search in logs of a million rows, and the removal of what is too old of them. */
export async function benchLogs(): Promise<Figure[]> {
  const { data, remove } = await fillFolder(async (db) => {
    await addPeople(db, manyPeople);
    await addEvents(db, manyRows);
    await addEntries(db, manyRows);
  });
  const served = await serveFolder(data);
  try {
    const { db } = served.services;
    const token = await tokenOf(served, 'admin');
    const { rows: own } = await db.execute<{ id: string }>(sql`select project_id as id from users where login = 'admin' limit 1`);
    const project = own[0]?.id ?? '';
    const { rows: doors } = await db.execute<{ id: string; name: string }>(sql`select id, name from devices where project_id = ${project}`);
    const { rows: people } = await db.execute<{ id: string }>(sql`select id from users where login like 'crowd%' limit 2000`);
    const figures = await search(served.url, token, { doors, people: people.map(({ id }) => id) }, async () => {
      for (const area of ['device-events', 'audit-events'] as const) await publish(db, project, topics.area(area), 'RowsChanged', { area, ids: [] });
    });
    return [...figures, ...(await forget(served, token, project))];
  } finally {
    await served.close();
    await remove();
  }
}

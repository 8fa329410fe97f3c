import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { familyNames } from '#server/db/demo/names.ts';
import { openTestServer } from '#tests/server/support.ts';
import { type Figure, median, percentile, timesOf } from './figures.ts';
import { fillPeople } from './people.ts';

const rounds = 100;

const word = (round: number) => `${familyNames[round % familyNames.length]} ${1_000 + round * 37}`;
const contains = (round: number) =>
  encodeURIComponent(JSON.stringify({ match: 'match_all', items: [{ field: 'name', rule: 'contains', value: word(round) }] }));
const cases: readonly [what: string, query: (round: number) => string, goal: number | undefined][] = [
  ['page of 20 by name', (round) => `page=${1 + (round % 50)}&size=20`, 30],
  ['page of 20, newest first', (round) => `page=${1 + (round % 50)}&size=20&sort=-created_at`, 30],
  ['page of 20 by role, then name', (round) => `page=${1 + (round % 50)}&size=20&sort=role,name`, undefined],
  ['page 4,000 by name', () => 'page=4000&size=20', undefined],
  ['contains, page of 20', (round) => `size=20&filters=${contains(round)}`, 30],
];

/** So many callers, each of whom asks for one page after another: the time that all of them took, divided by the pages, in ms. */
async function timeAPage(callers: number, pages: number, ask: (round: number) => Promise<void>): Promise<number> {
  const [time = 0] = await timesOf(1, () =>
    Promise.all(Array.from({ length: callers }, (_, caller) => timesOf(pages, (round) => ask(caller * pages + round)))),
  );
  return time / (callers * pages);
}

/**
 * A page of 20 among 100,000 users over HTTP on loopback: first pages, far pages, sorts, `contains`. The baseline is the
 * bare SQL of the same page in the same process.
 */
export async function benchLists(): Promise<Figure[]> {
  const server = await openTestServer({ demo: true, config: { checkAnswers: false } });
  try {
    const { db } = server.services;
    await fillPeople(server);
    const address = await server.app.listen({ port: 0, host: '127.0.0.1' });
    const { token } = await server.signIn('admin');
    const { rows } = await db.execute<{ id: string }>(sql`select project_id as id from users where login = 'admin' limit 1`);
    const project = rows[0]?.id ?? randomUUID();

    const ask = async (query: string) => {
      const answer = await fetch(`${address}/api/v0/users?${query}`, { headers: { authorization: `Bearer ${token}` } });
      if (!answer.ok) throw new Error(`users?${query}: ${answer.status} ${await answer.text()}`);
      await answer.arrayBuffer();
    };
    const bare = await timesOf(rounds, async (round) =>
      db.execute(
        sql`select id, name, email, count(*) over () from users where project_id = ${project} order by name, id limit 20 offset ${(round % 50) * 20}`,
      ),
    );
    const figures: Figure[] = [];
    for (const [what, query, goal] of cases) {
      await timesOf(20, (round) => ask(query(round)));
      const times = await timesOf(rounds, (round) => ask(query(round)));
      figures.push({ what: `${what}: p50`, unit: 'ms', ours: median(times), baseline: { what: 'bare SQL page', value: median(bare) } });
      figures.push({ what: `${what}: p99`, unit: 'ms', ours: percentile(times, 0.99), ...(goal !== undefined && { atMost: goal }) });
    }
    const perPage = await timeAPage(10, 60, (round) => ask(`page=${1 + (round % 50)}&size=20`));
    figures.push({
      what: 'page of 20 by name, ten callers: time a page',
      unit: 'ms',
      ours: perPage,
      atMost: server.services.config.databaseUrl ? 4 : 10,
    });
    return figures;
  } finally {
    await server.close();
  }
}

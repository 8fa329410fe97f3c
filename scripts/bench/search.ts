import { sql } from 'drizzle-orm';
import { familyNames, givenNames } from '#server/db/demo/names.ts';
import { openTestServer } from '#tests/server/support.ts';
import { type Figure, median, percentile, timesOf } from './figures.ts';
import { fillPeople } from './people.ts';

const rounds = 60;
const nameOf = (names: readonly string[], round: number): string => names[round % names.length] ?? 'a';
/** What people type: beginnings of names, whole names, digits, the middle of a word, what nobody is called. */
const typed: readonly [what: string, text: (round: number) => string][] = [
  ['two letters', (round) => nameOf(givenNames, round).slice(0, 2)],
  ['the beginning of a family name', (round) => nameOf(familyNames, round).slice(0, 3)],
  ['a family name and a number', (round) => `${nameOf(familyNames, round)} ${1_000 + round * 37}`],
  ['a phone number', (round) => `30 ${1_000_000 + round * 7}`],
  ['the middle of a word', (round) => nameOf(familyNames, round).slice(1, 4)],
  ['a name nobody has', (round) => `zq${round}x`],
];

/** The search of the palette among 100,000 users over HTTP on loopback, for an administrator. The baseline is the bare SQL of one trigram search in the same process. */
export async function benchSearch(): Promise<Figure[]> {
  const server = await openTestServer({ demo: true, config: { checkAnswers: false } });
  try {
    const { db } = server.services;
    await fillPeople(server);
    const address = await server.app.listen({ port: 0, host: '127.0.0.1' });
    const { token } = await server.signIn('admin');
    const ask = async (text: string) => {
      const answer = await fetch(`${address}/api/v0/search?q=${encodeURIComponent(text)}`, { headers: { authorization: `Bearer ${token}` } });
      if (!answer.ok) throw new Error(`search?q=${text}: ${answer.status} ${await answer.text()}`);
      await answer.arrayBuffer();
    };
    const bare = await timesOf(rounds, (round) =>
      db.execute(
        sql`select id, name from users where lower(name) like ${`%${nameOf(familyNames, round).toLowerCase()}%`} order by lower(name), id limit 6`,
      ),
    );
    const figures: Figure[] = [];
    for (const [what, text] of typed) {
      await timesOf(10, (round) => ask(text(round)));
      const times = await timesOf(rounds, (round) => ask(text(round)));
      figures.push({ what: `${what}: p50`, unit: 'ms', ours: median(times), baseline: { what: 'bare SQL', value: median(bare) } });
      figures.push({ what: `${what}: p95`, unit: 'ms', ours: percentile(times, 0.95), atMost: 100 });
    }
    return figures;
  } finally {
    await server.close();
  }
}

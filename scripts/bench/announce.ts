import { sql } from 'drizzle-orm';
import type { AnnounceDelivery } from '#models/announce-calls.ts';
import type { Db } from '#server/db/database.ts';
import { api, tokenOf } from '#tests/e2e/support/server.ts';
import { startFilled } from './filled.ts';
import { type Figure, percentile, timesOf } from './figures.ts';

const people = 5_000;
const rounds = 200;

/** A group of its own with so many people in it. */
async function crowd(db: Db): Promise<void> {
  await db.execute(sql`with resident as (select u.* from users u where u.login = 'resident'),
      made as (insert into users (project_id, role_id, login, name, email, license_info, activated_at)
        select project_id, role_id, 'crowd' || n, 'Crowd ' || n, 'crowd' || n || '@riverside.example', license_info, 1 from resident, generate_series(1, ${people}::int) n returning id)
    insert into user_domains (user_id, group_id) select made.id, d.group_id from made, user_domains d join resident on resident.id = d.user_id`);
}

/** A page of users asked for over and over, quiet and while an announcement goes to 5,000 people: how long it takes. */
export async function benchAnnounce(): Promise<Figure[]> {
  const server = await startFilled(crowd);
  try {
    const token = await tokenOf(server, 'admin');
    const dataOf = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
      const answer = await api<{ data: T }>(server, method, path, { token, body });
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body.data;
    };
    const filters = encodeURIComponent(JSON.stringify({ match: 'match_all', items: [{ field: 'login', rule: 'equals', value: 'crowd1' }] }));
    const [one] = await dataOf<{ domains: { id: string }[] }[]>('GET', `/users?size=10&filters=${filters}`);
    const id = await dataOf<string>('PUT', '/announces', {
      title: 'Water off',
      body: '<p>From <strong>9</strong> to 11</p>',
      send_via: ['email'],
      domains: one?.domains.map((group) => group.id),
    });
    const page = () => dataOf('GET', '/users?size=20');
    await timesOf(50, page);
    const quiet = await timesOf(rounds, page);
    await dataOf('POST', `/announces/${id}/start`);
    const busy = await timesOf(rounds, page);
    const { recipients, channels } = await dataOf<AnnounceDelivery>('GET', `/announces/${id}/delivery`);
    if (recipients < people || channels.every(({ queued }) => queued === 0)) throw new Error('it was over before it was measured');
    const value = percentile(quiet, 0.95);
    return [
      {
        what: `page of 20 users while ${people.toLocaleString('en')} people are told, p95`,
        unit: 'ms',
        ours: percentile(busy, 0.95),
        atMost: 2 * value,
        baseline: { what: 'quiet', value },
      },
      { what: 'the same, longest', unit: 'ms', ours: Math.max(...busy), baseline: { what: 'quiet', value: Math.max(...quiet) } },
    ];
  } finally {
    await server.discard();
  }
}

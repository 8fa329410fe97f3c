import { sql } from 'drizzle-orm';
import { vacuumOutgrown } from '#server/db/vacuum.ts';
import { openTestServer, type TestServer } from '#tests/server/support.ts';
import { type Figure, median, percentile, timesOf } from './figures.ts';

const [people, doors, rules] = [5_000, 200, 500];
const rounds = 20;

const number = (count: number) => sql.raw(String(count));
/** One of the demo's groups in turn. */
const group = (n: string) => sql`(select id from bench_groups where at = ${sql.raw(n)} % (select count(*) from bench_groups))`;

/** Adds people to the demo, spread over its groups with two cards each, and doors. */
async function fillPeople({ services: { db } }: TestServer): Promise<void> {
  await db.execute(sql`
    insert into users (project_id, role_id, login, name, email, license_info)
    select u.project_id, u.role_id, 'bench' || n, 'Person ' || n, 'bench' || n || '@riverside.example', u.license_info
    from generate_series(1, ${number(people)}) n, (select * from users where login = 'resident' limit 1) u`);
  await db.execute(sql`
    create temp table bench_groups as select id, row_number() over (order by id) - 1 as at from groups
    where project_id = (select project_id from users where login = 'admin' limit 1)`);
  await db.execute(sql`
    insert into user_domains (user_id, group_id)
    select x.id, ${group('x.n')} from (select id, row_number() over (order by id) as n from users where login like 'bench%') x`);
  await db.execute(sql`
    insert into identifiers (project_id, user_id, name, type, value)
    select x.project_id, x.id, 'Card of ' || x.name, 'card', lpad(upper(to_hex(x.n * 2 + y + 268435456)), 8, '0')
    from (select id, name, project_id, row_number() over (order by id) as n from users where login like 'bench%') x, generate_series(0, 1) y`);
  await db.execute(sql`
    insert into devices (project_id, domain_id, name, type, model, login, management, settings, token)
    select d.project_id, d.domain_id, 'Door ' || lpad(n::text, 3, '0'), d.type, d.model, 'bench' || n, d.management, d.settings, 'bench' || n
    from generate_series(1, ${number(doors)}) n, (select * from devices where name = 'Gym' limit 1) d`);
}

/** Adds rules of a dozen doors, half of them for one group, half for ten people; a tenth are prohibitions, a fifth bound to a schedule. */
async function fillRules({ services: { db } }: TestServer): Promise<void> {
  await db.execute(sql`
    insert into access_rules (project_id, name, prohibition)
    select project_id, 'Rule ' || n, n % 10 = 9 from generate_series(1, ${number(rules)}) n, (select project_id from users where login = 'admin' limit 1) p`);
  const numbered = sql`(select id, row_number() over (order by id) as n from access_rules where name like 'Rule %')`;
  const someDoors = sql`(select id, row_number() over (order by id) as n from devices where login like 'bench%')`;
  const somePeople = sql`(select id, row_number() over (order by id) as n from users where login like 'bench%')`;
  await db.execute(sql`
    insert into access_rule_devices (rule_id, device_id)
    select distinct rule.id, door.id from ${numbered} rule cross join generate_series(0, 11) k
      join ${someDoors} door on door.n = 1 + (rule.n * 7 + k * 13) % ${number(doors)}`);
  await db.execute(sql`insert into access_rule_groups (rule_id, group_id) select id, ${group('rule.n')} from ${numbered} rule where n % 2 = 0`);
  await db.execute(sql`
    insert into access_rule_users (rule_id, user_id)
    select distinct rule.id, person.id from ${numbered} rule cross join generate_series(0, 9) k
      join ${somePeople} person on person.n = 1 + (rule.n * 11 + k * 37) % ${number(people)} where rule.n % 2 = 1`);
  await db.execute(sql`
    insert into access_rule_schedules (rule_id, schedule_id)
    select id, (select id from schedules where name = 'Working hours' limit 1) from ${numbered} rule where n % 5 = 0`);
}

type Ask = <T>(path: string, body: object) => Promise<T>;

async function matrixFigures(ask: Ask): Promise<Figure[]> {
  const everything = { people_group: null, doors_group: null, person_id: null, door_id: null, only_reached: false, person: '', door: '', at: null };
  const page = (round: number) => ask('/access/matrix', { ...everything, people_page: 1 + round, doors_page: 1 + (round % 10) });
  const cold = await timesOf(1, async () => page(0));
  const first = await timesOf(rounds, async () => page(0));
  const pages = await timesOf(rounds, page);
  return [
    { what: 'the matrix of 5,400 people × 230 doors, asked for once after a start', unit: 'ms', ours: median(cold) },
    { what: 'its first page, 25 × 20: p50', unit: 'ms', ours: median(first) },
    { what: 'the same: p99', unit: 'ms', ours: percentile(first, 0.99), atMost: 300 },
    { what: 'the next pages: p50', unit: 'ms', ours: median(pages) },
    { what: 'the next pages: p99', unit: 'ms', ours: percentile(pages, 0.99) },
  ];
}

interface Effect {
  opens: { people: number };
  closes: { people: number };
  hours: { people: number };
}
const peopleIn = ({ opens, closes, hours }: Effect): number => opens.people + closes.people + hours.people;

async function effectFigures({ services: { db } }: TestServer, ask: Ask): Promise<Figure[]> {
  const { rows } = await db.execute<{ doors: string; town: string; hours: string }>(sql`
    select (select array_to_string(array_agg(id), ',') from (select id from devices where login like 'bench%' limit 12) d) as doors,
      (select id from groups where parent_id is null and project_id = (select project_id from users where login = 'admin' limit 1) limit 1) as town,
      (select id from schedules where name = 'Working hours' limit 1) as hours`);
  const [found] = rows;
  if (!found) throw new Error('the demo has no group');
  const rule = { name: 'All', description: null, time_rules: [], users: [], identifiers: [], is_shareable: false };
  const draft = { ...rule, prohibition: false, devices: found.doors.split(','), domains: [found.town] };
  const effect = (change: object) => ask<Effect>('/access/effect', change);
  const opening = { area: 'access-rules', id: null, draft };
  const barring = { ...opening, draft: { ...draft, prohibition: true } };
  const unscheduled = { area: 'schedules', id: found.hours, draft: null };
  const [reached, rescheduled] = [peopleIn(await effect(opening)), peopleIn(await effect(unscheduled))];
  const opened = await timesOf(rounds, async () => effect(opening));
  const barred = await timesOf(rounds, async () => effect(barring));
  const hours = await timesOf(rounds, async () => effect(unscheduled));
  return [
    { what: `what a new rule of 12 doors would open for ${reached} people: p50`, unit: 'ms', ours: median(opened) },
    { what: 'the same: p99', unit: 'ms', ours: percentile(opened, 0.99), atMost: 1_000 },
    { what: 'what it would close as a prohibition: p99', unit: 'ms', ours: percentile(barred, 0.99), atMost: 1_000 },
    { what: `what deleting a schedule of 100 rules would change for ${rescheduled} people: p99`, unit: 'ms', ours: percentile(hours, 0.99) },
  ];
}

/** What people ask of the evaluator over HTTP: a page of the matrix, and what a change of a rule or a schedule would do. */
export async function benchAccessQuestions(): Promise<Figure[]> {
  const server = await openTestServer({ demo: true, config: { checkAnswers: false } });
  try {
    await fillPeople(server);
    await fillRules(server);
    await vacuumOutgrown(server.services);
    const address = await server.app.listen({ port: 0, host: '127.0.0.1' });
    const { token } = await server.signIn('admin');
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const ask: Ask = async <T>(path: string, body: object) => {
      const answer = await fetch(`${address}/api/v0${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return ((await answer.json()) as { data: T }).data;
    };
    return [...(await matrixFigures(ask)), ...(await effectFigures(server, ask))];
  } finally {
    await server.close();
  }
}

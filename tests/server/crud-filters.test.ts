import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allLicensed } from '#models/licence-info.ts';
import { type FilterItem, type FilterKind, type ListQuery, matchModes, rulesByKind } from '#models/query.ts';
import { users as model } from '#models/users.ts';
import { projectScope } from '#server/access/scope.ts';
import { readPage } from '#server/crud/rows.ts';
import { Totals } from '#server/crud/totals.ts';
import { markers, userDomains, userMarkers, users } from '#server/db/schema/index.ts';
import { auditEventsRepository } from '#server/modules/audit-events/repository.ts';
import { usersRepository } from '#server/modules/users/repository.ts';
import { buildEstate, type Estate, makeRole } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

interface Known {
  id: string;
  name: string;
  login: string;
  email: string | null;
  description: string | null;
  role: string;
  domains: string[];
  markers: string[];
  activated_at: number;
  elevator_access_disabled: boolean;
  created_at: string;
  last_seen_at: string | null;
}

let server: TestServer;
let estate: Estate;
const known: Known[] = [];
const labels = [randomUUID(), randomUUID()];
const roleIds: string[] = [];

const names = [
  'Анна Жук',
  'анна',
  "O'Neill",
  'Zoë',
  '100% sure',
  'under_score',
  'underXscore',
  String.raw`back\slash`,
  '%',
  '_',
  'ANNA',
  'a',
  "' OR 1=1--",
  'العربية',
  'e\u0301clair',
];

beforeAll(async () => {
  server = await openTestServer();
  const { services } = server;
  estate = await buildEstate(services);
  const { groups } = estate;
  roleIds.push(await makeRole(services, estate.here, []), await makeRole(services, estate.here, []));
  await services.db.insert(markers).values(labels.map((id, index) => ({ id, projectId: estate.here, name: `m${index}`, color: '#123456' })));
  for (const [index, name] of names.entries()) {
    const person: Known = {
      id: randomUUID(),
      name,
      login: `${index % 2 ? 'L' : 'l'}${index}`,
      email: index % 3 === 0 ? null : `Mail_${index}@Example.org`,
      description: index % 4 === 0 ? null : `${name} ${index}`,
      role: roleIds[index % 2] ?? '',
      domains: [groups.n1, groups.n2].filter((_, place) => index % (place + 2) === 0),
      markers: labels.filter((_, place) => index % (place + 3) === 0),
      activated_at: index * 10,
      elevator_access_disabled: index % 5 === 0,
      created_at: new Date(Date.UTC(2026, 0, 1 + index)).toISOString(),
      last_seen_at: index % 2 === 0 ? null : new Date(Date.UTC(2026, 1, 1 + index)).toISOString(),
    };
    known.push(person);
    await services.db.insert(users).values({
      id: person.id,
      projectId: estate.here,
      roleId: person.role,
      login: person.login,
      name,
      email: person.email,
      description: person.description,
      licenseInfo: allLicensed,
      activatedAt: person.activated_at,
      elevatorAccessDisabled: person.elevator_access_disabled,
      createdAt: new Date(person.created_at),
      lastSeenAt: person.last_seen_at === null ? null : new Date(person.last_seen_at),
    });
    if (person.domains.length > 0) await services.db.insert(userDomains).values(person.domains.map((groupId) => ({ userId: person.id, groupId })));
    if (person.markers.length > 0) await services.db.insert(userMarkers).values(person.markers.map((markerId) => ({ userId: person.id, markerId })));
  }
});
afterAll(() => server.close());

/** What a filter means, said once more without SQL. */
function fits(person: Known, { field, rule, value }: FilterItem): boolean {
  const held = person[field as keyof Known];
  const kind = model.filters[field as keyof typeof model.filters] as FilterKind;
  const asked = (Array.isArray(value) ? value : [value]) as (string | number | boolean | null)[];
  if (kind === 'refs') {
    const list = held as string[];
    return rule === 'has' ? list.some((id) => asked.includes(id)) : list.length > 0 === (value === true);
  }
  if (rule === 'is') return kind === 'flag' ? held === value : (held !== null) === (value === true);
  const small = (text: unknown): unknown => (kind === 'text' && typeof text === 'string' ? text.toLowerCase() : text);
  const [left, right] = kind === 'time' ? [held === null ? null : Date.parse(String(held)), Date.parse(String(value))] : [small(held), small(value)];
  switch (rule) {
    case 'equals':
      return kind === 'ref' ? asked.includes(held as string) : left === right;
    case 'not_equals':
      return kind === 'ref' ? !asked.includes(held as string) : left !== right;
    case 'contains':
      return typeof left === 'string' && left.includes(String(right));
    case 'begins_with':
      return typeof left === 'string' && left.startsWith(String(right));
    case 'above':
      return left !== null && Number(left) > Number(right);
    case 'below':
      return left !== null && Number(left) < Number(right);
    case 'equals_above':
      return left !== null && Number(left) >= Number(right);
    case 'equals_below':
      return left !== null && Number(left) <= Number(right);
    default:
      return false;
  }
}

const values = (kind: FilterKind, field: string): FilterItem['value'][] => {
  switch (kind) {
    case 'text':
      return ['anna', 'АННА', '%', '_', '\\', 'score', "' OR 1=1--", 'e\u0301', 'nobody', '', '@example', 'العر'];
    case 'number':
      return [0, 30, 45.5, -1, 1e300];
    case 'time':
      return ['2026-01-05T00:00:00Z', '2026-02-04T00:00:00.000Z', '1999-01-01', '0001-01-01', '9999-12-31'];
    case 'flag':
      return [true, false];
    case 'ref':
      return [roleIds[0] ?? '', roleIds, randomUUID()];
    case 'refs':
      return [field === 'markers' ? labels : [estate.groups.n1], [estate.groups.n2, labels[1] ?? ''], randomUUID()];
    default:
      return [''];
  }
};
const forRule = (kind: FilterKind, rule: FilterItem['rule'], field: string): FilterItem['value'][] =>
  rule === 'is' && kind !== 'flag' ? [true, false, null] : values(kind, field);

const query = (filters: ListQuery['filters'], over: Partial<ListQuery> = {}): ListQuery => ({
  page: 1,
  size: 100,
  sort: ['created_at'],
  with: [],
  filters,
  ...over,
});
const found = async (filters: ListQuery['filters']): Promise<string[]> => {
  const { rows, total } = await readPage(server.services.db, new Totals(server.services), usersRepository, projectScope(estate.here), query(filters));
  expect(total).toBe(rows.length);
  return rows.map(({ id }) => id);
};

describe('filters', () => {
  const table = Object.entries(model.filters).flatMap(([field, kind]) =>
    rulesByKind[kind as FilterKind].map((rule) => [field, rule, kind as FilterKind] as const),
  );

  it.each(table)('%s %s means what it says', async (field, rule, kind) => {
    for (const value of forRule(kind, rule, field)) {
      const item: FilterItem = { field, rule, value };
      expect(await found({ match: 'match_all', items: [item] }), JSON.stringify(item)).toEqual(
        known.filter((person) => fits(person, item)).map(({ id }) => id),
      );
    }
  });

  it('are joined by both match modes', async () => {
    const items: FilterItem[] = [
      { field: 'name', rule: 'contains', value: 'a' },
      { field: 'activated_at', rule: 'above', value: 50 },
      { field: 'domains', rule: 'has', value: estate.groups.n1 },
      { field: 'role', rule: 'not_equals', value: roleIds[1] ?? '' },
      { field: 'last_seen_at', rule: 'equals_above', value: '2026-02-03T00:00:00Z' },
    ];
    for (const match of matchModes)
      for (let mask = 0; mask < 32; mask += 1) {
        const chosen = items.filter((_, index) => mask & (1 << index));
        const expected = known.filter((person) =>
          chosen.length === 0 ? true : match === 'match_all' ? chosen.every((item) => fits(person, item)) : chosen.some((item) => fits(person, item)),
        );
        expect(await found({ match, items: chosen })).toEqual(expected.map(({ id }) => id));
      }
  });
});

describe('order and pages', () => {
  it('sorts text by lower case, ids last, and turns round with a minus', async () => {
    const order = async (sort: string[]) =>
      (
        await readPage(
          server.services.db,
          new Totals(server.services),
          usersRepository,
          projectScope(estate.here),
          query({ match: 'match_all', items: [] }, { sort }),
        )
      ).rows.map(({ id }) => id);
    const expected = known.toSorted((a, b) => (a.login.toLowerCase() < b.login.toLowerCase() ? -1 : 1)).map(({ id }) => id);
    expect(await order(['login'])).toEqual(expected);
    const flags = await order(['-activated_at']);
    expect(flags).toEqual(known.toReversed().map(({ id }) => id));
    for (const field of model.sorts) expect(new Set(await order([field]))).toEqual(new Set(expected));
  });

  it('cuts pages that neither repeat nor lose a row', async () => {
    const seen: string[] = [];
    for (let page = 1; page <= 5; page += 1) {
      const { rows, total } = await readPage(
        server.services.db,
        new Totals(server.services),
        usersRepository,
        projectScope(estate.here),
        query({ match: 'match_all', items: [] }, { page, size: 4, sort: ['role'] }),
      );
      expect(total).toBe(known.length);
      seen.push(...rows.map(({ id }) => id));
    }
    expect(seen).toHaveLength(known.length);
    expect(new Set(seen).size).toBe(known.length);
  });

  it.each([
    ['few', 60],
    ['many', 1_060],
  ])('puts the matches of a log in order, %s of them', async (what, count) => {
    const { db } = server.services;
    const name = `Of ${what}`;
    await db.execute(sql`insert into audit_events (project_id, area, entity_name, action, created_at)
      select ${estate.here}, 'users', ${name} || ' ' || n, 'update', now() - (n % 7) * interval '1 hour' from generate_series(1, ${count}::int) n`);
    const { rows: expected } = await db.execute<{ id: string }>(
      sql`select id from audit_events where entity_name like ${`${name}%`} order by created_at desc, id desc`,
    );
    const seen: string[] = [];
    for (let page = 1; page <= Math.ceil(count / 50); page += 1) {
      const filters = { match: 'match_all' as const, items: [{ field: 'entity_name', rule: 'contains' as const, value: name.toUpperCase() }] };
      const wanted = query(filters, { page, size: 50, sort: ['-created_at'] });
      const { rows, total } = await readPage(db, new Totals(server.services), auditEventsRepository, projectScope(estate.here), wanted);
      expect(total).toBe(count);
      seen.push(...rows.map(({ id }) => id));
    }
    expect(seen).toEqual(expected.map(({ id }) => id));
  });
});

import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { areaNames } from '#models/areas.ts';
import { modelOf } from '#models/index.ts';
import { filterRules } from '#models/query.ts';
import { permissionCodes } from '#models/permission-catalogue.ts';
import { isFull } from '#tests/support/extent.ts';
import { buildEstate, type Estate, groupBody, makePerson, type Person, userBody } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

const lists = isFull ? 10_000 : 500;
let server: TestServer;
let estate: Estate;
let boss: Person;
let visitor: Person;

beforeAll(async () => {
  server = await openTestServer({ config: { ratePerUser: 1_000_000, ratePerIp: 1_000_000 } });
  estate = await buildEstate(server.services);
  boss = await makePerson(server, estate, { permissions: permissionCodes, in: [estate.groups.town] });
  visitor = await makePerson(server, estate, {
    permissions: ['can_view_users', 'can_view_roles', 'can_view_users_roles', 'can_view_markers'],
    in: [estate.groups.north],
  });
});
afterAll(() => server.close());

const secrets = /password_hash|passwordHash|token_hash|refresh_hash|\$argon2/i;
const innards = /syntax error|drizzle|node_modules|Failed query|\.ts:\d/i;
const slow: number[] = [];

/** Sends a request and holds it to the law: an answer of the contract, never a 5xx, never a secret; throws where it is broken. */
async function lawful(send: () => Promise<{ statusCode: number; body: string }>, what: string): Promise<number> {
  const started = performance.now();
  const { statusCode, body } = await send();
  slow.push(performance.now() - started);
  // A refusal repeats what was asked for, whatever that was.
  if (statusCode >= 500 || innards.test(body) || (statusCode < 300 && secrets.test(body)))
    throw new Error(`${what}: ${statusCode} ${body.slice(0, 500)}`);
  return statusCode;
}

const nasty = fc.oneof(
  fc.constantFrom(
    "' OR 1=1--",
    '%',
    '_',
    '\\',
    '\u0000',
    '\ud800',
    '',
    ' ',
    '$1',
    '${x}',
    '{}',
    '[]',
    'null',
    '__proto__',
    'constructor',
    "'; drop table users;--",
    '1e999',
    'NaN',
    '-0',
    '\u202e',
    '2026-02-30',
    '0000-00-00',
    '+275760-09-13T00:00:00.000Z',
    'infinity',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 10 }).map((text) => text.repeat(1_100)),
);
const anything = fc.oneof(
  nasty,
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.oneof(nasty, fc.integer(), fc.uuid()), { maxLength: 4 }),
  fc.uuid(),
  fc.object({ maxDepth: 2 }),
  fc.constantFrom(1e308, -1e308, 2 ** 53, -1),
);
const area = fc.constantFrom(...areaNames);
const fieldOf = (name: (typeof areaNames)[number]) =>
  fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...Object.keys(modelOf(name).filters)) },
    { weight: 1, arbitrary: fc.oneof(nasty, fc.constantFrom('password_hash', 'project_id', 'permissions', 'users.password_hash', 'toString')) },
  );
const item = (name: (typeof areaNames)[number]) =>
  fc.record({ field: fieldOf(name), rule: fc.oneof(fc.constantFrom<string>(...filterRules), nasty), value: anything }, { requiredKeys: [] });
const query = area.chain((name) =>
  fc.record({
    area: fc.constant(name),
    params: fc.record(
      {
        page: fc.oneof(fc.integer(), nasty, fc.constantFrom(1, 2, 1_000_000, 1e9)),
        size: fc.oneof(fc.integer(), nasty, fc.constantFrom(1, 20, 500, 501, 1e9)),
        sort: fc.oneof(
          fc.constantFrom(...modelOf(name).sorts, ...modelOf(name).sorts.map((sort) => `-${sort}`)),
          nasty,
          fc.constantFrom('-', '--name', 'name,name,-id', 'password_hash'),
        ),
        with: fc.oneof(fc.constantFrom(...modelOf(name).relations, 'sessions'), nasty),
        filters: fc.oneof(
          {
            weight: 6,
            arbitrary: fc
              .record(
                { match: fc.oneof(fc.constantFrom('match_all', 'match_any'), nasty), items: fc.array(item(name), { maxLength: 4 }) },
                { requiredKeys: ['items'] },
              )
              .map((value) => JSON.stringify(value)),
          },
          { weight: 1, arbitrary: nasty },
          {
            weight: 1,
            arbitrary: fc.constantFrom(
              '['.repeat(10_000),
              `{"items":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
              JSON.stringify({ items: Array.from({ length: 10_000 }, () => 1) }),
              '{"__proto__":{"items":[]}}',
              '{"items":[{"__proto__":{"field":"name"}}]}',
            ),
          },
        ),
      },
      { requiredKeys: [] },
    ),
  }),
);
const address = (params: object): string =>
  new URLSearchParams(
    Object.entries(params).map(([key, value]): [string, string] => [key, String(value).replaceAll(/[\ud800-\udfff]/g, '?')]),
  ).toString();

it(`${lists} lists asked for in foul ways are answered or refused, never broken (C15, C16)`, async () => {
  const codes = new Set<number>();
  await fc.assert(
    fc.asyncProperty(query, fc.boolean(), async ({ area: name, params }, byBoss) => {
      const { client } = byBoss ? boss : visitor;
      codes.add(await lawful(() => client.get(`/${modelOf(name).path}?${address(params)}`), `${name} ${JSON.stringify(params)}`));
    }),
    { numRuns: lists, seed: 2_026 },
  );
  expect(codes).toEqual(new Set([200, 400, 403]));
  slow.sort((a, b) => a - b);
  expect(slow[Math.floor(slow.length * 0.99)]).toBeLessThan(600);
});

const bodyOf = (name: string): Record<string, unknown> =>
  name === 'users'
    ? userBody({ role: boss.roleId, domains: [estate.groups.n1] })
    : name === 'groups'
      ? groupBody({ parent_id: estate.groups.n1 })
      : { name: 'x', description: null, permissions: [], available_roles: [], color: '#000000', has_logic_address: true };

it('400 writes with foul fields are checked, never broken', async () => {
  const writable = areaNames.filter((name) => !modelOf(name).readOnly);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...writable),
      fc.dictionary(fc.string({ maxLength: 8 }), anything, { maxKeys: 2 }),
      fc.nat(),
      anything,
      async (name, extra, pick, value) => {
        const fields = Object.keys(modelOf(name).fields);
        const field = fields[pick % fields.length] ?? 'name';
        const full = Object.fromEntries(Object.entries(bodyOf(name)).filter(([key]) => fields.includes(key)));
        await lawful(() => boss.client.put(`/${name}`, { ...full, ...extra, [field]: value }), `PUT ${name} ${field} ${JSON.stringify(value)}`);
        await lawful(() => boss.client.patch(`/${name}/${estate.groups.n1}`, { [field]: value }), `PATCH ${name} ${field} ${JSON.stringify(value)}`);
      },
    ),
    { numRuns: 200, seed: 2_027 },
  );
  expect(slow.length).toBeGreaterThanOrEqual(lists + 400);
});

it('filters of bulk deleting and exporting are held to the same law', async () => {
  await fc.assert(
    fc.asyncProperty(
      area.chain((name) => fc.record({ name: fc.constant(name), items: fc.array(item(name), { maxLength: 3 }) })),
      async ({ name, items }) => {
        await lawful(
          () => visitor.client.post(`/${modelOf(name).path}/export`, { export_format: 'csv', filters: { match: 'match_all', items } }),
          `export ${JSON.stringify(items)}`,
        );
        await lawful(() => visitor.client.post(`/${name}/delete`, { filters: { match: 'match_all', items } }), `delete ${JSON.stringify(items)}`);
      },
    ),
    { numRuns: 100, seed: 2_028 },
  );
  expect(slow.length).toBeGreaterThanOrEqual(lists + 600);
});

it('what looks like SQL or a pattern is text like any other (C15)', async () => {
  const names = ["' OR 1=1--", '100% sure', 'under_score', String.raw`back\slash`];
  for (const description of names)
    await boss.client.put('/group-types', { name: `T ${names.indexOf(description)}`, description, has_logic_address: true });
  const count = async (value: string): Promise<number> => {
    const filters = encodeURIComponent(JSON.stringify({ items: [{ field: 'description', rule: 'contains', value }] }));
    return ((await boss.client.get(`/group-types?filters=${filters}`)).json() as { meta: { total: number } }).meta.total;
  };
  for (const name of names) expect([name, await count(name)]).toEqual([name, 1]);
  expect([await count('%'), await count('_'), await count('\\'), await count("'")]).toEqual([1, 1, 1, 1]);
});

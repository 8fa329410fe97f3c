import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Identifier } from '#models/identifiers.ts';
import { permissionCodes } from '#models/permission-catalogue.ts';
import { buildEstate, dataOf, type Estate, makePerson, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let estate: Estate;
let admin: Person;
let made = 0;

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
  admin = await makePerson(server, estate, { permissions: permissionCodes, in: [estate.groups.town] });
});
afterAll(() => server.close());

const identifier = (period_restrict_to: unknown) =>
  admin.client.put('/identifiers', {
    name: 'Card',
    description: null,
    type: 'card',
    value: String(90_000 + (made += 1)),
    is_active: true,
    owner: admin.id,
    owner_type: 'owner',
    guest_type: null,
    domain: null,
    access_rules: [],
    lock_numbers: [],
    period_restrict_active: true,
    period_restrict_from: '2026-01-01T00:00:00.000Z',
    passes_restrict_active: false,
    passes_max_count: null,
    period_restrict_to,
  });
const schedule = (over: Record<string, unknown>) =>
  admin.client.put('/schedules', {
    name: `Hours ${(made += 1)}`,
    description: null,
    from: 9 * 3_600,
    to: 18 * 3_600,
    valid_from: null,
    valid_to: null,
    is_all_day: false,
    days: { mon: true, tue: true, wed: true, thu: true, fri: true, sat: false, sun: false },
    repeat_mode: 'weekly',
    holiday_mode: 'rests',
    holiday_from: 0,
    holiday_to: 0,
    ...over,
  });

it.each([
  999_999_999_999,
  '999999999999',
  '+275760-09-13T00:00:00.001Z',
  '-000001-01-01T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2025-02-29T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-05-01T24:30:00Z',
  '2026-05-01T00:00:00+99:00',
])('a period that ends on %s is refused (C18)', async (moment) => {
  const answer = await identifier(moment);
  const { issues } = dataOf<{ issues: { path: string[] }[] }>(answer);
  expect([answer.statusCode, issues.map(({ path }) => path)]).toEqual([422, [['period_restrict_to']]]);
});

it.each(['2028-02-29T12:00:00.000Z', '2026-03-29T01:30:00.000Z', '9999-12-31T23:59:59.000Z'])(
  'a period may end at %s, and is shown as it was said (C18)',
  async (moment) => {
    const answer = await identifier(moment);
    expect(answer.statusCode, answer.body).toBe(200);
    const row = dataOf<Identifier>(await admin.client.get(`/identifiers/${dataOf<string>(answer)}`));
    expect(Date.parse(row.period_restrict_to ?? '')).toBe(Date.parse(moment));
  },
);

it.each([
  { valid_from: '2025-02-29' },
  { valid_to: '2026-02-30' },
  { valid_from: '999999999999' },
  { valid_from: 999_999_999_999 },
  { valid_from: '2026-05-02', valid_to: '2026-05-01' },
  { from: 86_401 },
  { to: -1 },
  { from: 999_999_999_999 },
])('a schedule with %j is refused (C18)', async (over) => {
  expect((await schedule(over)).statusCode).toBe(422);
});

it.each([
  { valid_from: '2028-02-29', repeat_mode: 'yearly' },
  { from: 22 * 3_600, to: 6 * 3_600 },
  { valid_from: '2026-03-29', valid_to: '2026-03-29' },
])('a schedule with %j is taken as it is (C18)', async (over) => {
  const answer = await schedule(over);
  expect(answer.statusCode, answer.body).toBe(200);
  expect(dataOf(await admin.client.get(`/schedules/${dataOf<string>(answer)}`))).toMatchObject(over);
});

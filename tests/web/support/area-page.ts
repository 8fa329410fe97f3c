import { screen } from '@testing-library/react';
import { permissionCodes } from '#models/permission-catalogue.ts';
import type { Profile } from '#models/profile.ts';
import { allLicensed } from '#models/licence-info.ts';
import { anna, uuid } from '#tests/support/people.ts';
import { openConsole, signedInBefore, smallBuilding } from './console.tsx';
import type { Seen } from './fake-server.ts';

type Handlers = NonNullable<Parameters<typeof smallBuilding>[0]>;

/** Anna with every permission, or with those named. */
export const annaWith = (...permissions: string[]): Profile => ({
  ...anna,
  role: {
    id: uuid(2),
    name: 'Manager',
    permissions: permissions.length > 0 ? permissions : [...permissionCodes],
    available_roles: [uuid(20), uuid(21)],
  },
});

const stamps = { version: 1, created_at: '2026-01-02T03:04:05.000Z', updated_at: '2026-01-02T03:04:05.000Z' };

/** A row of users as the server answers it. */
export const person = (number: number, more: Record<string, unknown> = {}) => ({
  ...stamps,
  id: uuid(number),
  login: `login-${number}`,
  name: `Person ${number}`,
  description: null,
  email: `p${number}@example.org`,
  role: { id: uuid(20), name: 'Resident' },
  domains: [{ id: uuid(30), name: 'Tower' }],
  profile: { phone: null, address: null },
  markers: [],
  access_rules: [],
  identifiers: [],
  sip_numbers: [],
  license_info: allLicensed,
  elevator_access_disabled: false,
  avatar_url: null,
  mobile_clients: [],
  license_until: null,
  activated_at: number,
  last_seen_at: null,
  created_by: null,
  ...more,
});

/** A row of roles. */
export const role = (number: number, more: Record<string, unknown> = {}) => ({
  ...stamps,
  id: uuid(number),
  name: `Role ${number}`,
  description: null,
  permissions: [],
  available_roles: [],
  created_by_user: null,
  users_count: 0,
  ...more,
});

/** A node of the tree of groups. */
export const node = (number: number, parent: number | null, name = `Group ${number}`) => ({
  id: uuid(number),
  name,
  parent_id: parent === null ? null : uuid(parent),
  type: { id: uuid(90), name: 'House' },
  logic_address: String(number),
  children_count: 0,
  users_count: number % 3,
  version: 1,
});

/** A page of rows as the server answers it; `total` where there are more. */
export const rowsAnswer = (rows: readonly unknown[], total = rows.length) => ({ body: { data: rows, meta: { page: 1, size: 20, total } } });

/** Pages of so many people, cut as the request says. */
export const manyPeople =
  (total: number) =>
  ({ query }: Seen): object => {
    const [page, size] = [Number(query['page'] ?? 1), Number(query['size'] ?? 20)];
    const count = Math.max(0, Math.min(size, total - (page - 1) * size));
    return rowsAnswer(
      Array.from({ length: count }, (_, at) => person(1_000 + (page - 1) * size + at)),
      total,
    );
  };

/** The console signed in, at an address, over a server that answers so. */
export async function openPage(path: string, handlers: Handlers, profile: Profile = annaWith()) {
  const server = smallBuilding({
    'GET /profile': () => ({ body: { data: profile } }),
    'GET /groups/tree': () => ({ body: { data: [] } }),
    'GET /group-types': () => rowsAnswer([]),
    'GET /markers': () => rowsAnswer([]),
    ...handlers,
  });
  signedInBefore();
  const page = await openConsole(path);
  await screen.findByRole('main');
  return { ...page, server };
}

/** The rows of the one table, without its head. */
export const rows = (): HTMLTableRowElement[] => screen.getAllByRole<HTMLTableRowElement>('row').slice(1);
/** The words of a row, cell by cell. */
export const wordsOf = (row: HTMLTableRowElement): string[] => [...row.cells].map(({ textContent }) => textContent);

import { act } from 'react';
import { permissionCodes } from '#models/permission-catalogue.ts';
import type { Profile } from '#models/profile.ts';
import { allLicensed } from '#models/licence-info.ts';
import { anna, uuid } from '#tests/support/people.ts';
import { openConsole, smallBuilding } from './console.tsx';
import type { Seen } from './fake-server.ts';
import { freshPages } from './fresh-pages.ts';

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

/** Starts every test of a file with a clean browser and closes the console after it. */
export function areaPages() {
  const openPage = freshPages(openConsole);

  /** Signed in, at an address, over a server that answers so. */
  return async (path: string, handlers: Handlers, profile: Profile = annaWith()) => {
    const server = smallBuilding({
      'GET /profile': () => ({ body: { data: profile } }),
      'GET /groups/tree': () => ({ body: { data: [] } }),
      'GET /group-types': () => rowsAnswer([]),
      'GET /markers': () => rowsAnswer([]),
      ...handlers,
    });
    localStorage.setItem('doorward.session', JSON.stringify({ token: 'access-1', refresh: 'refresh-1' }));
    const page = await openPage(path);
    await page.until('the shell', () => page.host.querySelector('.shell') !== null);
    return { ...page, server };
  };
}

export const all = <E extends HTMLElement = HTMLElement>(selector: string): E[] => [...document.querySelectorAll<E>(selector)];
export const one = <E extends HTMLElement = HTMLElement>(selector: string): E => {
  const [found] = all<E>(selector);
  if (!found) throw new Error(`nothing is ${selector}`);
  return found;
};
/** The first of several that says exactly this. */
export function withWords(selector: string, words: string): HTMLElement {
  const found = all(selector).find(({ textContent }) => textContent?.trim() === words);
  if (!found) throw new Error(`no ${selector} says ${words}`);
  return found;
}
/** A button or a line of a menu by its words. */
export const button = (words: string): HTMLElement => {
  const found = all('button, [role="menuitem"]').find(({ textContent }) => textContent?.trim() === words);
  if (!found)
    throw new Error(
      `no button says ${words}; there are ${all('button')
        .map(({ textContent }) => textContent)
        .join(' | ')}`,
    );
  return found;
};
export const press = (target: string | HTMLElement): Promise<void> => act(async () => (typeof target === 'string' ? button(target) : target).click());
/** Types over what an input holds, as a person would. */
export const type = (target: string | HTMLElement, text: string): Promise<void> =>
  act(async () => {
    const input = typeof target === 'string' ? one(target) : target;
    Reflect.set(Object.getPrototypeOf(input) as object, 'value', text, input);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
/** Chooses an option of a select. */
export const choose = (target: HTMLElement, value: string): Promise<void> =>
  act(async () => {
    Reflect.set(Object.getPrototypeOf(target) as object, 'value', value, target);
    target.dispatchEvent(new Event('change', { bubbles: true }));
  });
/** The words of the body's rows, cell by cell. */
export const cells = (): string[][] => all('tbody tr[data-id]').map((row) => [...row.children].map(({ textContent }) => textContent ?? ''));

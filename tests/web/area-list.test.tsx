import { act } from 'react';
import { describe, expect, it } from 'vitest';
import {
  all,
  annaWith,
  areaPages,
  button,
  cells,
  choose,
  manyPeople,
  node,
  one,
  person,
  press,
  role,
  rowsAnswer,
  type,
  withWords,
} from './support/area-page.ts';
import { uuid } from '#tests/support/people.ts';
import { refused } from './support/fake-server.ts';

const open = areaPages();
const asked = (seen: { query: Record<string, string> }[]) => seen.at(-1)?.query;
const people = { 'GET /users': manyPeople(128) };

describe('a list', () => {
  it('shows rows in words: names, groups, role, and what is not there as a dash', async () => {
    const page = await open('/users', { 'GET /users': () => rowsAnswer([person(40, { email: null, role: null, activated_at: 0 })]) });
    await page.shows('Person 40');
    expect(cells()[0]?.slice(1, 7)).toEqual(['Person 40No e-mail', 'Tower', '—', 'login-40', '—', 'Not activated']);
    expect(document.body.textContent).not.toMatch(/null|undefined|00000000-/);
  });

  it('keeps room for its rows before they come', async () => {
    let answer: (value: object) => void = () => {};
    const page = await open('/users', { 'GET /users': () => new Promise<object>((resolve) => (answer = resolve)) as never });
    await page.until('bones', () => all('.row-skeleton').length === 20);
    expect(one('table').getAttribute('aria-busy')).toBe('true');
    await act(async () => answer(rowsAnswer([person(40)])));
    await page.shows('Person 40');
    expect(all('.row-skeleton')).toEqual([]);
  });

  it('sorts by its heads, and the address says so', async () => {
    const page = await open('/users', people);
    await page.shows('1–20 of 128');
    expect(one('th[aria-sort="ascending"]').textContent).toBe('Name');
    await press('Login');
    await page.at('/users?sort=login');
    await page.until('the order', () => asked(page.server.asked('GET', '/users'))?.['sort'] === 'login');
    await press('Login');
    await page.at('/users?sort=-login');
    expect(one('th[aria-sort="descending"]').textContent).toBe('Login');
  });

  it('turns pages, changes their size, and Back restores what was', async () => {
    const page = await open('/users', people);
    await page.shows('1–20 of 128');
    await press('Next');
    await page.at('/users?page=2');
    await page.shows('21–40 of 128');
    await choose(one('.foot-size'), '100');
    await page.at('/users?size=100');
    await page.shows('1–100 of 128');
    await act(async () => page.router.navigate(-1));
    await page.shows('21–40 of 128');
    expect(page.where()).toBe('/users?page=2');
  });

  it('searches all its fields after a pause', async () => {
    const page = await open('/users', people);
    await page.shows('1–20 of 128');
    await type('[data-search]', 'anna');
    await page.at('/users?search=anna');
    await page.until('the search', () => (asked(page.server.asked('GET', '/users'))?.['filters'] ?? '').includes('"login"'));
    expect(JSON.parse(asked(page.server.asked('GET', '/users'))?.['filters'] ?? '')).toEqual({
      match: 'match_any',
      items: ['name', 'email', 'login'].map((field) => ({ field, rule: 'contains', value: 'anna' })),
    });
  });

  it('adds a filter by a chip, switches how filters go together, and removes it again', async () => {
    const page = await open('/users', people);
    await page.shows('1–20 of 128');
    const add = async (field: string, value: string) => {
      await press('+ Filter');
      await page.until('the fields', () => all('.filter-fields button').some(({ textContent }) => textContent === field));
      await press(withWords('.filter-fields button', field));
      await type('.filter-form input', value);
      await press('Apply');
    };
    await add('Name', 'an');
    await page.until('one filter', () => decodeURIComponent(page.where()).includes('"an"'));
    await add('Login', 'x');
    await press('All must hold');
    await page.until('any', () => decodeURIComponent(page.where()).includes('match_any'));
    expect(all('.list-asks .chip b').map(({ textContent }) => textContent?.trim())).toEqual(['Name', 'Login']);
    await press(one('[aria-label="Remove the filter “Name”"]'));
    await page.until('one left', () => all('.list-asks .chip b').length === 1);
    expect(JSON.parse(new URLSearchParams(page.where().split('?')[1]).get('filters') ?? '').items).toEqual([
      { field: 'login', rule: 'contains', value: 'x' },
    ]);
  });

  it('filters by rows of another area, called by name', async () => {
    const filters = JSON.stringify({ match: 'match_all', items: [{ field: 'role', rule: 'equals', value: [uuid(20)] }] });
    const page = await open(`/users?filters=${encodeURIComponent(filters)}`, {
      ...people,
      [`GET /roles/${uuid(20)}`]: () => ({ body: { data: role(20, { name: 'Resident' }) } }),
    });
    await page.until('the name', () => one('.list-asks .chip').textContent === 'Role Resident');
    expect(page.server.asked('GET', `/roles/${uuid(20)}`)).toHaveLength(1);
  });

  it('says ready-made comparisons in words', async () => {
    const page = await open('/users', people);
    await page.shows('1–20 of 128');
    await press('+ Filter');
    await page.until('the fields', () => all('.filter-fields button').length > 0);
    await press(withWords('.filter-fields button', 'Activated'));
    await press('Not activated');
    await page.until('the chip', () => all('.list-asks .chip').some(({ textContent }) => textContent === 'Activated Not activated'));
    expect(decodeURIComponent(page.where())).toContain('{"field":"activated_at","rule":"equals","value":0}');
  });

  it('shows, hides and orders columns, kept in the address', async () => {
    const page = await open('/users', people);
    await page.shows('1–20 of 128');
    const heads = () =>
      all('thead th')
        .map(({ textContent }) => textContent?.trim())
        .filter(Boolean);
    await page.until('the button', () => all('.tool-columns').length === 1 && !one<HTMLButtonElement>('.tool-columns').disabled);
    await press(one('.tool-columns'));
    await press(one('[aria-label="Move “Role” up"]'));
    await page.until('the order', () => heads().slice(0, 3).join() === 'Name,Role,Groups');
    await press(withWords('.column-choice label', 'Login'));
    await page.until('one less', () => !heads().includes('Login'));
    expect(new URLSearchParams(page.where().split('?')[1]).get('columns')).toBe('role,domains,markers,activated_at,last_seen_at');
    await press('As usual');
    await page.at('/users');
  });

  it('says what is missing in the link instead of guessing', async () => {
    const page = await open('/users?sort=password', people);
    await page.shows('This link asks for something the list does not have');
    await press('Show everything');
    await page.shows('1–20 of 128');
    expect(page.where()).toBe('/users');
  });

  it('is empty with a sentence and one button, and empty by filters with another', async () => {
    const page = await open('/users', { 'GET /users': () => rowsAnswer([]) });
    await page.shows('No users yet');
    expect(all('.empty-state button').map(({ textContent }) => textContent)).toEqual(['Add user']);
    await type('[data-search]', 'zzz');
    await page.shows('Nothing matches the filters');
    await press('Clear filters');
    await page.at('/users');
  });

  it('goes to the last page there is when rows have gone', async () => {
    const page = await open('/users?page=9', { 'GET /users': manyPeople(45) });
    await page.at('/users?page=3');
    await page.shows('41–45 of 45');
    expect(cells()).toHaveLength(5);
  });

  it('keeps the rows it has when it cannot load others, and tries again in place', async () => {
    let broken = false;
    const page = await open('/users', {
      'GET /users': (seen) => (broken ? refused(503, 'unavailable', 'service is unavailable, try again later') : manyPeople(128)(seen)),
    });
    await page.shows('1–20 of 128');
    broken = true;
    await press('Next');
    await page.shows('Could not refresh');
    expect(cells()).toHaveLength(20);
    broken = false;
    await press('Try again');
    await page.shows('21–40 of 128');
  });

  it('says why nothing could be loaded, and tries again', async () => {
    let broken = true;
    const page = await open('/users', { 'GET /users': (seen) => (broken ? refused(500, 'internal', 'internal server error') : manyPeople(3)(seen)) });
    await page.until('the failure', () => all('.failure').length === 1);
    broken = false;
    await press(one('.failure button'));
    await page.shows('1–3 of 3');
    expect(cells()).toHaveLength(3);
  });
});

describe('rows that are selected', () => {
  const remove = (...outcomes: object[]) => ({ 'POST /users/delete': () => ({ body: { data: outcomes } }) });
  it('are counted, and all that match can be taken', async () => {
    const page = await open('/users', { ...people, ...remove() });
    await page.shows('1–20 of 128');
    for (const box of all('tbody .check').slice(0, 2)) await press(box);
    await page.shows('2 selected');
    expect(all('tbody tr[aria-selected="true"]')).toHaveLength(2);
    await press('Select all 128 that match');
    await page.shows('All 128 selected');
    expect(button('Delete 128 users')).toBeTruthy();
    await press('Clear selection');
    expect(all('tbody tr[aria-selected="true"]')).toHaveLength(0);
  });

  it('are deleted after a question that names them, and the rest says why it stayed', async () => {
    const stays = { id: uuid(1_001), name: 'Person 1001', ok: false, problem: { code: 'in_use', message: 'item is in use' } };
    const page = await open('/users', { ...people, ...remove({ id: uuid(1_000), name: 'Person 1000', ok: true }, stays) });
    await page.shows('1–20 of 128');
    for (const box of all('tbody .check').slice(0, 2)) await press(box);
    await press(one('.foot-danger'));
    await page.shows('Delete 2 users?');
    await press(one('.modal-foot .p-button-danger'));
    await page.shows('Not everything could be deleted');
    expect(page.server.asked('POST', '/users/delete').map(({ body }) => body)).toEqual([{ items: [uuid(1_000), uuid(1_001)] }]);
    expect(one('.modal .lines').textContent).toContain('Person 1001');
  });

  it('are not offered to those who may not delete', async () => {
    const page = await open('/users', people, annaWith('can_view_all_users'));
    await page.shows('1–20 of 128');
    expect([all('tbody .check').length, all('.tool-main').length]).toEqual([0, 0]);
  });
});

describe('one row', () => {
  const used = (total: number) => ({
    [`GET /users/${uuid(1_000)}/dependants`]: () => ({
      body: { data: total > 0 ? [{ area: 'groups', rows: [{ id: uuid(5), name: 'Tower' }], total }] : [] },
    }),
    'POST /users/delete': () => ({ body: { data: [{ id: uuid(1_000), name: 'Person 1000', ok: true }] } }),
  });
  const ask = async (handlers: Parameters<typeof open>[1]) => {
    const page = await open('/users', { ...people, ...handlers });
    await page.shows('1–20 of 128');
    await press(one('tbody .cell-menu button'));
    await page.until('the menu', () => all('[role="menuitem"]').length > 0);
    await press('Delete');
    await page.shows('Delete user “Person 1000”?');
    return page;
  };

  it('shows what depends on it before it is deleted, and cannot be deleted meanwhile', async () => {
    const page = await ask(used(3));
    await page.shows('3 groups: Tower and 2 more');
    expect(one<HTMLButtonElement>('.modal-foot .p-button-danger').disabled).toBe(true);
    await press('Cancel');
    expect(page.server.asked('POST', '/users/delete')).toEqual([]);
  });

  it('is deleted by a button that names it', async () => {
    const page = await ask(used(0));
    await page.shows('Nothing depends on it.');
    await press('Delete “Person 1000”');
    await page.until('it is gone', () => page.server.asked('POST', '/users/delete').length === 1);
    expect(page.server.asked('POST', '/users/delete')[0]?.body).toEqual({ items: [uuid(1_000)] });
  });

  it('opens by a click anywhere on it but on its own buttons', async () => {
    const page = await open('/users', { ...people, [`GET /users/${uuid(1_000)}`]: () => ({ body: { data: person(1_000) } }) });
    await page.shows('1–20 of 128');
    await press(one('tbody .check'));
    expect(page.where()).toBe('/users');
    await press(one('tbody tr td:nth-child(3)'));
    await page.until('the editor', () => page.where().startsWith(`/users/${uuid(1_000)}/edit?pageId=`));
  });

  it('opens to be read by those who may not change it', async () => {
    const page = await open(
      '/users',
      { ...people, [`GET /users/${uuid(1_000)}`]: () => ({ body: { data: person(1_000) } }) },
      annaWith('can_view_all_users'),
    );
    await page.shows('1–20 of 128');
    await press(one('tbody .cell-title'));
    await page.until('the view', () => page.where().startsWith(`/users/${uuid(1_000)}?pageId=`));
    await page.shows('login-1000');
    expect([all('form input').filter((input) => !(input as HTMLInputElement).disabled).length, all('button[type="submit"]').length]).toEqual([0, 0]);
  });
});

describe('an export', () => {
  it('asks for the format and takes what is filtered, with the columns that are seen', async () => {
    const job = {
      id: uuid(60),
      kind: 'export',
      state: 'completed',
      done: 128,
      total: 128,
      file_name: 'users.csv',
      failures: [],
      problem: null,
      created_at: '2026-01-02T03:04:05.000Z',
    };
    const page = await open('/users?columns=login&sort=-login', { ...people, 'POST /users/export': () => ({ status: 202, body: { data: job } }) });
    await page.shows('1–20 of 128');
    await press('Export 128');
    await page.shows('128 rows that match');
    await press(one('.export-formats label:nth-of-type(1) input'));
    await press(one('.modal-foot .p-button:last-child'));
    await page.until('the job', () => page.server.asked('POST', '/users/export').length === 1);
    expect(page.server.asked('POST', '/users/export')[0]?.body).toEqual({
      export_format: 'csv',
      filters: { match: 'match_all', items: [] },
      sort: ['-login'],
      columns: ['name', 'login'],
    });
    await page.until('the file', () => all('.job-foot button').some(({ textContent }) => textContent === 'Download'));
  });
});

describe('the tree of groups', () => {
  const tree = {
    'GET /groups': () => rowsAnswer([]),
    'GET /groups/tree': () => ({ body: { data: [node(1, null, 'Riverside'), node(2, 1, 'Tower A'), node(3, 2, 'Floor 1')] } }),
  };
  const names = () => all('[role="treeitem"]').map((line) => line.getAttribute('aria-label'));
  const key = (name: string) =>
    act(async () =>
      (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true })),
    );

  it('opens at its roots and is walked by keyboard', async () => {
    const page = await open('/groups', tree);
    await page.until('the tree', () => names().length === 2);
    await act(async () => one('[role="treeitem"]').focus());
    await key('ArrowDown');
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Tower A');
    await key('ArrowRight');
    expect(names()).toEqual(['Riverside', 'Tower A', 'Floor 1']);
    await key('End');
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Floor 1');
    await key('ArrowLeft');
    await key('ArrowLeft');
    expect(names()).toEqual(['Riverside', 'Tower A']);
    await key('Home');
    await key('ArrowLeft');
    expect(names()).toEqual(['Riverside']);
  });

  it('finds a group with all above it', async () => {
    const page = await open('/groups', tree);
    await page.until('the tree', () => names().length === 2);
    await type('[data-search]', 'floor');
    await page.until('found', () => names().length === 3);
    await type('[data-search]', 'nothing like it');
    await page.shows('Nothing matches the filters');
    expect(names()).toEqual([]);
  });

  it('turns to the flat list and back', async () => {
    const page = await open('/groups', tree);
    await page.until('the tree', () => names().length === 2);
    await press('List');
    await page.at('/groups?view=flat');
    await press('Tree');
    await page.at('/groups');
    await page.until('the tree again', () => names().length === 2);
    expect(all('table')).toEqual([]);
  });

  it('adds a group below another', async () => {
    const page = await open('/groups', {
      ...tree,
      [`GET /groups/${uuid(1)}`]: () => ({ body: { data: { id: uuid(1), name: 'Riverside', version: 1 } } }),
    });
    await page.until('the tree', () => names().length === 2);
    await press(one('[role="treeitem"] button'));
    await press('Add group below');
    await page.until('the form', () => page.where().includes(`parent_id=${uuid(1)}`));
    await page.until('the parent', () => one('[data-path="parent_id"]').textContent?.includes('Riverside') === true);
    expect(all('[data-path="name"] input')).toHaveLength(1);
  });
});

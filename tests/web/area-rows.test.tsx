import { describe, expect, it } from 'vitest';
import { uuid } from '#tests/support/people.ts';
import { all, annaWith, areaPages, button, manyPeople, one, person, press } from './support/area-page.ts';

const open = areaPages();
const people = { 'GET /users': manyPeople(128) };

describe('rows that are selected', () => {
  const remove = (...outcomes: object[]) => ({ 'POST /users/delete': () => ({ body: { data: outcomes } }) });
  it('are counted, and all that match can be taken', async () => {
    const page = await open('/users', { ...people, ...remove() });
    await page.shows('1–20 of 128');
    for (const box of all('tbody .check').slice(0, 2)) await press(box);
    await page.shows('2 selected');
    expect(all('tbody tr[aria-selected="true"]')).toHaveLength(2);
    await press('Select all 128 matching rows');
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
    await page.shows('Some items could not be deleted');
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
    await page.shows('128 matching rows');
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

import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { uuid } from '#tests/support/people.ts';
import { annaWith, manyPeople, openPage, person, rows } from './support/area-page.ts';

const people = { 'GET /users': manyPeople(128) };
const openPeople = async (handlers: Parameters<typeof openPage>[1] = {}, ...more: [ReturnType<typeof annaWith>?]) => {
  const page = await openPage('/users', { ...people, ...handlers }, ...more);
  await screen.findByText('1–20 of 128');
  return page;
};
const box = (of: number): HTMLElement => screen.getByRole('checkbox', { name: `Select Person ${of}` });
const selectedRows = (): HTMLElement[] => screen.queryAllByRole('row', { selected: true });

describe('rows that are selected', () => {
  const remove = (...outcomes: object[]) => ({ 'POST /users/delete': () => ({ body: { data: outcomes } }) });
  it('are counted, and all that match can be taken', async () => {
    const { user } = await openPeople(remove());
    for (const of of [1_000, 1_001]) await user.click(box(of));
    await screen.findByText('2 selected');
    expect(selectedRows()).toHaveLength(2);
    await user.click(screen.getByRole('button', { name: 'Select all 128 matching rows' }));
    await screen.findByText('All 128 selected');
    expect(screen.getByRole('button', { name: 'Delete 128 users' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Clear selection' }));
    expect(selectedRows()).toHaveLength(0);
  });

  it('are deleted after a question that names them, and the rest says why it stayed', async () => {
    const stays = { id: uuid(1_001), name: 'Person 1001', ok: false, problem: { code: 'in_use', message: 'item is in use' } };
    const { user, server } = await openPeople(remove({ id: uuid(1_000), name: 'Person 1000', ok: true }, stays));
    for (const of of [1_000, 1_001]) await user.click(box(of));
    await user.click(screen.getByRole('button', { name: 'Delete 2 users' }));
    const question = within(await screen.findByRole('dialog', { name: 'Delete 2 users?' }));
    await user.click(question.getByRole('button', { name: 'Delete 2 users' }));
    const outcome = within(await screen.findByRole('dialog', { name: 'Some items could not be deleted' }));
    expect(server.asked('POST', '/users/delete').map(({ body }) => body)).toEqual([{ items: [uuid(1_000), uuid(1_001)] }]);
    expect(outcome.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([expect.stringMatching(/^Person 1001./)]);
  });

  it('are not offered to those who may not delete', async () => {
    await openPeople({}, annaWith('can_view_all_users'));
    expect([screen.queryByRole('checkbox'), screen.queryByRole('button', { name: 'Add user' })]).toEqual([null, null]);
  });
});

describe('one row', () => {
  const used = (total: number) => ({
    [`GET /users/${uuid(1_000)}/dependants`]: () => ({
      body: { data: total > 0 ? [{ area: 'groups', rows: [{ id: uuid(5), name: 'Tower' }], total }] : [] },
    }),
    'POST /users/delete': () => ({ body: { data: [{ id: uuid(1_000), name: 'Person 1000', ok: true }] } }),
  });
  const ask = async (handlers: Parameters<typeof openPage>[1]) => {
    const page = await openPeople(handlers);
    await page.user.click(screen.getByRole('button', { name: 'Actions: Person 1000' }));
    await page.user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    const question = within(await screen.findByRole('dialog', { name: 'Delete user “Person 1000”?' }));
    return { ...page, question };
  };

  it('shows what depends on it before it is deleted, and cannot be deleted meanwhile', async () => {
    const { user, server, question } = await ask(used(3));
    expect((await question.findByRole('listitem')).textContent).toBe('3 groups: Tower and 2 more');
    expect(question.getByRole<HTMLButtonElement>('button', { name: 'Delete “Person 1000”' }).disabled).toBe(true);
    await user.click(question.getByRole('button', { name: 'Cancel' }));
    expect(server.asked('POST', '/users/delete')).toEqual([]);
  });

  it('is deleted by a button that names it', async () => {
    const { user, server, question } = await ask(used(0));
    await question.findByText('Nothing depends on it.');
    await user.click(question.getByRole('button', { name: 'Delete “Person 1000”' }));
    await waitFor(() => expect(server.asked('POST', '/users/delete')).toHaveLength(1));
    expect(server.asked('POST', '/users/delete')[0]?.body).toEqual({ items: [uuid(1_000)] });
  });

  it('is not said to be of no use to anything while it is still reckoned whose doors it would close', async () => {
    let answer: (value: object) => void = () => {};
    const { question, server } = await ask({
      ...used(0),
      'POST /access/effect': () => new Promise<object>((resolve) => (answer = resolve)) as never,
    });
    await question.findByRole('status', { name: 'Checking what this changes' });
    expect(question.queryByText('Nothing depends on it.')).toBeNull();
    await waitFor(() => expect(server.asked('POST', '/access/effect')).toHaveLength(1));
    expect(question.queryByText('Nothing depends on it.')).toBeNull();
    const nothing = { doors: [], people: 0 };
    await act(async () => answer({ body: { data: { opens: nothing, closes: nothing, hours: nothing } } }));
    await question.findByText('Nothing depends on it.');
  });

  it('several chosen one by one are asked about as all that match are: who is among them, and what uses them', async () => {
    const { user, server } = await openPeople({
      'POST /users/bulk/check': () => ({ body: { data: { total: 2, yourself: true, administrators: 1, uses: [{ area: 'groups', total: 3 }] } } }),
      'POST /users/delete': () => ({ body: { data: [] } }),
    });
    await user.click(box(1_000));
    await user.click(box(1_001));
    await user.click(screen.getByRole('button', { name: 'Delete 2 users' }));
    const question = within(await screen.findByRole('dialog', { name: 'Delete 2 users?' }));
    expect((await question.findByRole('alert')).textContent).toContain('3 groups');
    expect(server.asked('POST', '/users/bulk/check')[0]?.body).toEqual({ action: 'delete', items: [uuid(1_000), uuid(1_001)] });
    await user.click(question.getByRole('button', { name: 'Delete 2 users' }));
    await waitFor(() => expect(server.asked('POST', '/users/delete')[0]?.body).toEqual({ items: [uuid(1_000), uuid(1_001)] }));
  });

  const readable = { [`GET /users/${uuid(1_000)}`]: () => ({ body: { data: person(1_000) } }) };
  it('opens by a click anywhere on it but on its own buttons', async () => {
    const { user, where } = await openPeople(readable);
    await user.click(box(1_000));
    expect(where()).toBe('/users');
    const third = rows()[0]?.cells[2];
    if (!third) throw new Error('the row has no third cell');
    await user.click(third);
    await waitFor(() => expect(where()).toMatch(new RegExp(`^/users/${uuid(1_000)}/edit\\?pageId=`)));
  });

  it('opens to be read by those who may not change it', async () => {
    const { user, where } = await openPeople(readable, annaWith('can_view_all_users'));
    await user.click(screen.getByRole('link', { name: /^Person 1000/ }));
    await waitFor(() => expect(where()).toMatch(new RegExp(`^/users/${uuid(1_000)}\\?pageId=`)));
    await screen.findByText('login-1000');
    const changeable = [...screen.queryAllByRole<HTMLInputElement>('textbox'), ...screen.queryAllByRole<HTMLInputElement>('checkbox')];
    expect(changeable.filter(({ disabled }) => !disabled)).toEqual([]);
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
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
    const { user, server } = await openPage('/users?columns=login&sort=-login', {
      ...people,
      'POST /users/export': () => ({ status: 202, body: { data: job } }),
    });
    await screen.findByText('1–20 of 128');
    await user.click(screen.getByRole('button', { name: 'Export 128' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Export' }));
    expect(dialog.getByText('128 matching rows, with the visible columns')).toBeTruthy();
    // A program has no use for words.
    await user.click(dialog.getByRole('radio', { name: /^JSON/ }));
    expect(dialog.getByRole<HTMLInputElement>('radio', { name: /^As on the screen/ })).toMatchObject({ checked: false, disabled: false });
    expect(dialog.getByRole('group', { name: 'Contents' })).toHaveProperty('disabled', true);
    await user.click(dialog.getByRole('radio', { name: /^CSV/ }));
    expect(dialog.getByRole('radio', { name: /^As on the screen/ })).toHaveProperty('checked', true);
    await user.click(dialog.getByRole('button', { name: 'Export 128' }));
    await waitFor(() => expect(server.asked('POST', '/users/export')).toHaveLength(1));
    expect(server.asked('POST', '/users/export')[0]?.body).toEqual({
      export_format: 'csv',
      filters: { match: 'match_all', items: [] },
      sort: ['-login'],
      columns: ['name', 'email', 'login'],
      readable: true,
    });
    await within(await screen.findByRole('region', { name: 'Export' })).findByRole('button', { name: 'Download' });
  });
});

import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { uuid } from '#tests/support/people.ts';
import { annaWith, manyPeople, node, openPage, person, role, rows, rowsAnswer, wordsOf } from './support/area-page.ts';
import { refused } from './support/fake-server.ts';
import { fill } from './support/user.ts';

const asked = (seen: { query: Record<string, string> }[]) => seen.at(-1)?.query;
const people = { 'GET /users': manyPeople(128) };
const openPeople = async (handlers: Parameters<typeof openPage>[1] = people) => {
  const page = await openPage('/users', handlers);
  await screen.findByText('1–20 of 128');
  return page;
};
const cells = (): string[][] => rows().map(wordsOf);
/** The filters that are on, in words, each with what changes it and what removes it. */
const filters = () => within(screen.getByRole('group', { name: 'Filter by' }));
const chips = (): string[] =>
  filters()
    .queryAllByRole('button', { name: /^Remove filter/ })
    .map((remove) => remove.parentElement?.textContent ?? '');

describe('a list', () => {
  it('shows rows in words: names, groups, role, and what is not there as a dash', async () => {
    await openPage('/users', { 'GET /users': () => rowsAnswer([person(40, { email: null, role: null, activated_at: 0 })]) });
    await screen.findByRole('link', { name: /^Person 40/ });
    expect(cells()[0]?.slice(1, 7)).toEqual(['Person 40No e-mail', 'Tower', '—', 'login-40', '—', 'Not activated']);
    expect(document.body.textContent).not.toMatch(/null|undefined|00000000-/);
  });

  it('says where people belong from the first frame on, whenever the tree of groups comes', async () => {
    let tree: (value: object) => void = () => {};
    const said = new Set<string>();
    const note = (): void =>
      screen
        .queryAllByRole<HTMLTableRowElement>('row')
        .slice(1)
        .forEach((row) => said.add(wordsOf(row)[2] ?? ''));
    const watch = new MutationObserver(note);
    watch.observe(document, { subtree: true, childList: true, characterData: true });
    const { user, at } = await openPage('/users', {
      'GET /users': () => rowsAnswer([person(40, { domains: [{ id: uuid(4), name: '11', path: ['Riverside', 'Tower A', 'Floor 1', '11'] }] })]),
      'GET /groups/tree': () => new Promise<object>((resolve) => (tree = resolve)) as never,
    });
    await screen.findByRole('link', { name: /^Person 40/ });
    await act(async () => tree({ body: { data: [node(1, null, 'Riverside'), node(2, 1, 'Tower A'), node(3, 2, 'Floor 1'), node(4, 3, '11')] } }));
    await user.click(screen.getByRole('button', { name: 'Login' }));
    await at('/users?sort=login');
    await screen.findByRole('link', { name: /^Person 40/ });
    watch.disconnect();
    expect([...said]).toEqual(['Tower A · Floor 1 · 11']);
    expect(screen.getByText('Tower A · Floor 1 · 11').title).toBe('Riverside · Tower A · Floor 1 · 11');
  });

  it('keeps room for its rows before they come', async () => {
    let answer: (value: object) => void = () => {};
    await openPage('/users', { 'GET /users': () => new Promise<object>((resolve) => (answer = resolve)) as never });
    // What keeps the room is hidden from readers: to them the table is busy.
    await waitFor(() => expect(screen.getAllByRole('row', { hidden: true })).toHaveLength(21));
    expect(screen.getAllByRole('row')).toHaveLength(1);
    expect(screen.getByRole('table', { busy: true })).toBeTruthy();
    await act(async () => answer(rowsAnswer([person(40)])));
    await screen.findByRole('link', { name: /^Person 40/ });
    expect(screen.getAllByRole('row', { hidden: true })).toHaveLength(2);
  });

  it('sorts by its heads, and the address says so', async () => {
    const { user, server, at } = await openPeople();
    const order = (name: string) => screen.getByRole('columnheader', { name }).getAttribute('aria-sort');
    expect([order('Name'), order('Login')]).toEqual(['ascending', 'none']);
    await user.click(screen.getByRole('button', { name: 'Login' }));
    await at('/users?sort=login');
    await waitFor(() => expect(asked(server.asked('GET', '/users'))?.['sort']).toBe('login'));
    await user.click(screen.getByRole('button', { name: 'Login' }));
    await at('/users?sort=-login');
    expect([order('Name'), order('Login')]).toEqual(['none', 'descending']);
  });

  it('turns pages, changes their size, and Back restores what was', async () => {
    const { user, router, at, where } = await openPeople();
    await user.click(screen.getByRole('button', { name: 'Next' }));
    await at('/users?page=2');
    await screen.findByText('21–40 of 128');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Rows per page' }), '100');
    await at('/users?size=100');
    await screen.findByText('1–100 of 128');
    await act(async () => router.navigate(-1));
    await screen.findByText('21–40 of 128');
    expect(where()).toBe('/users?page=2');
  });

  it('searches all its fields after a pause', async () => {
    const { user, server, at } = await openPeople();
    await user.type(screen.getByRole('searchbox'), 'anna');
    await at('/users?search=anna');
    await waitFor(() => expect(asked(server.asked('GET', '/users'))?.['filters']).toContain('"login"'));
    expect(JSON.parse(asked(server.asked('GET', '/users'))?.['filters'] ?? '')).toEqual({
      match: 'match_any',
      items: ['name', 'email', 'login'].map((field) => ({ field, rule: 'contains', value: 'anna' })),
    });
  });

  it('adds a filter by a chip, switches how filters go together, and removes it again', async () => {
    const { user, where } = await openPeople();
    const add = async (field: string, value: string): Promise<void> => {
      await user.click(filters().getByRole('button', { name: 'Filter' }));
      await user.click(await within(await screen.findByRole('dialog')).findByRole('button', { name: field }));
      await fill(user, within(screen.getByRole('dialog')).getByRole('textbox'), value);
      await user.click(screen.getByRole('button', { name: 'Apply' }));
    };
    await add('Name', 'an');
    await waitFor(() => expect(decodeURIComponent(where())).toContain('"an"'));
    await add('Login', 'x');
    await user.click(screen.getByRole('button', { name: 'Match all' }));
    await waitFor(() => expect(decodeURIComponent(where())).toContain('match_any'));
    expect(chips()).toEqual(['Name an', 'Login x']);
    await user.click(screen.getByRole('button', { name: 'Remove filter “Name”' }));
    await waitFor(() => expect(chips()).toEqual(['Login x']));
    expect(JSON.parse(new URLSearchParams(where().split('?')[1]).get('filters') ?? '').items).toEqual([
      { field: 'login', rule: 'contains', value: 'x' },
    ]);
  });

  it('filters by rows of another area, called by name', async () => {
    const byRole = JSON.stringify({ match: 'match_all', items: [{ field: 'role', rule: 'equals', value: [uuid(20)] }] });
    const { server } = await openPage(`/users?filters=${encodeURIComponent(byRole)}`, {
      ...people,
      [`GET /roles/${uuid(20)}`]: () => ({ body: { data: role(20, { name: 'Resident' }) } }),
    });
    await waitFor(() => expect(chips()).toEqual(['Role Resident']));
    expect(server.asked('GET', `/roles/${uuid(20)}`)).toHaveLength(1);
  });

  it('says ready-made comparisons in words', async () => {
    const { user, where } = await openPeople();
    await user.click(filters().getByRole('button', { name: 'Filter' }));
    await user.click(await within(await screen.findByRole('dialog')).findByRole('button', { name: 'Activated' }));
    await user.click(screen.getByRole('button', { name: 'Not activated' }));
    await waitFor(() => expect(chips()).toEqual(['Activated Not activated']));
    expect(decodeURIComponent(where())).toContain('{"field":"activated_at","rule":"equals","value":0}');
  });

  it('shows, hides and orders columns, kept in the address', async () => {
    const { user, where, at } = await openPeople();
    const heads = () => screen.getAllByRole('columnheader').flatMap(({ textContent }) => textContent.trim() || []);
    await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Columns' }).disabled).toBe(false));
    await user.click(screen.getByRole('button', { name: 'Columns' }));
    await user.click(screen.getByRole('button', { name: 'Move “Role” up' }));
    await waitFor(() => expect(heads().slice(0, 3)).toEqual(['Name', 'Role', 'Groups']));
    await user.click(screen.getByRole('checkbox', { name: 'Login' }));
    await waitFor(() => expect(heads()).not.toContain('Login'));
    expect(new URLSearchParams(where().split('?')[1]).get('columns')).toBe('role,domains,markers,activated_at,last_seen_at');
    await user.click(screen.getByRole('button', { name: 'Reset to default' }));
    await at('/users');
  });

  it('says what is missing in the link instead of guessing', async () => {
    const { user, where } = await openPage('/users?sort=password', people);
    await screen.findByText(/^This link refers to something the list does not have/);
    await user.click(screen.getByRole('button', { name: 'Show all' }));
    await screen.findByText('1–20 of 128');
    expect(where()).toBe('/users');
  });

  it('is empty with a sentence and one button, and empty by filters with another', async () => {
    const { user, at } = await openPage('/users', { 'GET /users': () => rowsAnswer([]) });
    const empty = (await screen.findByText(/^No users yet/)).parentElement;
    if (!empty) throw new Error('the sentence stands nowhere');
    expect(
      within(empty)
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual(['Add user']);
    await user.type(screen.getByRole('searchbox'), 'zzz');
    await screen.findByText('No results');
    await user.click(screen.getByRole('button', { name: 'Clear filters' }));
    await at('/users');
  });

  it('does not say that there are none to who sees only their own, nor how to add one', async () => {
    await openPage('/roles', { 'GET /roles': () => rowsAnswer([]) }, annaWith('can_view_users'));
    await screen.findByText('You do not have access to anything here');
    expect(document.body.textContent).not.toContain('No roles yet');
  });

  it('goes to the last page there is when rows have gone', async () => {
    const { at } = await openPage('/users?page=9', { 'GET /users': manyPeople(45) });
    await at('/users?page=3');
    await screen.findByText('41–45 of 45');
    expect(rows()).toHaveLength(5);
  });

  it('keeps the rows it has when it cannot load others, and tries again in place', async () => {
    let broken = false;
    let late = false;
    let answer = (): void => {};
    const { user } = await openPeople({
      'GET /users': (seen) => {
        if (broken) return refused(503, 'unavailable', 'service is unavailable, try again later');
        const found = manyPeople(128)(seen);
        return late ? (new Promise<object>((resolve) => (answer = () => resolve(found))) as never) : found;
      },
    });
    broken = true;
    await user.click(screen.getByRole('button', { name: 'Next' }));
    await screen.findByText(/Could not refresh/);
    expect(rows()).toHaveLength(20);
    broken = false;
    late = true;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    // While it is tried again, what was said stands and nothing moves.
    await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Try again' }).disabled).toBe(true));
    expect(screen.getByText(/Could not refresh/)).toBeTruthy();
    await act(async () => answer());
    await screen.findByText('21–40 of 128');
  });

  it('says why nothing could be loaded, and tries again', async () => {
    let broken = true;
    const { user } = await openPage('/users', {
      'GET /users': (seen) => (broken ? refused(500, 'internal', 'internal server error') : manyPeople(3)(seen)),
    });
    const failure = await screen.findByRole('alert');
    expect(failure.textContent).toMatch(/Internal server error/i);
    broken = false;
    await user.click(within(failure).getByRole('button', { name: 'Try again' }));
    await screen.findByText('1–3 of 3');
    expect(rows()).toHaveLength(3);
  });
});

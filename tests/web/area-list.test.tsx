import { act } from 'react';
import { describe, expect, it } from 'vitest';
import { uuid } from '#tests/support/people.ts';
import {
  all,
  annaWith,
  areaPages,
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

  it('says where people belong from the first frame on, whenever the tree of groups comes', async () => {
    let tree: (value: object) => void = () => {};
    const said = new Set<string>();
    const watch = new MutationObserver(() => cells().forEach((row) => said.add(row[2] ?? '')));
    watch.observe(document, { subtree: true, childList: true, characterData: true });
    const page = await open('/users', {
      'GET /users': () => rowsAnswer([person(40, { domains: [{ id: uuid(4), name: '11', path: ['Riverside', 'Tower A', 'Floor 1', '11'] }] })]),
      'GET /groups/tree': () => new Promise<object>((resolve) => (tree = resolve)) as never,
    });
    await page.shows('Person 40');
    await act(async () => tree({ body: { data: [node(1, null, 'Riverside'), node(2, 1, 'Tower A'), node(3, 2, 'Floor 1'), node(4, 3, '11')] } }));
    await press('Login');
    await page.at('/users?sort=login');
    await page.shows('Person 40');
    watch.disconnect();
    expect([...said]).toEqual(['Tower A · Floor 1 · 11']);
    expect(one('td .cell-line').title).toBe('Riverside · Tower A · Floor 1 · 11');
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
    await press('Match all');
    await page.until('any', () => decodeURIComponent(page.where()).includes('match_any'));
    expect(all('.list-asks .chip b').map(({ textContent }) => textContent?.trim())).toEqual(['Name', 'Login']);
    await press(one('[aria-label="Remove filter “Name”"]'));
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
    await press('Reset to default');
    await page.at('/users');
  });

  it('says what is missing in the link instead of guessing', async () => {
    const page = await open('/users?sort=password', people);
    await page.shows('This link refers to something the list does not have');
    await press('Show all');
    await page.shows('1–20 of 128');
    expect(page.where()).toBe('/users');
  });

  it('is empty with a sentence and one button, and empty by filters with another', async () => {
    const page = await open('/users', { 'GET /users': () => rowsAnswer([]) });
    await page.shows('No users yet');
    expect(all('.empty-state button').map(({ textContent }) => textContent)).toEqual(['Add user']);
    await type('[data-search]', 'zzz');
    await page.shows('No results');
    await press('Clear filters');
    await page.at('/users');
  });

  it('does not say that there are none to who sees only their own, nor how to add one', async () => {
    const page = await open('/roles', { 'GET /roles': () => rowsAnswer([]) }, annaWith('can_view_users'));
    await page.shows('You do not have access to anything here');
    expect(document.body.textContent).not.toContain('No roles yet');
  });

  it('goes to the last page there is when rows have gone', async () => {
    const page = await open('/users?page=9', { 'GET /users': manyPeople(45) });
    await page.at('/users?page=3');
    await page.shows('41–45 of 45');
    expect(cells()).toHaveLength(5);
  });

  it('keeps the rows it has when it cannot load others, and tries again in place', async () => {
    let broken = false;
    let late = false;
    let answer = (): void => {};
    const page = await open('/users', {
      'GET /users': (seen) => {
        if (broken) return refused(503, 'unavailable', 'service is unavailable, try again later');
        const found = manyPeople(128)(seen);
        return late ? (new Promise<object>((resolve) => (answer = () => resolve(found))) as never) : found;
      },
    });
    await page.shows('1–20 of 128');
    broken = true;
    await press('Next');
    await page.shows('Could not refresh');
    expect(cells()).toHaveLength(20);
    broken = false;
    late = true;
    await press('Try again');
    // While it is tried again, what was said stands and nothing moves.
    await page.until('the second try', () => one<HTMLButtonElement>('.notice button').disabled);
    await page.shows('Could not refresh');
    await act(async () => answer());
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

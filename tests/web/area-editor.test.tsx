import { act } from 'react';
import { describe, expect, it } from 'vitest';
import { uuid } from '#tests/support/people.ts';
import { all, annaWith, areaPages, one, person, press, rowsAnswer, type } from './support/area-page.ts';
import { refused, type Seen } from './support/fake-server.ts';
import { editing, id, input, issue, item, lists, save } from './support/user-form.ts';

const open = areaPages();
const edited = editing(open);

describe('editing', () => {
  it('sends only what changed, with the version it was changed from', async () => {
    const page = await edited({ [`PATCH /users/${id}`]: () => ({ body: { data: null } }) });
    await type(input('description'), 'on the fourth floor');
    expect(one('.area-aside').textContent).toContain('1 field will change');
    await save();
    await page.at('/users');
    const [request] = page.server.asked('PATCH', `/users/${id}`);
    expect([request?.body, request?.headers.get('if-match')]).toEqual([{ description: 'on the fourth floor' }, '"1"']);
  });

  it('shows at its field what only the server could find, and keeps what was typed', async () => {
    const taken = refused(409, 'email_used', 'e-mail already used');
    const page = await edited({ [`PATCH /users/${id}`]: () => taken });
    await type(input('email'), 'taken@example.org');
    await save();
    await page.until('the finding', () => issue('email') !== undefined);
    expect([input('email').value, input('email').getAttribute('aria-invalid')]).toEqual(['taken@example.org', 'true']);
    await type(input('email'), 'free@example.org');
    await page.until('no finding', () => issue('email') === undefined);
  });

  it('says which part of a block is wrong', async () => {
    const page = await edited();
    await type(one('[data-path="license_info.sip.license_count"] input'), 'many');
    await save();
    await page.until('the finding', () => issue('license_info') !== undefined);
    expect(issue('license_info')).toBe('Virtual numbers: Enter a whole number');
  });

  it('names related rows that are gone as the form does, never by their ids', async () => {
    const page = await edited({
      'GET /markers': () => rowsAnswer([{ id: uuid(60), name: 'Pets', color: '#12ab34', version: 1 }]),
      [`PATCH /users/${id}`]: () => refused(422, 'invalid_related', 'invalid related entity sent', { names: [], ids: [uuid(60)] }),
    });
    await press(one('[data-path="markers"] .chip-add'));
    await page.until('the markers', () => all('.sheet-line').length === 1);
    await press(one('.sheet-line'));
    await press('Choose 1');
    await save();
    await page.shows('not available to you: Pets.');
    expect(page.host.ownerDocument.body.textContent).not.toContain(uuid(60));
  });

  it('offers no deleting of oneself', async () => {
    const self = annaWith();
    const page = await open(`/users/${self.id}/edit`, {
      ...lists,
      [`GET /users/${self.id}`]: () => ({ body: { data: { ...person(1), id: self.id } } }),
    });
    await page.until('the form', () => all('[data-path="name"] input').length === 1);
    expect(all('.editor-buttons button').map(({ textContent }) => textContent)).not.toContain('Delete');
  });

  it('leaves out what the person may not see, instead of calling it not set', async () => {
    const watcher = annaWith('can_view_users');
    const page = await open(`/users/${id}`, { ...lists, ...item({ role: null, markers: [] }) }, watcher);
    await page.until('the form', () => all('[data-path="name"]').length === 1);
    expect(all('.field').map((field) => field.dataset['path'])).not.toContain('role');
    expect(all('.form-heading').map(({ textContent }) => textContent)).not.toContain('Markers');
  });

  it('merges with somebody who saved first, field by field', async () => {
    const theirs = person(40, { version: 2, name: 'Theirs', profile: { phone: '+12025550100', address: null } });
    let version = 1;
    const page = await edited({
      [`PATCH /users/${id}`]: ({ headers }: Seen) => {
        if (headers.get('if-match') !== '"1"') return { body: { data: null } };
        version = 2;
        return refused(412, 'conflict', 'changed by someone else', theirs);
      },
    });
    await type(input('name'), 'Mine');
    await type(input('description'), 'my words');
    await save();
    await page.shows('Someone saved this record while you were editing');
    const rows = all('.conflict-table tbody tr').map((row) => [...row.children].map(({ textContent }) => textContent));
    expect(rows).toEqual([
      ['Name', 'Mine', 'Theirs'],
      ['Description', 'my words', 'Not set'],
      ['Phone', 'Not set', '+12025550100'],
    ]);
    const go = all<HTMLButtonElement>('.conflict button')[0];
    expect([go?.disabled, version]).toEqual([true, 2]);
    await press(one('.conflict-table input[aria-label="Name: Theirs"]'));
    await press('Continue');
    await page.at('/users');
    const last = page.server.asked('PATCH', `/users/${id}`).at(-1);
    expect([last?.body, last?.headers.get('if-match')]).toEqual([{ description: 'my words' }, '"2"']);
  });

  it('does not ask when the newer version differs in nothing that is edited here', async () => {
    const page = await edited({
      [`PATCH /users/${id}`]: ({ headers }: Seen) =>
        headers.get('if-match') === '"1"'
          ? refused(412, 'conflict', 'changed by someone else', person(40, { version: 2, avatar_url: '/files/new' }))
          : { body: { data: null } },
    });
    await type(input('description'), 'mine');
    await save();
    await page.at('/users');
    expect(page.server.asked('PATCH', `/users/${id}`)).toHaveLength(2);
  });

  it('says that an answer was lost, and sends the same once more', async () => {
    let lost = true;
    const page = await edited({ [`PATCH /users/${id}`]: () => (lost ? new TypeError('network') : { body: { data: null } }) });
    await type(input('description'), 'mine');
    await save();
    await page.shows('We could not confirm');
    lost = false;
    await press('Try again');
    await page.at('/users');
    const keys = page.server.asked('PATCH', `/users/${id}`).map(({ headers }) => headers.get('idempotency-key'));
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
  });

  it('keeps a draft over a reload and can let it go', async () => {
    const first = await edited();
    await type(input('name'), 'Half typed');
    await act(() => new Promise((resolve) => setTimeout(resolve, 700)));
    await first.close();
    const page = await edited();
    await page.shows('Your unsaved changes were restored');
    expect(input('name').value).toBe('Half typed');
    await press('Discard changes');
    expect(input('name').value).toBe('Person 40');
  });

  it('asks before changes are left behind', async () => {
    const page = await edited();
    await type(input('name'), 'Half typed');
    await act(async () => void page.router.navigate('/roles'));
    await page.shows('Your changes are not saved');
    await press('Cancel');
    expect([page.where(), input('name').value]).toEqual([`/users/${id}/edit`, 'Half typed']);
    await act(async () => void page.router.navigate('/roles'));
    await page.shows('Your changes are not saved');
    await press('Leave');
    await page.at('/roles');
  });

  it('says when the row is not there, and keeps what was typed when it goes meanwhile', async () => {
    const gone = refused(404, 'not_found', 'item not found');
    const missing = await open(`/users/${id}/edit`, { ...lists, [`GET /users/${id}`]: () => gone });
    await missing.shows('This record does not exist, or you do not have access to it');
    await missing.close();
    const page = await edited({ [`PATCH /users/${id}`]: () => gone });
    await type(input('name'), 'Typed');
    await save();
    await page.shows('Your edits are kept here');
    expect(input('name').value).toBe('Typed');
  });

  it('locks of oneself what would raise oneself', async () => {
    const self = uuid(1);
    const page = await open(
      `/users/${self}/edit`,
      { ...lists, [`GET /users/${self}`]: () => ({ body: { data: person(1) } }) },
      annaWith('can_view_all_users', 'can_view_roles'),
    );
    await page.until('the form', () => all('[data-path="name"] input').length === 1);
    for (const path of ['login', 'role', 'domains', 'markers'])
      expect([path, all(`[data-path="${path}"] input, [data-path="${path}"] button`).length]).toEqual([path, 0]);
    expect(all('[data-path="description"] input')).toHaveLength(1);
  });

  it('leaves out fields whose area has no screen yet', async () => {
    await edited();
    expect(['access_rules', 'identifiers'].filter((path) => all(`[data-path="${path}"]`).length > 0)).toEqual([]);
  });
});

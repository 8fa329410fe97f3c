import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { uuid } from '#tests/support/people.ts';
import { annaWith, openPage, person, rows, rowsAnswer, wordsOf } from './support/area-page.ts';
import { refused, type Seen } from './support/fake-server.ts';
import { descriptionOf, fill } from './support/user.ts';
import { chooser, editPerson, id, input, item, lists, saveButton } from './support/user-form.ts';

describe('editing', () => {
  it('sends only what changed, with the version it was changed from', async () => {
    const { user, server, at } = await editPerson({ [`PATCH /users/${id}`]: () => ({ body: { data: null } }) });
    await fill(user, input('Description'), 'on the fourth floor');
    expect(within(screen.getByRole('complementary')).getByText('1 field will change')).toBeTruthy();
    await user.click(saveButton());
    await at('/users');
    const [request] = server.asked('PATCH', `/users/${id}`);
    expect([request?.body, request?.headers.get('if-match')]).toEqual([{ description: 'on the fourth floor' }, '"1"']);
  });

  it('shows at its field what only the server could find, and keeps what was typed', async () => {
    const taken = refused(409, 'email_used', 'e-mail already used');
    const { user } = await editPerson({ [`PATCH /users/${id}`]: () => taken });
    await fill(user, input('E-mail'), 'taken@example.org');
    await user.click(saveButton());
    const usual = 'The registration link is sent here';
    await waitFor(() => expect(descriptionOf(input('E-mail'))).toEqual([usual, expect.stringContaining('already')]));
    expect([input('E-mail').value, input('E-mail').getAttribute('aria-invalid')]).toEqual(['taken@example.org', 'true']);
    await fill(user, input('E-mail'), 'free@example.org');
    await waitFor(() => expect(descriptionOf(input('E-mail'))).toEqual([usual]));
  });

  it('says which part of a block is wrong', async () => {
    const { user } = await editPerson();
    const counts = within(screen.getByRole('group', { name: 'Licences' }));
    await fill(user, counts.getByRole('textbox', { name: 'Virtual numbers' }), 'many');
    await user.click(saveButton());
    await waitFor(() => expect(descriptionOf(screen.getByRole('group', { name: 'Licences' }))).toContain('Virtual numbers: Enter a whole number'));
  });

  it('names related rows that are gone as the form does, never by their ids', async () => {
    const gone = refused(422, 'invalid_related', 'invalid related entity sent', { names: [], ids: [uuid(60)] });
    const { user } = await editPerson({
      'GET /markers': () => rowsAnswer([{ id: uuid(60), name: 'Pets', color: '#12ab34', version: 1 }]),
      [`PATCH /users/${id}`]: () => gone,
    });
    await user.click(chooser('Markers', 'Markers'));
    await user.click(await screen.findByRole('checkbox', { name: 'Pets' }));
    await user.click(screen.getByRole('button', { name: 'Choose 1' }));
    await user.click(saveButton());
    await screen.findByText(/not available to you: Pets\./);
    expect(document.body.textContent).not.toContain(uuid(60));
  });

  it('offers no deleting of oneself', async () => {
    const self = annaWith();
    await openPage(`/users/${self.id}/edit`, {
      ...lists,
      [`GET /users/${self.id}`]: () => ({ body: { data: { ...person(1), id: self.id } } }),
    });
    await screen.findByRole('textbox', { name: 'Name' });
    expect([screen.queryByRole('button', { name: 'Save' }) === null, screen.queryByRole('button', { name: 'Delete' })]).toEqual([false, null]);
  });

  it('leaves out what the person may not see, instead of calling it not set', async () => {
    await openPage(`/users/${id}`, { ...lists, ...item({ role: null, markers: [] }) }, annaWith('can_view_users'));
    const access = within(await screen.findByRole('region', { name: 'Access' }));
    expect([access.queryAllByText('Groups').length, access.queryByText('Role')]).toEqual([1, null]);
    expect(screen.queryByRole('region', { name: 'Markers' })).toBeNull();
  });

  it.each([
    [Date.UTC(2026, 0, 15, 12) / 1_000, /15/],
    [0, /^Not activated$/],
  ])('says when the person activated the account (%i), or that they have not', async (activated_at, text) => {
    await editPerson({}, { activated_at });
    const fact = screen.getAllByRole('term').find((term) => term.textContent === 'Activated');
    expect(fact?.nextElementSibling?.textContent).toMatch(text);
  });

  it('merges with somebody who saved first, field by field', async () => {
    const theirs = person(40, { version: 2, name: 'Theirs', profile: { phone: '+12025550100', address: null } });
    let version = 1;
    const { user, server, at } = await editPerson({
      [`PATCH /users/${id}`]: ({ headers }: Seen) => {
        if (headers.get('if-match') !== '"1"') return { body: { data: null } };
        version = 2;
        return refused(412, 'conflict', 'changed by someone else', theirs);
      },
    });
    await fill(user, input('Name'), 'Mine');
    await fill(user, input('Description'), 'my words');
    await user.click(saveButton());
    const conflict = within(await screen.findByRole('alert', { name: 'Someone saved this record while you were editing' }));
    expect(rows().map(wordsOf)).toEqual([
      ['Name', 'Mine', 'Theirs'],
      ['Description', 'my words', 'Not set'],
      ['Phone', 'Not set', '+12025550100'],
    ]);
    const go = conflict.getByRole<HTMLButtonElement>('button', { name: 'Continue' });
    expect([go.disabled, version]).toEqual([true, 2]);
    await user.click(conflict.getByRole('radio', { name: 'Name: Theirs' }));
    await user.click(go);
    await at('/users');
    const last = server.asked('PATCH', `/users/${id}`).at(-1);
    expect([last?.body, last?.headers.get('if-match')]).toEqual([{ description: 'my words' }, '"2"']);
  });

  it('does not ask when the newer version differs in nothing that is edited here', async () => {
    const { user, server, at } = await editPerson({
      [`PATCH /users/${id}`]: ({ headers }: Seen) =>
        headers.get('if-match') === '"1"'
          ? refused(412, 'conflict', 'changed by someone else', person(40, { version: 2, avatar_url: '/files/new' }))
          : { body: { data: null } },
    });
    await fill(user, input('Description'), 'mine');
    await user.click(saveButton());
    await at('/users');
    expect(server.asked('PATCH', `/users/${id}`)).toHaveLength(2);
  });

  it('says that an answer was lost, and sends the same once more', async () => {
    let lost = true;
    const { user, server, at } = await editPerson({ [`PATCH /users/${id}`]: () => (lost ? new TypeError('network') : { body: { data: null } }) });
    await fill(user, input('Description'), 'mine');
    await user.click(saveButton());
    await screen.findByText(/We could not confirm/);
    lost = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await at('/users');
    const keys = server.asked('PATCH', `/users/${id}`).map(({ headers }) => headers.get('idempotency-key'));
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
  });

  it('keeps a draft over a reload and can let it go', async () => {
    const first = await editPerson();
    await fill(first.user, input('Name'), 'Half typed');
    await waitFor(() => expect([localStorage, sessionStorage].flatMap((storage) => Object.values(storage)).join()).toContain('Half typed'));
    first.close();
    const { user } = await editPerson();
    await screen.findByText(/Your unsaved changes were restored/);
    expect(input('Name').value).toBe('Half typed');
    await user.click(screen.getByRole('button', { name: 'Discard changes' }));
    expect(input('Name').value).toBe('Person 40');
  });

  it('asks before changes are left behind', async () => {
    const { user, router, where, at } = await editPerson();
    await fill(user, input('Name'), 'Half typed');
    const leave = (): void => void router.navigate('/roles');
    const question = async () => within(await screen.findByRole('dialog', { name: /Your changes are not saved/ }));
    leave();
    await user.click((await question()).getByRole('button', { name: 'Cancel' }));
    expect([where(), input('Name').value]).toEqual([`/users/${id}/edit`, 'Half typed']);
    leave();
    await user.click((await question()).getByRole('button', { name: 'Leave' }));
    await at('/roles');
  });

  it('says when the row is not there, and keeps what was typed when it goes meanwhile', async () => {
    const gone = refused(404, 'not_found', 'item not found');
    const missing = await openPage(`/users/${id}/edit`, { ...lists, [`GET /users/${id}`]: () => gone });
    await screen.findByText('This record does not exist, or you do not have access to it');
    missing.close();
    const { user } = await editPerson({ [`PATCH /users/${id}`]: () => gone });
    await fill(user, input('Name'), 'Typed');
    await user.click(saveButton());
    await screen.findByText(/Your edits are kept here/);
    expect(input('Name').value).toBe('Typed');
  });

  it('locks of oneself what would raise oneself', async () => {
    const self = uuid(1);
    await openPage(
      `/users/${self}/edit`,
      { ...lists, [`GET /users/${self}`]: () => ({ body: { data: person(1) } }) },
      annaWith('can_view_all_users', 'can_edit_profile', 'can_view_roles'),
    );
    await screen.findByRole('textbox', { name: 'Description' });
    expect(screen.getByRole('region', { name: 'Access' }).textContent).toMatch(/Role.+Groups/);
    for (const name of ['Login', 'Role', 'Groups', 'Markers'])
      for (const role of ['textbox', 'group', 'button', 'combobox']) expect([name, screen.queryByRole(role, { name })]).toEqual([name, null]);
  });
});

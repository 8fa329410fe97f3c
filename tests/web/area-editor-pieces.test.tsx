import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { uuid } from '#tests/support/people.ts';
import { annaWith, openPage, role, rows, rowsAnswer, wordsOf } from './support/area-page.ts';
import { fill } from './support/user.ts';
import { editPerson, id, lists, saveButton } from './support/user-form.ts';

describe('a password for somebody else', () => {
  it('must be typed twice alike; one that is made is shown once to be passed on', async () => {
    const { user, server } = await editPerson({ [`POST /users/${id}/password`]: () => ({ body: { data: null } }) });
    await user.click(screen.getByRole('button', { name: 'Actions' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Change password' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New password for Person 40' }));
    await fill(user, dialog.getByLabelText(/^New password/), 'Secret-2026');
    await fill(user, dialog.getByLabelText(/^Confirm new password/), 'Secret-2027');
    const submit = dialog.getByRole('button', { name: 'Save' });
    await user.click(submit);
    await dialog.findByText(/must match/);
    expect(server.asked('POST', `/users/${id}/password`)).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Generate password' }));
    const made = (await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'New password' })).value;
    await user.click(screen.getByRole('button', { name: 'Close' }));
    await user.click(submit);
    await waitFor(() => expect(server.asked('POST', `/users/${id}/password`)).toHaveLength(1));
    expect(server.asked('POST', `/users/${id}/password`)[0]?.body).toEqual({ new_password: made });
  });
});

describe('the permissions of a role', () => {
  const editRole = async (...permissions: string[]) => {
    const page = await openPage(
      `/roles/${uuid(20)}/edit`,
      {
        ...lists,
        [`GET /roles/${uuid(20)}`]: () => ({ body: { data: role(20, { permissions: ['can_view_backups', 'can_view_users'] }) } }),
        [`PATCH /roles/${uuid(20)}`]: () => ({ body: { data: null } }),
      },
      annaWith('can_edit_all_roles', 'can_view_all_roles', ...permissions),
    );
    const tree = within(await screen.findByRole('group', { name: 'Permissions' }));
    await tree.findByRole('checkbox', { name: 'Users' });
    return { ...page, tree };
  };

  it('lock what one does not hold oneself, and say why', async () => {
    const { user, tree } = await editRole('can_view_users');
    await tree.findByText(/^You can only grant permissions you have yourself/);
    await fill(user, tree.getByRole('searchbox'), 'view users');
    const found = tree
      .getAllByRole<HTMLInputElement>('checkbox', { name: /view users/i })
      .map(({ labels, disabled, checked }) => [labels?.[0]?.textContent, disabled, checked]);
    expect(found).toEqual([
      ['View users’ roles', true, false],
      ['View users', false, true],
    ]);
  });

  it('are all open to those who may grant more than they hold', async () => {
    const { user, tree } = await editRole('can_grant_more_than_own');
    const areas = tree.getAllByRole('checkbox').length;
    await user.click(tree.getByRole('button', { name: 'Expand all' }));
    const boxes = tree.getAllByRole<HTMLInputElement>('checkbox');
    expect([boxes.length > areas, boxes.filter(({ disabled }) => disabled)]).toEqual([true, []]);
  });

  it('are counted by area, and taken as a whole where one may', async () => {
    const { user, server, at, tree } = await editRole('can_view_users', 'can_create_users');
    const mark = tree.getByRole<HTMLInputElement>('checkbox', { name: 'Users' });
    const branch = mark.closest('li');
    if (!branch) throw new Error('the users are no branch');
    expect(within(branch).getByText('1 of 6')).toBeTruthy();
    expect(mark.indeterminate).toBe(true);
    await user.click(mark);
    expect(within(branch).getByText('2 of 6')).toBeTruthy();
    await user.click(mark);
    await user.click(mark);
    expect(within(screen.getByRole('complementary')).getByText('1 field will change')).toBeTruthy();
    await user.click(saveButton());
    await at('/roles');
    expect(server.asked('PATCH', `/roles/${uuid(20)}`)[0]?.body).toEqual({
      permissions: ['can_create_users', 'can_view_backups', 'can_view_users'],
    });
  });
});

/** An entry of the trail without what it is about. */
const logged = (number: number) => ({
  id: uuid(number),
  version: 1,
  created_at: '2026-01-02T03:04:05.000Z',
  updated_at: '2026-01-02T03:04:05.000Z',
  user: { id: uuid(1), name: 'Anna' },
  ip: '192.0.2.1',
  user_agent: 'Browser',
});

describe('the audit trail', () => {
  it('shows each field before and after, in words, and leads to the history of the row', async () => {
    const event = {
      ...logged(80),
      area: 'users',
      entity_id: id,
      entity_name: 'Person 40',
      action: 'update',
      changes: {
        profile: { before: { phone: null, address: null }, after: { phone: '+12025550100', address: null } },
        domains: { before: ['Tower'], after: ['Tower', 'Gate'] },
        avatar_url: { before: null, after: `/api/v0/files/${uuid(5)}` },
        locale: { before: 'en', after: 'ru' },
        'profile.identifier_format': { before: 'dec', after: 'hex' },
      },
      user_agent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.8078.108 Safari/537.36',
    };
    await openPage(`/audit-events/${uuid(80)}`, { [`GET /audit-events/${uuid(80)}`]: () => ({ body: { data: event } }) });
    await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(6));
    expect(rows().map(wordsOf)).toEqual([
      ['Phone', 'Not set', '+12025550100'],
      ['Groups', '—', 'Gate'],
      ['Photo', 'Not set', 'Image'],
      ['Language', 'English', 'Русский'],
      ['Identifier format', 'Decimal', 'Hexadecimal'],
    ]);
    expect(screen.getByText('Chrome 156, Linux').getAttribute('title')).toBe(event.user_agent);
    const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'All changes to “Person 40”' });
    expect(decodeURIComponent(link.getAttribute('href') ?? '')).toContain(`{"field":"entity_id","rule":"equals","value":"${id}"}`);
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  });

  it('says that there are more than are counted, and exports all of them', async () => {
    const event = { ...logged(81), area: 'users', entity_id: id, entity_name: 'Person 40', action: 'delete', changes: {} };
    const { user } = await openPage('/audit-events', { 'GET /audit-events': () => rowsAnswer([event], 10_001) });
    expect(await screen.findByText('1–1 of more than 10000')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Export all' }));
    await within(await screen.findByRole('dialog')).findByText('All matching rows (more than 10000), with the visible columns');
  });
});

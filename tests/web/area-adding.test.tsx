import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { uuid } from '#tests/support/people.ts';
import { annaWith, openPage, rowsAnswer } from './support/area-page.ts';
import { descriptionOf, fill } from './support/user.ts';
import { chooser, input, lists, saveButton } from './support/user-form.ts';

const addingTo = async (path: string, handlers: Parameters<typeof openPage>[1] = lists, ...more: [ReturnType<typeof annaWith>?]) => {
  const page = await openPage(path, handlers, ...more);
  await screen.findByRole('textbox', { name: 'Name' });
  return page;
};

it('one form for adding follows another of a different area', async () => {
  const { router } = await openPage('/mail-templates/add', {
    'GET /mail-templates': () => rowsAnswer([]),
    'GET /forward-rules': () => rowsAnswer([]),
  });
  await screen.findByRole('textbox', { name: 'Subject' });
  await act(async () => router.navigate('/forward-rules/add'));
  await screen.findByRole('textbox', { name: 'Name' });
  expect(screen.queryByRole('alert')).toBeNull();
});

describe('adding', () => {
  it('checks everything first, marks every wrong field, and goes to the first', async () => {
    const { user, server } = await addingTo('/users/add');
    await user.click(saveButton());
    await screen.findByText(/Check the marked fields/);
    const [name, login] = [input('Name'), input('Login')];
    const [role, groups] = ['Role', 'Groups'].map((of) => screen.getByRole('group', { name: of }));
    expect([name, login, role, groups].map((field) => field && descriptionOf(field).at(-1))).toEqual([
      'This field is required',
      'Enter a login to sign in with',
      'This field is required',
      'A user must belong to at least one group',
    ]);
    expect([document.activeElement, descriptionOf(name)]).toEqual([name, ['This field is required']]);
    expect(server.asked('PUT', '/users')).toEqual([]);
  });

  it('chooses rows of other areas in sheets, and sends their ids', async () => {
    const { user, server, at } = await addingTo('/users/add', { ...lists, 'PUT /users': () => ({ status: 201, body: { data: uuid(77) } }) });
    await fill(user, input('Name'), 'New Person');
    await fill(user, input('Login'), 'new');
    await user.click(chooser('Groups', 'Groups'));
    const sheet = within(await screen.findByRole('dialog'));
    const group = await sheet.findByRole('checkbox');
    expect(group.textContent).toBe('TowerRiverside');
    await user.click(group);
    await user.click(sheet.getByRole('button', { name: 'Choose 1' }));
    await user.click(chooser('Role', 'Role'));
    await waitFor(() => expect(screen.getAllByRole('radio')).toHaveLength(2));
    await user.click(screen.getByRole('radio', { name: 'Resident' }));
    await within(screen.getByRole('group', { name: 'Role' })).findByRole('button', { name: 'Resident' });
    await user.click(saveButton());
    await at('/users');
    expect(server.asked('PUT', '/users')[0]?.body).toMatchObject({ name: 'New Person', login: 'new', domains: [uuid(30)], role: uuid(20) });
  });

  it('offers only roles that one may give, and says why of the others', async () => {
    const { user } = await addingTo('/users/add', lists, annaWith('can_create_users', 'can_view_roles', 'can_view_all_users'));
    await user.click(chooser('Role', 'Role'));
    await waitFor(() => expect(screen.getAllByRole('radio')).toHaveLength(2));
    const lines = screen.getAllByRole<HTMLButtonElement>('radio').map(({ textContent, disabled }) => [textContent, disabled]);
    expect(lines).toEqual([
      ['Resident', false],
      ['OwnerYou cannot assign this role', true],
    ]);
  });

  it('marks all that is required, a group too (spec A5)', async () => {
    await addingTo('/users/add');
    expect(screen.getAllByText('*').map((mark) => mark.closest('label')?.textContent)).toEqual(['Name*', 'Login*', 'Role*', 'Groups*']);
  });

  it('brings back what a switch has hidden when it is wrong, so that it can be put right', async () => {
    const { user } = await addingTo('/groups/add');
    await fill(user, input('Name'), 'Gate');
    const branding = (): HTMLElement => screen.getByRole('checkbox', { name: 'Use custom branding' });
    await user.click(branding());
    await fill(user, input('E-mail'), 'nobody');
    await user.click(branding());
    expect(screen.queryByRole('textbox', { name: 'E-mail' })).toBeNull();
    await user.click(saveButton());
    await screen.findByText(/Check the marked fields/);
    expect(descriptionOf(input('E-mail'))).toEqual(['Enter an e-mail address, for example name@example.com']);
    expect(document.activeElement).toBe(input('E-mail'));
  });

  it('is refused at the address to those who may not', async () => {
    await openPage('/users/add', lists, annaWith('can_view_all_users'));
    await screen.findByText('You do not have permission to do this here');
    expect([screen.queryByRole('textbox'), screen.queryByRole('button', { name: 'Save' })]).toEqual([null, null]);
  });

  it('has no list at a typed address either: the page says so, and nothing is asked of the server', async () => {
    const { user, at } = await openPage('/audit-events', lists, annaWith('can_view_all_users'));
    await screen.findByText('You do not have access to this page');
    expect([screen.queryByRole('table'), screen.queryByRole('searchbox')]).toEqual([null, null]);
    await user.click(within(screen.getByRole('main')).getByRole('link'));
    await at('/home');
  });
});

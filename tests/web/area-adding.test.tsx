import { describe, expect, it } from 'vitest';
import { uuid } from '#tests/support/people.ts';
import { all, annaWith, areaPages, one, press, type, withWords } from './support/area-page.ts';
import { input, issue, lists, save } from './support/user-form.ts';

const open = areaPages();

describe('adding', () => {
  it('checks everything first, marks every wrong field, and goes to the first', async () => {
    const page = await open('/users/add', lists);
    await page.until('the form', () => all('[data-path="name"] input').length === 1);
    await save();
    await page.shows('Check the marked fields');
    expect([issue('name'), issue('login'), issue('role'), issue('domains')]).toEqual([
      'This field is required',
      'Enter a login to sign in with',
      'This field is required',
      'A user must belong to at least one group',
    ]);
    const name = input('name');
    expect(document.activeElement).toBe(name);
    expect(document.getElementById(name.getAttribute('aria-describedby')?.split(' ')[0] ?? '')?.textContent).toBe('This field is required');
    expect(page.server.asked('PUT', '/users')).toEqual([]);
  });

  it('chooses rows of other areas in sheets, and sends their ids', async () => {
    const page = await open('/users/add', { ...lists, 'PUT /users': () => ({ status: 201, body: { data: uuid(77) } }) });
    await page.until('the form', () => all('[data-path="name"] input').length === 1);
    await type(input('name'), 'New Person');
    await type(input('login'), 'new');
    await press(one('[data-path="domains"] .chip-add'));
    await page.until('the groups', () => all('.sheet-line').length === 1);
    expect(one('.sheet-line').textContent).toBe('TowerRiverside');
    await press(one('.sheet-line'));
    await press('Choose 1');
    await press(one('[data-path="role"] .chip-add'));
    await page.until('the roles', () => all('.sheet-line').length === 2);
    await press(withWords('.sheet-line', 'Resident'));
    await page.until('chosen', () => one('[data-path="role"]').textContent?.includes('Resident') === true);
    await save();
    await page.at('/users');
    expect(page.server.asked('PUT', '/users')[0]?.body).toMatchObject({ name: 'New Person', login: 'new', domains: [uuid(30)], role: uuid(20) });
  });

  it('offers only roles that one may give, and says why of the others', async () => {
    const page = await open('/users/add', lists, annaWith('can_create_users', 'can_view_roles', 'can_view_all_users'));
    await page.until('the form', () => all('[data-path="role"]').length === 1);
    await press(one('[data-path="role"] .chip-add'));
    await page.until('the roles', () => all('.sheet-line').length === 2);
    const lines = all<HTMLButtonElement>('.sheet-line').map(({ textContent, disabled }) => [textContent, disabled]);
    expect(lines).toEqual([
      ['Resident', false],
      ['OwnerYou cannot assign this role', true],
    ]);
  });

  it('marks all that is required, a group too (spec A5)', async () => {
    const page = await open('/users/add', lists);
    await page.until('the form', () => all('[data-path="name"] input').length === 1);
    const required = all('.field').filter((field) => field.querySelector('.field-required'));
    expect(required.map((field) => field.dataset['path'])).toEqual(['name', 'login', 'role', 'domains']);
  });

  it('brings back what a switch has hidden when it is wrong, so that it can be put right', async () => {
    const page = await open('/groups/add', lists);
    await page.until('the form', () => all('[data-path="name"] input').length === 1);
    await type(input('name'), 'Gate');
    await press(input('whitelabel.is_enabled'));
    await type(input('whitelabel.email'), 'nobody');
    await press(input('whitelabel.is_enabled'));
    expect(all('[data-path="whitelabel.email"]')).toHaveLength(0);
    await save();
    await page.shows('Check the marked fields');
    expect(issue('whitelabel.email')).toBe('Enter an e-mail address, for example name@example.com');
    expect(document.activeElement).toBe(input('whitelabel.email'));
  });

  it('is refused at the address to those who may not', async () => {
    const page = await open('/users/add', lists, annaWith('can_view_all_users'));
    await page.shows('You do not have permission to do this here');
    expect(all('form')).toHaveLength(0);
  });

  it('has no list at a typed address either: the page says so, and nothing is asked of the server', async () => {
    const page = await open('/audit-events', lists, annaWith('can_view_all_users'));
    await page.shows('You do not have access to this page');
    expect([all('table').length, all('.list-tools').length]).toEqual([0, 0]);
    await press(one('.empty-state a'));
    await page.at('/home');
  });
});

import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { uuid } from '#tests/support/people.ts';
import { annaWith, openPage, role, rowsAnswer } from './support/area-page.ts';

const desk = role(40, { name: 'Desk', users_count: 3, permissions: ['can_view_users', 'can_view_all_users'] });
const night = role(41, { name: 'Night', requires_second_factor: true, permissions: ['can_view_users', 'can_view_elevators'] });
const copy = role(42, { name: 'Day', users_count: 1, permissions: ['can_view_users', 'can_view_all_users'] });
const roles = { 'GET /roles': () => rowsAnswer([desk, night, copy].map((one) => ({ requires_second_factor: false, ...one }))) };
const compare = (...ids: number[]) => openPage(`/roles/compare?roles=${ids.map((id) => uuid(id)).join(',')}`, roles);

/** The lines of the comparison: what it is about, and Yes or No of each role. */
const lines = (): string[][] => screen.getAllByRole<HTMLTableRowElement>('row').map(({ cells }) => [...cells].map(({ textContent }) => textContent));
const line = (name: string): string[] | undefined =>
  lines()
    .find(([first]) => first === name)
    ?.slice(1);

describe('roles side by side', () => {
  it('differ in what one has and the other lacks; what they share is shown when asked for', async () => {
    const { user, at } = await compare(40, 41);
    await screen.findByText('2 permissions differ');
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      'Desk2 permissions3 users',
      'Night2 permissions0 users',
    ]);
    expect(line('View all users')).toEqual(['Yes', 'No']);
    expect(line('View elevators')).toEqual(['No', 'Yes']);
    expect(line('Requires two-factor sign-in')).toEqual(['No', 'Yes']);
    expect(line('View users')).toBeUndefined();
    await user.click(screen.getByRole('checkbox', { name: 'Only differences' }));
    await at(`/roles/compare?roles=${uuid(40)}%2C${uuid(41)}&show=all`);
    expect(line('View users')).toEqual(['Yes', 'Yes']);
  });

  it('of equal permissions it is said, and another is added from the list, kept by the address', async () => {
    const { user, at } = await compare(40, 42);
    await screen.findByText('The permissions are the same');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Add a role to compare' }), 'Night');
    await at(`/roles/compare?roles=${[40, 42, 41].map((id) => uuid(id)).join('%2C')}`);
    expect(line('View elevators')).toEqual(['No', 'No', 'Yes']);
    await user.click(screen.getByRole('button', { name: 'Remove Desk from the comparison' }));
    await at(`/roles/compare?roles=${uuid(42)}%2C${uuid(41)}`);
    expect(line('View elevators')).toEqual(['No', 'Yes']);
  });

  it('a role that is not there is said, and a new one begins from either', async () => {
    const { user, where } = await openPage(`/roles/compare?roles=${uuid(40)},${uuid(77)}`, {
      ...roles,
      [`GET /roles/${uuid(40)}`]: () => ({ body: { data: desk } }),
    });
    await screen.findByText(/^1 role was not found/);
    expect(line('View users')).toEqual(['Yes']);
    await user.click(screen.getByRole('button', { name: 'New role from Desk' }));
    await screen.findByRole('textbox', { name: 'Name' });
    expect(where()).toContain(`/roles/add?copy=${uuid(40)}&name=Desk+%28copy%29`);
  });

  it('those who may not create roles are offered no new one', async () => {
    await openPage(`/roles/compare?roles=${uuid(40)}`, roles, annaWith('can_view_all_roles'));
    await screen.findByRole('columnheader', { name: /^Desk/ });
    expect(screen.queryByRole('button', { name: /^New role/ })).toBeNull();
  });

  it('of roles that one may not view nothing is told but that they are not there', async () => {
    await openPage(`/roles/compare?roles=${uuid(40)},${uuid(41)}`, { 'GET /roles': () => rowsAnswer([]) }, annaWith('can_view_users'));
    await screen.findByText(/^2 roles were not found/);
    expect(screen.getByText('Choose the roles to compare')).toBeTruthy();
    expect(screen.queryByRole('table')).toBeNull();
  });

  it('begins in the list: with two selected, or with another one from the menu of a row', async () => {
    const { user, where } = await openPage('/roles', roles);
    await user.click(await screen.findByRole('checkbox', { name: 'Select Desk' }));
    expect(screen.queryByRole('button', { name: 'Compare' })).toBeNull();
    await user.click(screen.getByRole('checkbox', { name: 'Select Night' }));
    await user.click(screen.getByRole('button', { name: 'Compare' }));
    await screen.findByText('2 permissions differ');
    expect(where()).toContain(`roles=${uuid(40)}%2C${uuid(41)}`);
    const table = within(screen.getByRole('region', { name: 'Compare roles' }));
    expect(table.getByRole('link', { name: 'Desk' }).getAttribute('href')).toBe(`/roles/${uuid(40)}`);
  });
});

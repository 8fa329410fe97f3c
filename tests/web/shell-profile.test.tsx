import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { anna, uuid } from '#tests/support/people.ts';
import { refused } from './support/fake-server.ts';
import { enterShell } from './support/shell.tsx';
import { descriptionOf, fill } from './support/user.ts';

const openProfile = async (handlers: Parameters<typeof enterShell>[1] = {}) => {
  const page = await enterShell('/profile', handlers);
  await screen.findByRole('heading', { name: 'Personal details' });
  return page;
};
const input = (name: string) => screen.getByRole('textbox', { name });
const saveButton = () => screen.getByRole('button', { name: 'Save changes' });

describe('the profile', () => {
  it('saves only what was changed, and shows it everywhere', async () => {
    const { user, server } = await openProfile({
      'PATCH /profile': ({ body }) => ({ body: { data: { ...anna, ...(body as object), version: '2' } } }),
    });
    expect(screen.queryByRole('toolbar')).toBeNull();
    await fill(user, input('Name'), 'Anna Maria');
    await screen.findByRole('toolbar');
    await user.click(saveButton());
    await screen.findByText(/Profile saved/);
    expect(server.asked('PATCH', '/profile').map(({ body }) => body)).toEqual([{ name: 'Anna Maria' }]);
    expect(screen.getByRole('button', { name: /Anna Maria/ })).toBeTruthy();
    expect(screen.queryByRole('toolbar')).toBeNull();
  });

  it('looks for a time zone by city or country, and shows times in it at once', async () => {
    const { user, server } = await openProfile({
      'PATCH /profile': ({ body }) => ({
        body: { data: { ...anna, profile: { ...anna.profile, ...(body as { profile: object }).profile }, version: '2' } },
      }),
    });
    await user.click(screen.getByRole('button', { name: 'Time zone: UTC+2' }));
    const sheet = within(await screen.findByRole('dialog', { name: 'Time zone' }));
    const lines = () => sheet.getAllByRole('radio').map(({ textContent }) => textContent);
    await waitFor(() => expect(lines()).toHaveLength(100));
    expect(lines()[0]).toMatch(/^UTC−11 · /);
    await fill(user, sheet.getByRole('searchbox'), 'calcutta');
    await waitFor(() => expect(lines()).toEqual(['UTC+5:30 · KolkataIndia Time']));
    await fill(user, sheet.getByRole('searchbox'), 'utc+2 no summer time');
    await waitFor(() => expect(lines()).toHaveLength(1));
    await fill(user, sheet.getByRole('searchbox'), 'india');
    await user.click(await sheet.findByRole('radio', { name: /Kolkata/ }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByRole('button', { name: 'Time zone: UTC+5:30 · Kolkata' }).textContent).toBe('UTC+5:30 · Kolkata');
    const there = new Date(Date.now() + 330 * 60_000).toISOString();
    expect(descriptionOf(screen.getByRole('combobox', { name: 'Date format' })).join()).toContain(there.slice(11, 16));
    await user.click(saveButton());
    await screen.findByText(/Profile saved/);
    expect(server.asked('PATCH', '/profile').map(({ body }) => body)).toEqual([{ profile: { time_zone: 6, time_zone_name: 'Asia/Kolkata' } }]);
    expect(screen.getByRole('button', { name: 'Time zone: UTC+5:30 · Kolkata' })).toBeTruthy();
  });

  it('checks before it asks the server, and shows what the server found at its field', async () => {
    const { user, server } = await openProfile({
      'PATCH /profile': () =>
        refused(422, 'invalid_data', 'invalid data sent (request validation)', { issues: [{ path: ['email'], rule: 'email', params: {} }] }),
    });
    await fill(user, input('Name'), '');
    await user.click(saveButton());
    await screen.findByText(/Check the marked fields/);
    expect(server.asked('PATCH', '/profile')).toHaveLength(0);
    await fill(user, input('Name'), 'Anna');
    await fill(user, input('E-mail'), 'anna@other.example');
    await user.click(saveButton());
    await waitFor(() => expect(descriptionOf(input('E-mail'))).toEqual([expect.stringMatching(/^Enter an e-mail address/)]));
    expect(input('E-mail').getAttribute('aria-invalid')).toBe('true');
  });

  it('asks before unsaved changes are left behind', async () => {
    const { user, router, at, where } = await openProfile();
    await fill(user, input('Name'), 'Somebody else');
    const leave = (): void => void router.navigate('/home');
    const question = async () => within(await screen.findByRole('dialog', { name: /Leave without saving\?$/ }));
    leave();
    await user.click((await question()).getByRole('button', { name: 'Cancel' }));
    expect(where()).toBe('/profile');
    leave();
    await user.click((await question()).getByRole('button', { name: 'Leave' }));
    await at('/home');
  });

  it('has the browser ask before the tab is closed over changes, and only then', async () => {
    const { user } = await openProfile();
    const closing = (): boolean => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    expect(closing()).toBe(false);
    await fill(user, input('Name'), 'Somebody else');
    expect(closing()).toBe(true);
    await user.click(screen.getByRole('button', { name: 'Discard' }));
    await waitFor(() => expect(closing()).toBe(false));
  });

  it('lists where one is signed in and ends one of them', async () => {
    const session = (id: number, current: boolean) => ({
      id: uuid(id),
      ip: '10.0.0.1',
      user_agent: 'Mozilla/5.0 (Windows NT 10.0) Chrome/1 Safari/1',
      created_at: '2026-01-01T00:00:00Z',
      last_seen_at: '2026-01-01T00:00:00Z',
      is_current: current,
    });
    const { user, server } = await openProfile({
      'GET /sessions': () => ({ body: { data: [session(1, true), session(2, false)] } }),
      [`DELETE /sessions/${uuid(2)}`]: () => ({ status: 204 }),
    });
    await waitFor(() => expect(screen.getAllByText('Chrome, Windows')).toHaveLength(2));
    expect(screen.getAllByText('This device')).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: /Chrome, Windows/ }));
    await waitFor(() => expect(server.asked('DELETE', `/sessions/${uuid(2)}`)).toHaveLength(1));
    await screen.findByText(/Session ended/);
  });

  it('changes the password only when both new ones agree and follow the rule', async () => {
    const { user, server } = await openProfile({
      'POST /profile/password': ({ body }) =>
        (body as { old: string }).old === 'Old-1234' ? { body: { data: null } } : refused(422, 'wrong_old_password', 'wrong old password'),
    });
    await user.click(screen.getByRole('button', { name: 'Change password' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Change password' }));
    const submit = () => user.click(dialog.getByRole('button', { name: 'Change password' }));
    // A password has no role.
    const [old, fresh, repeated] = [/^Current password/, /^New password/, /^Confirm new password/].map((label) => dialog.getByLabelText(label));
    if (!old || !fresh || !repeated) throw new Error('three lines');
    await fill(user, old, 'wrong');
    await fill(user, fresh, 'short');
    await submit();
    expect(descriptionOf(fresh).join()).toContain('At least 10 characters');
    expect(document.activeElement).toBe(fresh);
    await fill(user, fresh, 'New-123456');
    await fill(user, repeated, 'New-654321');
    expect(descriptionOf(repeated)).toContain('The passwords do not match');
    await fill(user, repeated, 'New-123456');
    await submit();
    expect((await dialog.findByRole('alert')).textContent).toMatch(/current password is incorrect/i);
    await fill(user, old, 'Old-1234');
    await submit();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.asked('POST', '/profile/password').map(({ body }) => body)).toEqual([
      { old: 'wrong', new: 'New-123456' },
      { old: 'Old-1234', new: 'New-123456' },
    ]);
  });
});

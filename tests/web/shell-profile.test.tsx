import { act } from 'react';
import { describe, expect, it } from 'vitest';
import { anna, uuid } from '#tests/support/people.ts';
import { refused } from './support/fake-server.ts';
import { freshPages } from './support/fresh-pages.ts';
import { button, enterShell, one, press, type } from './support/shell.tsx';

const enter = freshPages(enterShell);

describe('the profile', () => {
  it('saves only what was changed, and shows it everywhere', async () => {
    const { server, shows, until } = await enter('/profile', {
      'PATCH /profile': ({ body }) => ({ body: { data: { ...anna, ...(body as object), version: '2' } } }),
    });
    await shows('Personal details');
    expect(document.querySelector('.fab-bar')).toBeNull();
    await type('#profile-name', 'Anna Maria');
    await until('the buttons', () => document.querySelector('.fab-bar') !== null);
    await act(async () => button('Save changes').click());
    await shows('Profile saved');
    expect(server.asked('PATCH', '/profile').map(({ body }) => body)).toEqual([{ name: 'Anna Maria' }]);
    expect(one('.person-button').getAttribute('aria-label')).toContain('Anna Maria');
    expect(document.querySelector('.fab-bar')).toBeNull();
  });

  it('looks for a time zone by city or country, and shows times in it at once', async () => {
    const { server, shows, until } = await enter('/profile', {
      'PATCH /profile': ({ body }) => ({
        body: { data: { ...anna, profile: { ...anna.profile, ...(body as { profile: object }).profile }, version: '2' } },
      }),
    });
    await shows('Personal details');
    expect(one('#profile-time_zone').getAttribute('aria-label')).toBe('Time zone: UTC+2');
    const lines = () => [...document.querySelectorAll('.sheet-line')].map(({ textContent }) => textContent);
    await press('#profile-time_zone');
    await until('the zones', () => lines().length === 100);
    expect(lines()[0]).toMatch(/^UTC−11 · /);
    await type('.sheet input[type="search"]', 'calcutta');
    await until('the city by its old name', () => lines().length === 1);
    expect(lines()).toEqual(['UTC+5:30 · KolkataIndia Time']);
    await type('.sheet input[type="search"]', 'utc+2 all year');
    await until('hours alone', () => lines().length === 1);
    await type('.sheet input[type="search"]', 'india');
    await until('the country', () => lines().includes('UTC+5:30 · KolkataIndia Time'));
    await act(async () => [...document.querySelectorAll<HTMLElement>('.sheet-line')].find((line) => line.textContent?.includes('Kolkata'))?.click());
    await until('chosen', () => document.querySelector('.sheet') === null);
    expect(one('#profile-time_zone').textContent).toBe('UTC+5:30 · Kolkata');
    const there = new Date(Date.now() + 330 * 60_000).toISOString();
    expect(one('[data-path="time_format"] .field-hint').textContent).toContain(there.slice(11, 16));
    await act(async () => button('Save changes').click());
    await shows('Profile saved');
    expect(server.asked('PATCH', '/profile').map(({ body }) => body)).toEqual([{ profile: { time_zone: 6, time_zone_name: 'Asia/Kolkata' } }]);
    expect(one('#profile-time_zone').textContent).toBe('UTC+5:30 · Kolkata');
  });

  it('checks before it asks the server, and shows what the server found at its field', async () => {
    const { server, shows } = await enter('/profile', {
      'PATCH /profile': () =>
        refused(422, 'invalid_data', 'invalid data sent (request validation)', { issues: [{ path: ['email'], rule: 'email', params: {} }] }),
    });
    await shows('Personal details');
    await type('#profile-name', '');
    await act(async () => button('Save changes').click());
    await shows('Check the marked fields');
    expect(server.asked('PATCH', '/profile')).toHaveLength(0);
    await type('#profile-name', 'Anna');
    await type('#profile-email', 'anna@other.example');
    await act(async () => button('Save changes').click());
    await shows('Enter an e-mail address');
    expect(one('#profile-email').getAttribute('aria-invalid')).toBe('true');
  });

  it('asks before unsaved changes are left behind', async () => {
    const { router, shows, at, where } = await enter('/profile');
    await shows('Personal details');
    await type('#profile-name', 'Somebody else');
    await act(async () => void router.navigate('/home'));
    await shows('Leave without saving?');
    await act(async () => button('Cancel').click());
    expect(where()).toBe('/profile');
    await act(async () => void router.navigate('/home'));
    await shows('Leave without saving?');
    await act(async () => button('Leave').click());
    await at('/home');
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
    const { server, shows, until } = await enter('/profile', {
      'GET /sessions': () => ({ body: { data: [session(1, true), session(2, false)] } }),
      [`DELETE /sessions/${uuid(2)}`]: () => ({ status: 204 }),
    });
    await shows('Chrome, Windows');
    expect(document.querySelectorAll('.session-line .tag-good')).toHaveLength(1);
    await press('.session-line button');
    await until('ended', () => server.asked('DELETE', `/sessions/${uuid(2)}`).length === 1);
    await shows('Session ended');
  });

  it('changes the password only when both new ones agree and follow the rule', async () => {
    const { server, shows, until } = await enter('/profile', {
      'POST /profile/password': ({ body }) =>
        (body as { old: string }).old === 'Old-1234' ? { body: { data: null } } : refused(422, 'wrong_old_password', 'wrong old password'),
    });
    await shows('Change password');
    await act(async () => button('Change password').click());
    const submit = () =>
      act(async () => one<HTMLFormElement>('#change-password').dispatchEvent(new Event('submit', { bubbles: true, cancelable: true })));
    await type('#password-old', 'wrong');
    await type('#password-new', 'short');
    await submit();
    await shows('At least 10 characters');
    expect(document.activeElement?.id).toBe('password-new');
    await type('#password-new', 'New-123456');
    await type('#password-repeat', 'New-654321');
    await shows('The passwords do not match');
    await type('#password-repeat', 'New-123456');
    await submit();
    await shows('current password is incorrect');
    await type('#password-old', 'Old-1234');
    await submit();
    await until('closed', () => document.querySelector('#change-password') === null);
    expect(server.asked('POST', '/profile/password').map(({ body }) => body)).toEqual([
      { old: 'wrong', new: 'New-123456' },
      { old: 'Old-1234', new: 'New-123456' },
    ]);
  });
});

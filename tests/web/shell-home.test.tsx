import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { anna, uuid, withNumber } from '#tests/support/people.ts';
import { unauthenticated } from './support/fake-server.ts';
import { enterShell } from './support/shell.tsx';

describe('home', () => {
  it('shows only what the person may see', async () => {
    await enterShell('/home');
    await screen.findByRole('heading', { name: 'Not activated yet' });
    expect(screen.getByRole('heading', { name: 'My groups' })).toBeTruthy();
    expect(document.body.textContent).not.toMatch(/Latest changes|Users by role|Add user/);
  });

  it('links what needs a person, and says when nothing does', async () => {
    const boris = { id: uuid(20), version: 1, name: 'Boris', domains: [{ id: uuid(3), name: 'Tower B' }], created_at: '2026-01-01T00:00:00Z' };
    const { user, server, where } = await enterShell('/home', {
      'GET /users': () => ({ body: { data: [boris], meta: { page: 1, size: 5, total: 7 } } }),
    });
    await screen.findByRole('link', { name: 'See all 7 users' });
    expect(JSON.parse(server.asked('GET', '/users')[0]?.query['filters'] ?? '')).toEqual({
      match: 'match_all',
      items: [{ field: 'activated_at', rule: 'equals', value: 0 }],
    });
    await screen.findByText(/^You do not belong to a group yet/);
    await user.click(screen.getByRole('link', { name: 'Boris' }));
    await waitFor(() => expect(where()).toMatch(new RegExp(`^/users/${uuid(20)}\\?pageId=`)));
  });

  it('says who was refused, also where nothing has a name', async () => {
    const event = (id: number, name: string | null) => ({
      id: uuid(id),
      version: 1,
      action: 'refused',
      area: 'users',
      entity_id: null,
      entity_name: name,
      user: { id: uuid(1), name: 'Boris' },
      created_at: '2026-01-01T00:00:00Z',
    });
    const watcher = { ...anna, role: { id: uuid(9), name: 'Watcher', permissions: ['can_view_audit_events'], available_roles: [] } };
    await enterShell('/home', {
      'GET /profile': () => ({ body: { data: watcher } }),
      'GET /audit-events': () => ({ body: { data: [event(30, null), event(31, 'Lobby')], meta: { page: 1, size: 8, total: 2 } } }),
    });
    await screen.findByText('Boris was denied access to “Lobby”');
    expect(document.body.textContent).not.toContain('“—”');
  });

  it('a card that could not be read says why and tries again', async () => {
    let down = true;
    const { user } = await enterShell('/home', {
      'GET /groups': ({ headers }) => {
        if (headers.get('authorization') !== 'Bearer access-1') return unauthenticated;
        return down
          ? { status: 503, body: { message: 'service is unavailable, try again later', error: { code: 'unavailable' } } }
          : { body: { data: [], meta: { page: 1, size: 5, total: 0 } } };
      },
    });
    const failure = await screen.findByRole('alert');
    expect(failure.textContent).toContain('The service is unavailable');
    down = false;
    await user.click(within(failure).getByRole('button', { name: 'Try again' }));
    await screen.findByText(/^You do not belong to a group yet/);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('of an apartment keeps the place of what the phone brings, and takes nothing away when it comes', async () => {
    const resident = {
      ...withNumber,
      role: {
        id: uuid(9),
        name: 'Resident',
        permissions: ['can_view_own_identifiers', 'can_view_guest_identifiers', 'can_create_guest_identifiers'],
        available_roles: [],
      },
    };
    let openDoors: (() => void) | undefined;
    const doors = new Promise<void>((done) => {
      openDoors = done;
    });
    await enterShell('/home', {
      'GET /profile': () => ({ body: { data: resident } }),
      'GET /announces/mine': () => ({ body: { data: [] } }),
      'GET /guest-identifiers': () => ({ body: { data: [], meta: { page: 1, size: 5, total: 0 } } }),
      'GET /sip-numbers/contacts': () => ({ body: { data: [] } }),
      'GET /calls/history': () => ({ body: { data: [], meta: { page: 1, size: 50, total: 0 } } }),
      'GET /concierge-devices': async () => {
        await doors;
        return {
          body: {
            data: [
              {
                id: uuid(40),
                token: 'token-of-the-lobby-door',
                name: 'Lobby',
                type: 'panel',
                status: 'online',
                sip_number: null,
                path: [],
                has_camera: false,
              },
            ],
          },
        };
      },
    });
    const guests = await screen.findByRole('region', { name: 'My guests' });
    expect(screen.queryByRole('region', { name: 'My groups' })).toBeNull();
    const awaited = within(screen.getByRole('region', { name: 'My doors' })).getByRole('status', { name: 'Loading…' });
    // The phone comes after the first screen: this is no part of it.
    expect(awaited.closest('[data-later]')).not.toBeNull();
    await screen.findByRole('region', { name: 'My recent calls' });
    expect(guests.isConnected).toBe(true);
    openDoors?.();
    await screen.findByText('Lobby');
    expect(guests.isConnected).toBe(true);
  });
});

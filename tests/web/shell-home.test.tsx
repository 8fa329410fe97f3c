import { act } from 'react';
import { describe, expect, it } from 'vitest';
import { anna, uuid } from '#tests/support/people.ts';
import { unauthenticated } from './support/fake-server.ts';
import { freshPages } from './support/fresh-pages.ts';
import { button, enterShell } from './support/shell.tsx';

const enter = freshPages(enterShell);

describe('home', () => {
  it('shows only what the person may see', async () => {
    const { text, shows } = await enter('/home');
    await shows('Not activated yet');
    expect(text()).toContain('My groups');
    expect(text()).not.toMatch(/Latest changes|Users by role|Add user/);
  });

  it('links what needs a person, and says when nothing does', async () => {
    const user = { id: uuid(20), version: 1, name: 'Boris', domains: [{ id: uuid(3), name: 'Tower B' }], created_at: '2026-01-01T00:00:00Z' };
    const { server, shows, until, where } = await enter('/home', {
      'GET /users': () => ({ body: { data: [user], meta: { page: 1, size: 5, total: 7 } } }),
    });
    await shows('See all 7 users');
    expect(JSON.parse(server.asked('GET', '/users')[0]?.query['filters'] ?? '')).toEqual({
      match: 'match_all',
      items: [{ field: 'activated_at', rule: 'equals', value: 0 }],
    });
    await shows('You do not belong to a group yet');
    await act(async () => [...document.querySelectorAll('a')].find((link) => link.textContent === 'Boris')?.click());
    await until('the user', () => new RegExp(`^/users/${uuid(20)}\\?pageId=`).test(where()));
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
    const { shows, text } = await enter('/home', {
      'GET /profile': () => ({ body: { data: watcher } }),
      'GET /audit-events': () => ({ body: { data: [event(30, null), event(31, 'Lobby')], meta: { page: 1, size: 8, total: 2 } } }),
    });
    await shows('Boris was denied access to “Lobby”');
    expect(text()).not.toContain('“—”');
  });

  it('a card that could not be read says why and tries again', async () => {
    let down = true;
    const { shows } = await enter('/home', {
      'GET /groups': ({ headers }) => {
        if (headers.get('authorization') !== 'Bearer access-1') return unauthenticated;
        return down
          ? { status: 503, body: { message: 'service is unavailable, try again later', error: { code: 'unavailable' } } }
          : { body: { data: [], meta: { page: 1, size: 5, total: 0 } } };
      },
    });
    await shows('The service is unavailable');
    down = false;
    await act(async () => button('Try again').click());
    await shows('You do not belong to a group yet');
    expect(document.querySelector('.failure')).toBeNull();
  });
});

import { act } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { WorkspaceRef } from '#src/views/system.ts';
import { anna, uuid } from '#tests/support/people.ts';
import { openConsole, smallBuilding } from './support/console.tsx';
import { pause, refused, unauthenticated } from './support/fake-server.ts';

let opened: Awaited<ReturnType<typeof openConsole>> | undefined;
beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
afterEach(async () => {
  await opened?.close();
  opened = undefined;
  vi.unstubAllGlobals();
});
/** Signed in as Anna, at an address. */
const enter = async (path: string, handlers: Parameters<typeof smallBuilding>[0] = {}) => {
  const server = smallBuilding(handlers);
  localStorage.setItem('doorward.session', JSON.stringify({ token: 'access-1', refresh: 'refresh-1' }));
  const page = await openConsole(path);
  opened = page;
  await page.at(path);
  await page.until('the shell', () => page.host.querySelector('.shell') !== null);
  return { ...page, server };
};
const one = <E extends HTMLElement>(selector: string): E => {
  const element = document.querySelector<E>(selector);
  if (!element) throw new Error(`nothing is ${selector}`);
  return element;
};
const press = (selector: string): Promise<void> => act(async () => one(selector).click());
const workspaceOf = (app: { system: { get: (name: string) => unknown } }) => app.system.get('workspace') as WorkspaceRef;
const button = (text: string): HTMLButtonElement => {
  const found = [...document.querySelectorAll('button')].find((element) => element.textContent?.includes(text));
  if (!found) throw new Error(`no button says ${text}`);
  return found;
};
const type = (selector: string, text: string): Promise<void> =>
  act(async () => {
    const input = one<HTMLInputElement>(selector);
    // Past React's own setter, so that it notices the change as it does a person's typing.
    Reflect.set(Object.getPrototypeOf(input) as object, 'value', text, input);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });

describe('the drawer', () => {
  it('shows all categories open, the first like any other, folds one, and remembers it', async () => {
    const { settings } = await enter('/home');
    const headings = () => [...document.querySelectorAll('.menu-heading')];
    expect(headings().map((element) => [element.textContent, element.getAttribute('aria-expanded')])).toEqual([
      ['Common', 'true'],
      ['Users', 'true'],
      ['Phone settings', 'true'],
    ]);
    await press('.menu-heading');
    expect(headings().map((element) => element.getAttribute('aria-expanded'))).toEqual(['false', 'true', 'true']);
    expect(document.querySelector<HTMLElement>('a.menu-entry[href="/home"]')?.closest('ul')?.hidden).toBe(true);
    expect(JSON.parse(localStorage.getItem('sideMenuState') ?? '')).toEqual({ mini: false, folded: ['common'] });
    await press('.menu-heading');
    expect(settings.sideMenuState.get().folded).toEqual([]);
  });

  it('becomes narrow: icons with their words for readers and under the pointer', async () => {
    const { settings } = await enter('/home');
    await press('.drawer-narrow');
    expect([document.querySelectorAll('.drawer-mini').length, settings.sideMenuState.get().mini]).toEqual([1, true]);
    const users = one<HTMLAnchorElement>('a.menu-entry[href="/users"]');
    expect(users.getAttribute('aria-label')).toBe('Users');
    await act(async () => users.dispatchEvent(new Event('pointerover', { bubbles: true })));
    expect(one('.menu-tip').textContent).toBe('Users');
  });

  it('names the page that is shown', async () => {
    await enter('/profile');
    await opened?.until('the title', () => one('.top-title').textContent === 'Profile');
    expect(document.title).toBe('Profile · Doorward');
  });
});

describe('alerts and questions', () => {
  it('four kinds are read out, stay while they are looked at, and can be closed', async () => {
    const { app, until } = await enter('/home');
    const alerts = app.system.get('alerts');
    const kinds = ['error', 'warning', 'success', 'info'] as const;
    await act(async () => {
      for (const kind of kinds) alerts.send({ type: 'alert.show', alert: { kind, key: 'interface.done', duration: 400 } });
    });
    expect([...document.querySelectorAll('.alert-body')].map((element) => element.getAttribute('role'))).toEqual([
      'alert',
      'alert',
      'status',
      'status',
    ]);
    await act(async () => one('.alert-error').dispatchEvent(new PointerEvent('pointerover', { bubbles: true })));
    await until('the others went', () => document.querySelectorAll('.alert').length === 1);
    await act(() => pause(500));
    expect(document.querySelectorAll('.alert-error')).toHaveLength(1);
    await press('.alert-error .icon-button');
    expect(document.querySelectorAll('.alert')).toHaveLength(0);
  });

  it('the same alert again is counted, not doubled', async () => {
    const { app, text } = await enter('/home');
    const alert = { kind: 'error', problem: { code: 'offline' }, duration: 0 } as const;
    await act(async () => {
      for (let times = 0; times < 3; times++) app.system.get('alerts').send({ type: 'alert.show', alert });
    });
    expect([document.querySelectorAll('.alert').length, text().includes('3 times')]).toEqual([1, true]);
  });

  it('stands above an open dialog, where it can be read and closed, and comes back when that is gone', async () => {
    const { app, until } = await enter('/profile');
    await opened?.shows('Change the password');
    await act(async () => button('Change the password').click());
    await act(async () =>
      app.system.get('alerts').send({ type: 'alert.show', alert: { kind: 'error', key: 'interface.check_fields_data', duration: 0 } }),
    );
    expect(one('.alert').closest('dialog')?.querySelector('#change-password')).not.toBeNull();
    await act(async () => button('Delete my account').click());
    expect(one('.alert').closest('dialog')?.textContent).toContain('for good?');
    await act(async () => one('.alert').closest('dialog')?.querySelector<HTMLButtonElement>('.modal-foot button')?.click());
    expect(one('.alert').closest('dialog')?.querySelector('#change-password')).not.toBeNull();
    await act(async () => button('Cancel').click());
    await until('no dialog', () => document.querySelector('dialog') === null);
    expect(one('.alert').closest('body')).toBe(document.body);
    await press('.alert .icon-button');
    expect(document.querySelectorAll('.alert')).toHaveLength(0);
  });

  it('a question takes the focus, and Escape answers what changes nothing', async () => {
    const { server } = await enter('/profile', { 'DELETE /profile': () => ({ status: 204 }) });
    await opened?.shows('Delete my account');
    await act(async () => button('Delete my account').click());
    await opened?.shows('Delete your account “anna” for good?');
    expect(document.activeElement?.textContent).toBe('Cancel');
    await act(async () => one('dialog').dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true })));
    await opened?.until('closed', () => document.querySelector('dialog') === null);
    expect(server.asked('DELETE', '/profile')).toHaveLength(0);
    await act(async () => button('Delete my account').click());
    await act(async () => one<HTMLButtonElement>('dialog .p-button-danger').click());
    await opened?.until('deleted', () => server.asked('DELETE', '/profile').length === 1);
    await opened?.at('/login?redirect=%2Fprofile');
  });
});

describe('the profile', () => {
  it('saves only what was changed, and shows it everywhere', async () => {
    const { server, shows, until } = await enter('/profile', {
      'PATCH /profile': ({ body }) => ({ body: { data: { ...anna, ...(body as object), version: '2' } } }),
    });
    await shows('About you');
    expect(document.querySelector('.fab-bar')).toBeNull();
    await type('#profile-name', 'Anna Maria');
    await until('the buttons', () => document.querySelector('.fab-bar') !== null);
    await act(async () => button('Save changes').click());
    await shows('Your profile is saved');
    expect(server.asked('PATCH', '/profile').map(({ body }) => body)).toEqual([{ name: 'Anna Maria' }]);
    expect(one('.person-button').getAttribute('aria-label')).toContain('Anna Maria');
    expect(document.querySelector('.fab-bar')).toBeNull();
  });

  it('checks before it asks the server, and shows what the server found at its field', async () => {
    const { server, shows } = await enter('/profile', {
      'PATCH /profile': () =>
        refused(422, 'invalid_data', 'invalid data sent (request validation)', { issues: [{ path: ['email'], rule: 'email', params: {} }] }),
    });
    await shows('About you');
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
    await shows('About you');
    await type('#profile-name', 'Somebody else');
    await act(async () => void router.navigate('/home'));
    await shows('Leave without them?');
    await act(async () => button('Cancel').click());
    expect(where()).toBe('/profile');
    await act(async () => void router.navigate('/home'));
    await shows('Leave without them?');
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
    await shows('The session has ended');
  });

  it('changes the password only when both new ones agree and follow the rule', async () => {
    const { server, shows, until } = await enter('/profile', {
      'POST /profile/password': ({ body }) =>
        (body as { old: string }).old === 'Old-1234' ? { body: { data: null } } : refused(422, 'wrong_old_password', 'wrong old password'),
    });
    await shows('Change the password');
    await act(async () => button('Change the password').click());
    const submit = () =>
      act(async () => one<HTMLFormElement>('#change-password').dispatchEvent(new Event('submit', { bubbles: true, cancelable: true })));
    await type('#password-old', 'wrong');
    await type('#password-new', 'short');
    await submit();
    await shows('At least 8 characters');
    expect(document.activeElement?.id).toBe('password-new');
    await type('#password-new', 'New-12345');
    await type('#password-repeat', 'New-54321');
    await shows('The two passwords differ');
    await type('#password-repeat', 'New-12345');
    await submit();
    await shows('old password');
    await type('#password-old', 'Old-1234');
    await submit();
    await until('closed', () => document.querySelector('#change-password') === null);
    expect(server.asked('POST', '/profile/password').map(({ body }) => body)).toEqual([
      { old: 'wrong', new: 'New-12345' },
      { old: 'Old-1234', new: 'New-12345' },
    ]);
  });
});

describe('home', () => {
  it('shows only what the person may see', async () => {
    const { text, shows } = await enter('/home');
    await shows('Not activated yet');
    expect(text()).toContain('My groups');
    expect(text()).not.toMatch(/Latest changes|People by role|Add a user/);
  });

  it('links what needs a person, and says when nothing does', async () => {
    const user = { id: uuid(20), version: 1, name: 'Boris', domains: [{ id: uuid(3), name: 'Tower B' }], created_at: '2026-01-01T00:00:00Z' };
    const { server, shows } = await enter('/home', {
      'GET /users': () => ({ body: { data: [user], meta: { page: 1, size: 5, total: 7 } } }),
    });
    await shows('See all 7 users');
    expect(JSON.parse(server.asked('GET', '/users')[0]?.query['filters'] ?? '')).toEqual({
      match: 'match_all',
      items: [{ field: 'activated_at', rule: 'equals', value: 0 }],
    });
    await shows('You belong to no group yet');
    await act(async () => [...document.querySelectorAll('a')].find((link) => link.textContent === 'Boris')?.click());
    await opened?.until('the user', () => new RegExp(`^/users/${uuid(20)}\\?pageId=`).test(opened?.where() ?? ''));
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
    await shows('Boris was refused: “Lobby”');
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
    await shows('The service is unavailable just now');
    down = false;
    await act(async () => button('Try again').click());
    await shows('You belong to no group yet');
    expect(document.querySelector('.failure')).toBeNull();
  });
});

describe('pages on pages', () => {
  it('the workspace knows each page the router shows, and closing one leads back', async () => {
    const { app, router, at } = await enter('/users?page=1');
    const pages = () =>
      workspaceOf(app)
        .getSnapshot()
        .context.pages.map(({ path, kind }) => [kind, path]);
    expect(pages()).toEqual([['list', '/users?page=1']]);
    const go = async (path: string): Promise<void> => {
      await act(async () => void router.navigate(path));
      await at(path);
    };
    await go(`/users/${uuid(20)}?pageId=a`);
    await go('/groups?pageId=b');
    expect(pages()).toEqual([
      ['list', '/users?page=1'],
      ['view', `/users/${uuid(20)}?pageId=a`],
      ['list', '/groups?pageId=b'],
    ]);
    await go(`/users/${uuid(20)}?pageId=a`);
    expect(pages()).toHaveLength(2);
    await go('/home');
    expect(pages()).toEqual([['other', '/home']]);
  });
});

import { act } from 'react';
import { describe, expect, it } from 'vitest';
import type { WorkspaceRef } from '#src/views/system.ts';
import { uuid } from '#tests/support/people.ts';
import { pause } from './support/fake-server.ts';
import { freshPages } from './support/fresh-pages.ts';
import { button, enterShell, one, press } from './support/shell.tsx';

const enter = freshPages(enterShell);
const workspaceOf = (app: { system: { get: (name: string) => unknown } }) => app.system.get('workspace') as WorkspaceRef;

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
    const { until } = await enter('/profile');
    await until('the title', () => one('.top-title').textContent === 'Profile');
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

  it('goes on hearing presses while a dialog is open, as the uppermost dialog does and nothing below it', async () => {
    const { app, shows, until } = await enter('/profile');
    await shows('Change password');
    await act(async () => button('Change password').click());
    await act(async () =>
      app.system.get('alerts').send({ type: 'alert.show', alert: { kind: 'error', key: 'interface.check_fields_data', duration: 0 } }),
    );
    const heard = () => ['.alert', '#content', '#change-password'].map((selector) => one(selector).closest('[inert]') === null);
    expect(heard()).toEqual([true, false, true]);
    await act(async () => button('Delete my account').click());
    expect(heard()).toEqual([true, false, false]);
    await act(async () => [...document.querySelectorAll<HTMLButtonElement>('dialog .modal-foot button')].at(-2)?.click());
    expect(heard()).toEqual([true, false, true]);
    await act(async () => button('Cancel').click());
    await until('no dialog', () => document.querySelector('dialog') === null);
    expect(one('.alert').closest('[inert]') ?? one('#content').closest('[inert]')).toBeNull();
    await press('.alert .icon-button');
    expect(document.querySelectorAll('.alert')).toHaveLength(0);
  });

  it('deleting one’s account asks for the password; Escape changes nothing', async () => {
    const { server, shows, until, at } = await enter('/profile', { 'DELETE /profile': () => ({ status: 204 }) });
    await shows('Delete my account');
    await act(async () => button('Delete my account').click());
    await shows('Delete your account “anna” permanently?');
    await act(async () => one('dialog').dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true })));
    await until('closed', () => document.querySelector('dialog') === null);
    expect(server.asked('DELETE', '/profile')).toHaveLength(0);
    await act(async () => button('Delete my account').click());
    await act(async () => one<HTMLButtonElement>('dialog .p-button-danger').click());
    expect([one('#delete-password-issue').textContent, server.asked('DELETE', '/profile').length]).toEqual(['This field is required', 0]);
    await act(async () => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(one('#delete-password'), 'Doorward-2026');
      one('#delete-password').dispatchEvent(new Event('input', { bubbles: true }));
    });
    await act(async () => one<HTMLButtonElement>('dialog .p-button-danger').click());
    await until('deleted', () => server.asked('DELETE', '/profile').length === 1);
    expect(server.asked('DELETE', '/profile')[0]?.body).toEqual({ password: 'Doorward-2026' });
    await at('/login?redirect=%2Fprofile');
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

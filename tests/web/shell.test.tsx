import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { WorkspaceRef } from '#src/views/system.ts';
import { uuid } from '#tests/support/people.ts';
import { inboxOf, notice } from '#tests/support/watch.ts';
import { pause } from './support/fake-server.ts';
import { enterShell } from './support/shell.tsx';
import { descriptionOf, fill } from './support/user.ts';

const workspaceOf = (app: { system: { get: (name: string) => unknown } }) => app.system.get('workspace') as WorkspaceRef;

describe('the drawer', () => {
  const menu = () => within(screen.getByRole('navigation', { name: 'Menu' }));
  const headings = () =>
    menu()
      .getAllByRole('button', { name: /^(Common|Users|Phone settings)$/ })
      .map((heading) => [heading.textContent, heading.getAttribute('aria-expanded')]);

  it('shows all categories open, the first like any other, folds one, and remembers it', async () => {
    const { user, settings } = await enterShell('/home');
    expect(headings()).toEqual([
      ['Common', 'true'],
      ['Users', 'true'],
      ['Phone settings', 'true'],
    ]);
    expect(menu().getByRole('link', { name: 'Home' })).toBeTruthy();
    await user.click(menu().getByRole('button', { name: 'Common' }));
    expect(headings().map(([, open]) => open)).toEqual(['false', 'true', 'true']);
    expect(menu().queryByRole('link', { name: 'Home' })).toBeNull();
    expect(JSON.parse(localStorage.getItem('sideMenuState') ?? '')).toEqual({ mini: false, folded: ['common'] });
    await user.click(menu().getByRole('button', { name: 'Common' }));
    expect(settings.sideMenuState.get().folded).toEqual([]);
  });

  it('becomes narrow: icons with their words for readers and under the pointer', async () => {
    const { user, settings } = await enterShell('/home');
    await user.click(menu().getByRole('button', { name: 'Collapse menu' }));
    expect([menu().queryByRole('button', { name: 'Common' }), settings.sideMenuState.get().mini]).toEqual([null, true]);
    const users = menu().getByRole('link', { name: 'Users' });
    expect(users.getAttribute('aria-label')).toBe('Users');
    const before = menu().getAllByText('Users').length;
    await user.hover(users);
    expect(menu().getAllByText('Users')).toHaveLength(before + 1);
  });

  it('brings the entry of the page that is shown into sight', async () => {
    const brought: (string | null)[] = [];
    vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
      brought.push(this.textContent);
    });
    const { user } = await enterShell('/home');
    await waitFor(() => expect(brought).toEqual(['Home']));
    await user.click(menu().getByRole('link', { name: 'Users' }));
    await waitFor(() => expect(brought).toEqual(['Home', 'Users']));
    vi.restoreAllMocks();
  });

  it('names the page that is shown', async () => {
    await enterShell('/profile');
    await screen.findByRole('heading', { name: 'Profile', level: 1 });
    expect(document.title).toBe('Profile · Doorward');
  });
});

describe('important notices in the corner', () => {
  it('say how long ago they came, and that moves on while they stand there', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    const come = notice(1, 'alarm_enabled', { created_at: new Date().toISOString() });
    await enterShell('/profile', { 'GET /notifications/unread': () => ({ body: { data: inboxOf(come) } }) });
    const stack = within(await screen.findByRole('region', { name: 'Important' }));
    expect(stack.getByRole('time').textContent).toBe('just now');
    // React subscribes to the clock after it has drawn, on a slow machine later than this line.
    act(() => void vi.advanceTimersByTime(65_000));
    await waitFor(() => expect(stack.getByRole('time').textContent).toBe('a minute ago'));
  });
});

describe('alerts and questions', () => {
  /** What is said in the alerts area, each with how urgently it is read out. */
  const area = () => within(screen.getByRole('region', { name: 'Messages' }));
  const alerts = () =>
    area()
      .queryAllByRole('listitem')
      .map((alert) => within(alert).queryByRole('alert') ?? within(alert).getByRole('status'));

  it('four kinds are read out, stay while they are looked at, and can be closed', async () => {
    const { user, app } = await enterShell('/home');
    const kinds = ['error', 'warning', 'success', 'info'] as const;
    await act(async () => {
      for (const kind of kinds) app.system.get('alerts').send({ type: 'alert.show', alert: { kind, key: 'interface.done', duration: 400 } });
    });
    expect(alerts().map((alert) => alert.getAttribute('role'))).toEqual(['alert', 'alert', 'status', 'status']);
    const [error] = alerts();
    if (!error) throw new Error('nothing is said');
    await user.hover(error);
    await waitFor(() => expect(alerts()).toEqual([error]));
    await act(() => pause(500));
    expect(alerts()).toEqual([error]);
    await user.click(area().getByRole('button', { name: 'Close message' }));
    expect(alerts()).toEqual([]);
  });

  it('the same alert again is counted, not doubled', async () => {
    const { app } = await enterShell('/home');
    const alert = { kind: 'error', problem: { code: 'offline' }, duration: 0 } as const;
    await act(async () => {
      for (let times = 0; times < 3; times++) app.system.get('alerts').send({ type: 'alert.show', alert });
    });
    expect(alerts().map(({ textContent }) => textContent)).toEqual([expect.stringContaining('3 times')]);
  });

  it('goes on hearing presses while a dialog is open, as the uppermost dialog does and nothing below it', async () => {
    const { user, app } = await enterShell('/profile');
    await user.click(await screen.findByRole('button', { name: 'Change password' }));
    const change = await screen.findByRole('dialog', { name: 'Change password' });
    await act(async () =>
      app.system.get('alerts').send({ type: 'alert.show', alert: { kind: 'error', key: 'interface.check_fields_data', duration: 0 } }),
    );
    const hears = (element: HTMLElement | undefined) => element?.closest('[inert]') === null;
    const heard = () => [alerts()[0], screen.getByRole('main'), change].map(hears);
    expect(heard()).toEqual([true, false, true]);
    // Nobody could press it there: the test alone reaches below the dialog.
    await act(async () => screen.getByRole('button', { name: 'Delete my account' }).click());
    expect(heard()).toEqual([true, false, false]);
    const removal = within(screen.getByRole('dialog', { name: /^Delete/ }));
    await user.click(removal.getByRole('button', { name: 'Cancel' }));
    expect(heard()).toEqual([true, false, true]);
    await user.click(within(change).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect([alerts()[0], screen.getByRole('main')].map(hears)).toEqual([true, true]);
    await user.click(area().getByRole('button', { name: 'Close message' }));
    expect(alerts()).toEqual([]);
  });

  it('deleting one’s account asks for the password; Escape changes nothing', async () => {
    const { user, server, at } = await enterShell('/profile', { 'DELETE /profile': () => ({ status: 204 }) });
    const ask = async () => {
      await user.click(await screen.findByRole('button', { name: 'Delete my account' }));
      const dialog = within(await screen.findByRole('dialog', { name: /^Delete/ }));
      expect(dialog.getByText(/^Delete your account “anna” permanently\?/)).toBeTruthy();
      return { password: dialog.getByLabelText(/^Current password/), approve: dialog.getByRole('button', { name: /^Delete/ }) };
    };
    await user.click((await ask()).password);
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.asked('DELETE', '/profile')).toHaveLength(0);
    const { password, approve } = await ask();
    await user.click(approve);
    expect([descriptionOf(password), server.asked('DELETE', '/profile').length]).toEqual([expect.arrayContaining(['This field is required']), 0]);
    await fill(user, password, 'Doorward-2026');
    await user.click(approve);
    await waitFor(() => expect(server.asked('DELETE', '/profile')).toHaveLength(1));
    expect(server.asked('DELETE', '/profile')[0]?.body).toEqual({ password: 'Doorward-2026' });
    await at('/login?redirect=%2Fprofile');
  });
});

describe('pages on pages', () => {
  it('the workspace knows each page the router shows, and closing one leads back', async () => {
    const { app, router, at } = await enterShell('/users?page=1');
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
    await waitFor(() =>
      expect(pages()).toEqual([
        ['list', '/users?page=1'],
        ['view', `/users/${uuid(20)}?pageId=a`],
        ['list', '/groups?pageId=b'],
      ]),
    );
    await go(`/users/${uuid(20)}?pageId=a`);
    await waitFor(() => expect(pages()).toHaveLength(2));
    await go('/home');
    await waitFor(() => expect(pages()).toEqual([['other', '/home']]));
  });
});

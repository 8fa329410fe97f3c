import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { FormActor } from '#machines/form/form.machine.ts';
import { singleton } from '#machines/system.ts';
import words from '#locales/en/interface.json' with { type: 'json' };
import { anna, harbour, riverside } from '#tests/support/people.ts';
import { openConsole, signedInBefore, smallBuilding } from './support/console.tsx';
import { pause, refused } from './support/fake-server.ts';

describe('somebody who is not signed in', () => {
  it.each([
    ['/users?page=2', '/login?redirect=%2Fusers%3Fpage%3D2'],
    ['/', '/login?redirect=%2Fhome'],
    ['/home', '/login?redirect=%2Fhome'],
    ['/users/1/edit', '/login?redirect=%2Fusers%2F1%2Fedit'],
  ])('who opens %s is sent to %s', async (path, expected) => {
    smallBuilding();
    const page = await openConsole(path);
    await page.at(expected);
    expect(page.where()).toBe(expected);
  });

  it.each(['/nowhere', '/users/1/2/3', '/password/forgotten'])('is told that %s is not there, and not asked to sign in for it', async (path) => {
    smallBuilding();
    const page = await openConsole(path);
    await screen.findByText(words.not_found.title);
    expect(page.where()).toBe(path);
    expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toContain('/home');
    expect([screen.queryByRole('textbox'), screen.queryByRole('button', { name: words.login.submit })]).toEqual([null, null]);
  });

  it('may read the terms', async () => {
    smallBuilding();
    const page = await openConsole('/terms-and-conditions');
    await screen.findByText(/Terms and conditions/);
    expect(page.where()).toBe('/terms-and-conditions');
  });

  it('goes, once signed in, where they wanted to go', async () => {
    smallBuilding();
    const page = await openConsole('/profile');
    await page.at('/login?redirect=%2Fprofile');
    await page.signIn();
    await page.at('/profile');
    await screen.findByText(/Display/);
    expect(page.where()).toBe('/profile');
  });

  it('goes home when nothing else was wanted, or something hostile', async () => {
    smallBuilding();
    const page = await openConsole('/login?redirect=%2F%2Fevil.example');
    await page.signIn();
    await screen.findByText(/Hello, Anna/);
    expect(page.where()).toBe('/home');
  });

  it('sees why signing in failed, and can go on at once', async () => {
    smallBuilding({ 'POST /login': () => refused(401, 'incorrect_login', 'incorrect login/password') });
    const page = await openConsole('/login');
    await act(async () => page.session.send({ type: 'session.signIn', login: 'anna', password: 'wrong', rememberUser: false }));
    expect((await screen.findByRole('alert')).textContent).toContain('Incorrect login or password');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: words.login.submit }).disabled).toBe(false);
  });

  it('opening login clears all alerts', async () => {
    smallBuilding();
    const page = await openConsole('/terms-and-conditions');
    const alerts = page.app.system.get('alerts');
    await act(async () => alerts.send({ type: 'alert.show', alert: { kind: 'error', problem: { code: 'offline' }, duration: 0 } }));
    await screen.findByRole('alert');
    await act(async () => page.router.navigate('/login'));
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
    expect(alerts.getSnapshot().context.shown).toEqual([]);
  });
});

describe('somebody with several projects', () => {
  const sessions = [
    { token: 'access-1', refresh: 'refresh-1', project: riverside },
    { token: 'access-9', refresh: 'refresh-9', project: harbour },
  ];
  it('chooses one, and then goes where they wanted to go', async () => {
    smallBuilding({ 'POST /login': () => ({ body: { data: { sessions } } }) });
    const page = await openConsole('/login?redirect=%2Fprofile');
    await act(async () => page.session.send({ type: 'session.signIn', login: 'anna', password: 'x', rememberUser: true }));
    await page.at('/choose-project?redirect=%2Fprofile');
    await screen.findByRole('button', { name: 'Harbour' });
    await page.user.click(screen.getByRole('button', { name: 'Riverside' }));
    await page.at('/profile');
    expect(JSON.parse(localStorage.getItem('doorward.session') ?? '')).toEqual({ token: 'access-1', refresh: 'refresh-1' });
  });

  it('goes on in another project from the person’s menu, at its home page', async () => {
    const there = { ...anna, id: harbour.id, project: { ...anna.project, ...harbour } };
    let opened = anna;
    const server = smallBuilding({
      'GET /sessions/projects': () => ({ body: { data: [riverside, harbour] } }),
      'POST /sessions/projects': () => {
        opened = there;
        return { body: { data: { token: 'access-2', refresh: 'refresh-2' } } };
      },
      'GET /profile': () => ({ body: { data: opened } }),
    });
    signedInBefore();
    const page = await openConsole('/profile');
    await screen.findByRole('button', { name: words.profile.delete_account });
    await page.user.click(screen.getByRole('button', { name: /Anna/ }));
    await page.user.click(await within(await screen.findByRole('dialog')).findByRole('button', { name: 'Harbour' }));
    await page.at('/home');
    expect(server.asked('POST', '/sessions/projects').map(({ body }) => body)).toEqual([{ project_id: harbour.id }]);
    expect(page.session.getSnapshot().context.profile?.project.id).toBe(harbour.id);
    expect(JSON.parse(localStorage.getItem('doorward.session') ?? '')).toEqual({ token: 'access-2', refresh: 'refresh-2' });
  });

  it('may go back to another account instead', async () => {
    smallBuilding({ 'POST /login': () => ({ body: { data: { sessions } } }) });
    const page = await openConsole('/login?redirect=%2Fprofile');
    await act(async () => page.session.send({ type: 'session.signIn', login: 'anna', password: 'x', rememberUser: true }));
    await page.user.click(await screen.findByRole('button', { name: words.projects.other_account }));
    await page.at('/login?redirect=%2Fprofile');
    expect(localStorage.getItem('doorward.session')).toBeNull();
  });
});

describe('somebody who is signed in', () => {
  it.each([
    ['/login', '/home'],
    ['/', '/home'],
  ])('who opens %s is sent to %s', async (path, expected) => {
    smallBuilding();
    signedInBefore();
    const page = await openConsole(path);
    await page.at(expected);
    expect(page.where()).toBe(expected);
  });

  it('is told of a page that is not there', async () => {
    smallBuilding();
    signedInBefore();
    const page = await openConsole('/nowhere');
    await within(await screen.findByRole('main')).findByText(words.not_found.title);
    expect(page.where()).toBe('/nowhere');
  });

  it.each([
    ['/licenses', 'GET /licenses', refused(403, 'forbidden', "can't perform action"), 'You do not have access to this page'],
    ['/simulator', 'GET /simulator', refused(403, 'forbidden', "can't perform action"), 'You do not have access to this page'],
    ['/mails', 'GET /mails', refused(404, 'not_found', 'item not found'), 'Page not found'],
    ['/audit-events/add', 'GET /audit-events', refused(404, 'not_found', 'item not found'), 'You do not have permission to do this here'],
  ])('who opens %s without a right to it is told so in words, and offered no second try', async (path, call, answer, words) => {
    smallBuilding({ [call]: () => answer });
    signedInBefore();
    await openConsole(path);
    await within(await screen.findByRole('main')).findByText(words);
    expect(document.body.textContent).not.toMatch(/Try again|areas\./);
  });

  it('signing out leads to login, with the way back', async () => {
    const server = smallBuilding();
    const page = await openConsole('/login?redirect=%2Fprofile');
    await page.signIn();
    await page.at('/profile');
    await act(async () => page.session.send({ type: 'session.signOut' }));
    await page.at('/login?redirect=%2Fprofile');
    expect([localStorage.getItem('doorward.session'), server.asked('POST', '/logout').length]).toEqual([null, 1]);
  });

  it('whose session is over is sent to login once, and asks nothing more', async () => {
    const server = smallBuilding({ 'POST /refresh': () => refused(401, 'invalid_token', 'invalid token') });
    const page = await openConsole('/login?redirect=%2Fprofile');
    await page.signIn();
    await page.at('/profile');
    server.spend();
    await act(async () => page.session.send({ type: 'token.rejected' }));
    await page.at('/login?redirect=%2Fprofile');
    await screen.findByText(/Your session has ended/);
    // The page one signs in on asks, whoever stands before it, which ways in there are.
    const asked = () => server.seen.filter(({ path }) => !['/registration/kinds', '/demo/accounts'].includes(path)).length;
    const before = asked();
    await act(() => pause(100));
    expect([asked(), localStorage.getItem('doorward.session')]).toEqual([before, null]);
  });

  it('reads the page in the language of the profile, unless another was chosen on the way in', async () => {
    const server = smallBuilding({ 'GET /profile': () => ({ body: { data: { ...anna, locale: 'ru' } } }) });
    const page = await openConsole('/login');
    await page.signIn();
    await screen.findByText(/Здравствуйте, Anna/);
    expect(page.settings.userLocale.get()).toBe('ru');
    await act(async () => page.services.changeLanguage('en'));
    await screen.findByText(/Hello, Anna/);
    expect(server.asked('PATCH', '/profile/locale').map(({ body }) => body)).toEqual([{ locale: 'en' }]);
  });
});

type Console = Awaited<ReturnType<typeof openConsole>>;
/** Makes a call as a button of a view does. */
function ask({ app }: Console, id: string): void {
  const workspace = singleton(app, 'workspace');
  workspace?.send({ type: 'child.open', id, src: 'form', input: {} });
  workspace?.send({ type: 'child.notify', id, event: { type: 'form.send', request: { call: 'sessions' } } });
}
const formAt = ({ app }: Console, id: string): FormActor | undefined =>
  singleton(app, 'workspace')?.getSnapshot().children[id] as FormActor | undefined;

describe('a storm of refused requests', () => {
  it('50 at once cause one refresh, and all 50 are answered', async () => {
    const server = smallBuilding();
    const page = await openConsole('/login?redirect=%2Fprofile');
    await page.signIn();
    await page.at('/profile');
    server.spend();
    const ids = Array.from({ length: 50 }, (_, at) => `form:sessions:${at}`);
    await act(async () => {
      for (const id of ids) ask(page, id);
    });
    await waitFor(() => expect(ids.every((id) => formAt(page, id)?.getSnapshot().hasTag('done'))).toBe(true));
    expect(server.asked('POST', '/refresh').length).toBe(1);
    expect(page.session.getSnapshot().matches('signedIn')).toBe(true);
  });

  it('a server that cannot refresh just now signs nobody out', async () => {
    let away = true;
    const server = smallBuilding();
    const page = await openConsole('/login?redirect=%2Fprofile');
    await page.signIn();
    await page.at('/profile');
    server.spend();
    vi.stubGlobal(
      'fetch',
      (
        (original) => async (request: Request) =>
          away && request.url.endsWith('/refresh') ? new Response('{}', { status: 500 }) : original(request)
      )(fetch),
    );
    await act(async () => ask(page, 'form:sessions:one'));
    await waitFor(() => expect(page.session.getSnapshot().hasTag('unreachable')).toBe(true));
    expect([page.where(), localStorage.getItem('doorward.session') === null]).toEqual(['/profile', false]);
    // What the page was still reading says so too.
    expect(await screen.findAllByText(/No connection to the server/)).not.toHaveLength(0);
    away = false;
    await act(async () => page.session.send({ type: 'session.retry' }));
    await waitFor(() => expect(formAt(page, 'form:sessions:one')?.getSnapshot().hasTag('done')).toBe(true));
  });
});

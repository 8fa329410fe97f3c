import { act } from 'react';
import { expect } from 'vitest';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import type { InspectionEvent, Observer } from 'xstate';
import { compose } from '#src/app/compose.ts';
import { openTexts } from '#src/app/i18n.ts';
import { routesOf, screenPaths } from '#src/app/routes.tsx';
import { openLocalSettings } from '#src/adapters/local-settings.ts';
import { localDrawer, settingsDrawer } from '#src/adapters/storage.ts';
import { openTheme } from '#src/adapters/theme.ts';
import { AlertArea } from '#src/views/shell/alert-area.tsx';
import { AppContext, ServicesContext } from '#src/views/system.ts';
import { anna } from '#tests/support/people.ts';
import { inboxOf } from '#tests/support/watch.ts';
import { fakeServer, pause, type Seen, unauthenticated } from './fake-server.ts';

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;

/** The server of a small building: one session whose access token can be spent, empty lists, Anna. */
export function smallBuilding(more: Parameters<typeof fakeServer>[0] = {}) {
  const state = { access: 'access-1', refresh: 'refresh-1', round: 1 };
  const guarded =
    (answer: (seen: Seen) => object) =>
    (seen: Seen): object =>
      seen.headers.get('authorization') === `Bearer ${state.access}` ? answer(seen) : unauthenticated;
  const empty = guarded(() => ({ body: { data: [], meta: { page: 1, size: 20, total: 0 } } }));
  const project = { id: anna.project.id, uid: 'riverside', name: 'Riverside' };
  const server = fakeServer({
    'POST /login': () => ({ body: { data: { sessions: [{ token: state.access, refresh: state.refresh, project }] } } }),
    'POST /refresh': () => {
      state.round++;
      state.access = `access-${state.round}`;
      state.refresh = `refresh-${state.round}`;
      return { body: { data: { token: state.access, refresh: state.refresh } } };
    },
    'GET /profile': guarded(() => ({ body: { data: anna } })),
    'POST /logout': () => ({ status: 204 }),
    'PATCH /profile/locale': guarded(() => ({ body: { data: null } })),
    'GET /users': empty,
    'GET /groups': empty,
    'GET /roles': empty,
    'GET /audit-events': empty,
    'GET /notifications/unread': guarded(() => ({ body: { data: inboxOf() } })),
    'GET /attention': guarded(() => ({ body: { data: { alarms: null, devices_offline: null, tasks_failed: null, has_simulator: false } } })),
    'GET /sessions': guarded(() => ({ body: { data: [] } })),
    ...more,
  });
  /** The access token runs out. */
  const spend = (): void => {
    state.access = 'gone';
  };
  return { ...server, state, spend };
}

/** The whole console in this page, at an address. */
export async function openConsole(path: string, inspect?: Observer<InspectionEvent>) {
  const settings = openLocalSettings(settingsDrawer);
  const texts = await openTexts('en');
  const composition = compose({
    texts,
    settings,
    theme: openTheme(localDrawer, document.documentElement),
    paths: screenPaths,
    ...(inspect && { inspect }),
  });
  await composition.prefetchConsole();
  const router = createMemoryRouter(routesOf(texts, composition.prefetchConsole), { initialEntries: [path] });
  const host = document.body.appendChild(document.createElement('div'));
  const root = createRoot(host);
  composition.start();
  await act(async () => {
    root.render(
      <ServicesContext value={composition.services}>
        <AppContext value={composition.app}>
          <RouterProvider router={router} />
          <AlertArea />
        </AppContext>
      </ServicesContext>,
    );
    await pause(0);
  });
  const session = composition.app.system.get('session');
  const close = async (): Promise<void> => {
    await act(async () => root.unmount());
    composition.app.stop();
    host.remove();
  };
  /** Waits until something holds, drawing all the while. */
  const until = async (what: string, holds: () => boolean): Promise<void> => {
    for (let round = 0; round < 1_000; round++) {
      if (holds()) return;
      await act(() => pause(10));
    }
    throw new Error(`never: ${what}; at ${where()}: ${host.textContent?.slice(0, 200)}`);
  };
  const where = (): string => router.state.location.pathname + router.state.location.search;
  const at = async (wanted: string): Promise<void> => {
    await until(wanted, () => where() === wanted);
    expect(where()).toBe(wanted);
  };
  const text = (): string => document.body.textContent ?? '';
  const shows = async (words: string): Promise<void> => {
    await until(words, () => text().includes(words));
    expect(text()).toContain(words);
  };
  const signIn = async (): Promise<void> => {
    await act(async () => session.send({ type: 'session.signIn', login: 'anna', password: 'Secret-2026', rememberUser: true }));
    await until('signed in', () => composition.app.getSnapshot().matches('signedIn'));
  };
  return { ...composition, session, router, host, texts, settings, until, where, at, text, shows, signIn, close };
}

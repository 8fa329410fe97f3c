import { act, render, waitFor } from '@testing-library/react';
import { expect, onTestFinished, vi } from 'vitest';
import { RouterProvider } from 'react-router-dom';
import type { InspectionEvent, Observer } from 'xstate';
import { compose } from '#src/app/compose.ts';
import { openTexts } from '#src/app/i18n.ts';
import { openRouter, screenPaths } from '#src/app/routes.tsx';
import { openLocalSettings } from '#src/adapters/local-settings.ts';
import { localStore, settingsStore } from '#src/adapters/storage.ts';
import { openTheme } from '#src/adapters/theme.ts';
import { AlertArea } from '#src/views/shell/alert-area.tsx';
import { TextProvider } from '#src/components/text-provider.tsx';
import { AppContext, ServicesContext } from '#src/views/system.ts';
import { anna } from '#tests/support/people.ts';
import { inboxOf } from '#tests/support/watch.ts';
import { fakeServer, type Seen, unauthenticated } from './fake-server.ts';
import { newUser } from './user.ts';

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
    'GET /emergency-alerts/mine': guarded(() => ({ body: { data: [] } })),
    'GET /sessions': guarded(() => ({ body: { data: [] } })),
    ...more,
  });
  /** The access token runs out. */
  const spend = (): void => {
    state.access = 'gone';
  };
  return { ...server, state, spend };
}

/** Somebody is signed in before the page is opened. */
export const signedInBefore = (): void => localStorage.setItem('doorward.session', JSON.stringify({ token: 'access-1', refresh: 'refresh-1' }));

/** The whole console in this page, at an address; it goes with the end of the test. */
export async function openConsole(path: string, inspect?: Observer<InspectionEvent>) {
  const settings = openLocalSettings(settingsStore);
  const texts = await openTexts('en');
  const composition = compose({
    texts,
    settings,
    theme: openTheme(localStore, document.documentElement),
    paths: screenPaths,
    early: undefined,
    ...(inspect && { inspect }),
  });
  await composition.prefetchConsole();
  window.history.replaceState(null, '', path);
  const router = openRouter(texts, composition.prefetchConsole);
  composition.start();
  // Hooks of this kind run when the page is gone already.
  onTestFinished(() => {
    router.dispose();
    composition.app.stop();
    vi.unstubAllGlobals();
  });
  const { unmount } = await act(async () =>
    render(
      <TextProvider>
        <ServicesContext value={composition.services}>
          <AppContext value={composition.app}>
            <RouterProvider router={router} />
            <AlertArea />
          </AppContext>
        </ServicesContext>
      </TextProvider>,
    ),
  );
  const session = composition.app.system.get('session');
  /** Closes the page within a test, as somebody who will come back. */
  const close = (): void => {
    unmount();
    composition.app.stop();
  };
  const where = (): string => router.state.location.pathname + router.state.location.search;
  const at = (wanted: string): Promise<void> => waitFor(() => expect(where()).toBe(wanted));
  const signIn = async (): Promise<void> => {
    await act(async () => session.send({ type: 'session.signIn', login: 'anna', password: 'Secret-2026', rememberUser: true }));
    await waitFor(() => expect(composition.app.getSnapshot().matches('signedIn')).toBe(true));
  };
  return { ...composition, session, router, texts, settings, user: newUser(), where, at, signIn, close };
}

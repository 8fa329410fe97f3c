import { createBrowserRouter, Navigate, type RouteObject, useRouteError } from 'react-router-dom';
import { PageFailure } from '#src/components/page-failure.tsx';
import { resources } from '#src/resources/index.ts';
import type { AreaEntry, Mode } from '#src/views/area/resource.ts';
import { AfterChoice, SignedInOnly, SignedOutOnly } from '#src/views/session/guards.tsx';
import { Login } from '#src/views/session/login.tsx';
import { ChunkFailed, loadChunk } from './chunk.ts';
import type { Texts, Words } from './i18n.ts';

/** A screen whose code is missing or broken: said in its place, the rest of the console stays usable. */
function ScreenFailure() {
  const error = useRouteError();
  return <PageFailure kind={error instanceof ChunkFailed ? 'chunk' : 'page'} onReload={() => location.reload()} />;
}

/** The four addresses of an area (spec A2.1): list, add, edit and view. */
function areaRoutes(entry: AreaEntry, texts: Texts): RouteObject[] {
  const words = async (): Promise<void> => {
    const { areaWords } = await import('./area-words.ts');
    await texts.load(...areaWords(entry.area));
    // Words of the areas that only a dialog or a refusal speaks of come after the page.
    void texts.load(...resources.map(({ area }): Words => `areas/${area}`)).catch(() => {});
  };
  const list = (): Promise<object> =>
    loadChunk(async () => {
      const [{ AreaListPage }] = await Promise.all([import('#src/views/area/area-list-page.tsx'), words(), entry.load()]);
      return { element: <AreaListPage entry={entry} /> };
    });
  const editor = (mode: Mode) => (): Promise<object> =>
    loadChunk(async () => {
      const [{ AreaEditorPage }] = await Promise.all([import('#src/views/area/area-editor-page.tsx'), words(), entry.load()]);
      return { element: <AreaEditorPage entry={entry} mode={mode} /> };
    });
  const further = Object.entries(entry.pages ?? {}).map(([part, load]) => ({
    path: `${entry.path}/${part}`,
    lazy: () => loadChunk(async () => ({ Component: (await Promise.all([load(), words()]))[0] })),
  }));
  return [
    ...further,
    { path: entry.path, lazy: list },
    { path: `${entry.path}/add`, lazy: editor('add') },
    { path: `${entry.path}/:id`, lazy: editor('view') },
    { path: `${entry.path}/:id/edit`, lazy: editor('edit') },
  ];
}

/** Every route whose screen exists, with its guard (spec A2.1). `consoleReady` brings what makes calls; signing in alone does without. */
export function routesOf(texts: Texts, consoleReady: () => Promise<void>): RouteObject[] {
  const shell = (): Promise<object> =>
    loadChunk(async () => {
      const [{ SignedIn }] = await Promise.all([import('#src/views/shell/signed-in.tsx'), texts.load('notifications', 'areas/device-alarms')]);
      return {
        element: <SignedIn areas={resources} />,
      };
    });
  return [
    {
      errorElement: <ScreenFailure />,
      hydrateFallbackElement: <></>,
      children: [
        { path: '/', element: <Navigate to="/home" replace /> },
        {
          element: <SignedOutOnly />,
          children: [
            { path: '/login', element: <Login /> },
            {
              path: '/registration/:token?',
              lazy: () =>
                loadChunk(async () => {
                  const [{ Registration }] = await Promise.all([
                    import('#src/views/session/registration.tsx'),
                    texts.load('validation'),
                    consoleReady(),
                  ]);
                  return { Component: Registration };
                }),
            },
          ],
        },
        {
          element: <AfterChoice />,
          children: [
            {
              path: '/choose-project',
              lazy: () => loadChunk(async () => ({ Component: (await import('#src/views/session/choose-project.tsx')).ChooseProject })),
            },
          ],
        },
        { path: '/terms-and-conditions', lazy: () => loadChunk(async () => ({ Component: (await import('#src/views/session/terms.tsx')).Terms })) },
        {
          element: <SignedInOnly />,
          children: [
            {
              path: '/devices/remote-control',
              lazy: () =>
                loadChunk(async () => {
                  const [{ RemoteScreen }] = await Promise.all([
                    import('#src/views/devices/remote-screen.tsx'),
                    texts.load('list', 'validation', 'notifications', 'areas/devices', 'areas/device-alarms'),
                    consoleReady(),
                  ]);
                  return { element: <RemoteScreen areas={resources} /> };
                }),
            },
            {
              lazy: shell,
              children: [
                {
                  errorElement: <ScreenFailure />,
                  children: [
                    {
                      path: '/home',
                      lazy: () =>
                        loadChunk(async () => {
                          const [{ HomePage }] = await Promise.all([
                            import('#src/views/home/home-page.tsx'),
                            texts.load('home', 'areas/device-events'),
                          ]);
                          return { Component: HomePage };
                        }),
                    },
                    {
                      path: '/profile',
                      lazy: () =>
                        loadChunk(async () => {
                          const [{ ProfilePage }] = await Promise.all([
                            import('#src/views/profile/profile-page.tsx'),
                            texts.load('validation', 'list'),
                          ]);
                          return { Component: ProfilePage };
                        }),
                    },
                    {
                      path: '/licenses',
                      lazy: () =>
                        loadChunk(async () => {
                          const [{ LicencesPage }] = await Promise.all([
                            import('#src/views/licences/licences-page.tsx'),
                            texts.load('validation', 'list', 'areas/licenses', 'areas/groups'),
                          ]);
                          return { Component: LicencesPage };
                        }),
                    },
                    {
                      path: '/mails',
                      lazy: () => loadChunk(async () => ({ Component: (await import('#src/views/mails/mails-page.tsx')).MailsPage })),
                    },
                    {
                      path: '/simulator',
                      lazy: () =>
                        loadChunk(async () => {
                          const [{ SimulatorPage }] = await Promise.all([
                            import('#src/views/simulator/simulator-page.tsx'),
                            texts.load('simulator', 'list', 'areas/devices', 'areas/device-events', 'areas/device-alarms'),
                          ]);
                          return { Component: SimulatorPage };
                        }),
                    },
                    {
                      path: '/notifications',
                      lazy: () =>
                        loadChunk(async () => ({
                          Component: (await import('#src/views/notifications/notifications-page.tsx')).NotificationsPage,
                        })),
                    },
                    {
                      path: '/notifications/settings',
                      lazy: () =>
                        loadChunk(async () => ({
                          Component: (await import('#src/views/notifications/settings-page.tsx')).NotificationSettingsPage,
                        })),
                    },
                    ...resources.flatMap((entry) => areaRoutes(entry, texts)),
                    { path: '*', lazy: () => loadChunk(async () => ({ Component: (await import('#src/views/session/not-found.tsx')).NotFound })) },
                  ],
                },
              ],
            },
          ],
        },
      ],
    },
  ];
}

/** Fetches ahead what everybody sees right after signing in. */
export const prefetchScreens = (): Promise<unknown> =>
  Promise.all([import('#src/views/shell/signed-in.tsx'), import('#src/views/home/home-page.tsx')]);

/** Paths that have a screen, for the menu. */
export const screenPaths: ReadonlySet<string> = new Set(['/home', '/profile', '/notifications', '/licenses', ...resources.map(({ path }) => path)]);

export const openRouter = (texts: Texts, consoleReady: () => Promise<void>) => createBrowserRouter(routesOf(texts, consoleReady));

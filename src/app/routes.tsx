import type { ComponentType } from 'react';
import { createBrowserRouter, Navigate, type RouteObject, useRouteError } from 'react-router-dom';
import { afterScreen } from '#src/adapters/first-screen.ts';
import { fetchPart } from '#src/components/lazy-part.ts';
import { PageFailure } from '#src/components/page-failure.tsx';
import { resources } from '#src/resources/index.ts';
import { loadResource } from '#src/views/area/loaded.ts';
import type { AreaEntry, Mode } from '#src/views/area/resource.ts';
import { AfterChoice, SignedInOnly, SignedOutOnly, unknownAddress } from '#src/views/session/guards.tsx';
import { Login } from '#src/views/session/login.tsx';
import { ChunkFailed, loadChunk } from './chunk.ts';
import type { Texts, Words } from './i18n.ts';

/** A screen whose code is missing or broken: said in its place, the rest of the console stays usable. */
function ScreenFailure() {
  const error = useRouteError();
  return <PageFailure kind={error instanceof ChunkFailed ? 'chunk' : 'page'} onReload={() => location.reload()} />;
}

/** The page of a row's form, and its actor. */
const formParts = () => [import('#src/views/area/area-editor-page.tsx'), import('./compose-children.ts')] as const;

/** The four addresses of an area (spec A2.1): list, add, edit and view. */
function areaRoutes(entry: AreaEntry, texts: Texts): RouteObject[] {
  const words = async (...more: Words[]): Promise<void> => {
    const [{ areaTexts }] = await Promise.all([import('./area-texts.ts'), loadResource(entry)]);
    await texts.load(...more, ...areaTexts(entry.area));
    // What only a dialog or a refusal says comes after the page, and what the form of a row needs.
    void afterScreen()
      .then(() => fetchPart(() => texts.load('validation', ...resources.map(({ area }): Words => `areas/${area}`))))
      .then(() => Promise.all(formParts()))
      .catch(() => {});
  };
  const list = (): Promise<object> =>
    loadChunk(async () => {
      const [{ AreaListPage }] = await Promise.all([import('#src/views/area/area-list-page.tsx'), words(), loadResource(entry)]);
      return { element: <AreaListPage entry={entry} /> };
    });
  const editor = (mode: Mode) => (): Promise<object> =>
    loadChunk(async () => {
      const [{ AreaEditorPage }] = await Promise.all([...formParts(), words('validation'), loadResource(entry)]);
      return { element: <AreaEditorPage entry={entry} mode={mode} /> };
    });
  const further = Object.entries(entry.pages ?? {}).map(([part, load]) => ({
    path: `${entry.path}/${part}`,
    lazy: () => loadChunk(async () => ({ Component: (await Promise.all([load(), words('validation')]))[0] })),
  }));
  return [
    ...further,
    entry.home ? { path: entry.path, element: <Navigate to={entry.home} replace /> } : { path: entry.path, lazy: list },
    { path: `${entry.path}/add`, lazy: editor('add') },
    { path: `${entry.path}/:id`, lazy: editor('view') },
    { path: `${entry.path}/:id/edit`, lazy: editor('edit') },
  ];
}

type Page = (path: string, load: () => Promise<ComponentType>, ...words: Words[]) => RouteObject;

/** Screens of one path each, whose code and words come together when they are opened. */
const pagesOf =
  (texts: Texts): Page =>
  (path, load, ...words) => ({
    path,
    lazy: () => loadChunk(async () => ({ Component: (await Promise.all([load(), texts.load(...words)]))[0] })),
  });

/** The screens of somebody who is signed in that belong to no area. */
const consolePages = (page: Page): RouteObject[] => [
  page('/home', async () => (await import('#src/views/home/home-page.tsx')).HomePage, 'home', 'areas/device-events', 'areas/amenity-reservations'),
  page('/profile', async () => (await import('#src/views/profile/profile-page.tsx')).ProfilePage, 'validation', 'list', 'entry'),
  page(
    '/licenses',
    async () => (await import('#src/views/licences/licences-page.tsx')).LicencesPage,
    'validation',
    'list',
    'areas/licenses',
    'areas/groups',
  ),
  page('/access-matrix', async () => (await import('#src/views/access/matrix-page.tsx')).MatrixPage, 'list', 'areas/device-events'),
  page(
    '/general-settings/:section?',
    async () => (await import('#src/views/settings/settings-page.tsx')).SettingsPage,
    'list',
    'areas/project-settings',
    'areas/sip-numbers',
    'areas/integrations',
    'areas/markers',
    'areas/wallet',
    'validation',
  ),
  ...['/conversations', '/conversation/:id'].map((path) =>
    page(path, async () => (await import('#src/views/conversations/conversations-page.tsx')).ConversationsPage, 'validation', 'areas/conversations'),
  ),
  page('/backups', async () => (await import('#src/views/backups/backups-page.tsx')).BackupsPage, 'validation', 'list', 'areas/backups'),
  page('/system-info', async () => (await import('#src/views/system-info/system-page.tsx')).SystemPage, 'validation', 'list', 'areas/system'),
  page(
    '/reports/licenses',
    async () => (await import('#src/views/reports/licence-report-page.tsx')).LicenceReportPage,
    'validation',
    'list',
    'areas/groups',
    'areas/reports',
  ),
  page('/mails', async () => (await import('#src/views/mails/mails-page.tsx')).MailsPage),
  page(
    '/simulator',
    async () => (await import('#src/views/simulator/simulator-page.tsx')).SimulatorPage,
    'simulator',
    'list',
    'areas/devices',
    'areas/device-events',
    'areas/device-alarms',
  ),
  page('/announce/:token', async () => (await import('#src/views/announces/announce-page.tsx')).AnnouncePage, 'validation', 'areas/announces'),
  page('/notifications', async () => (await import('#src/views/notifications/notifications-page.tsx')).NotificationsPage),
  page('/notifications/settings', async () => (await import('#src/views/notifications/settings-page.tsx')).NotificationSettingsPage),
];

/** Below the shell: what is missing or broken is said inside of it. */
const inShell = (texts: Texts): RouteObject => ({
  lazy: () =>
    loadChunk(async () => {
      const [{ SignedIn }] = await Promise.all([
        import('#src/views/shell/signed-in.tsx'),
        texts.load('shell', 'notifications', 'areas/device-alarms'),
      ]);
      return { element: <SignedIn areas={resources} /> };
    }),
  children: [
    {
      errorElement: <ScreenFailure />,
      children: [
        ...consolePages(pagesOf(texts)),
        ...resources.flatMap((entry) => areaRoutes(entry, texts)),
        { ...pagesOf(texts)('*', async () => (await import('#src/views/session/not-found.tsx')).NotFound), handle: unknownAddress },
      ],
    },
  ],
});

/** The screen of a device in a window of its own, without the shell. */
const remoteControl = (texts: Texts, consoleReady: () => Promise<void>): RouteObject => ({
  path: '/devices/remote-control',
  lazy: () =>
    loadChunk(async () => {
      const [{ RemoteScreen }] = await Promise.all([
        import('#src/views/devices/remote-screen.tsx'),
        texts.load('list', 'validation', 'shell', 'notifications', 'areas/devices', 'areas/device-alarms'),
        consoleReady(),
      ]);
      return { element: <RemoteScreen areas={resources} /> };
    }),
});

/** Every route whose screen exists, with its guard (spec A2.1). `consoleReady` brings what makes calls; signing in alone does without. */
export function routesOf(texts: Texts, consoleReady: () => Promise<void>): RouteObject[] {
  const page = pagesOf(texts);
  // Their forms come with the console's code.
  const entry = (path: string, load: () => Promise<ComponentType>): RouteObject =>
    page(path, async () => (await Promise.all([load(), consoleReady()]))[0], 'validation', 'entry');
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
            entry('/registration/:token?', async () => (await import('#src/views/session/registration.tsx')).Registration),
            entry('/self-registration/:token?', async () => (await import('#src/views/session/self-registration.tsx')).SelfRegistration),
            entry('/password/recovery', async () => (await import('#src/views/session/password-recovery.tsx')).PasswordRecovery),
            entry('/password/reset/:token', async () => (await import('#src/views/session/password-reset.tsx')).PasswordReset),
          ],
        },
        {
          element: <AfterChoice />,
          children: [page('/choose-project', async () => (await import('#src/views/session/choose-project.tsx')).ChooseProject)],
        },
        entry('/registration/confirm/:token', async () => (await import('#src/views/session/confirm-registration.tsx')).ConfirmRegistration),
        entry('/second-factor', async () => (await import('#src/views/second-factor/enrolment-page.tsx')).EnrolmentPage),
        page('/terms-and-conditions', async () => (await import('#src/views/session/terms.tsx')).Terms, 'entry'),
        { element: <SignedInOnly />, children: [remoteControl(texts, consoleReady), inShell(texts)] },
      ],
    },
  ];
}

/** Fetches ahead what everybody sees right after signing in. */
export const prefetchScreens = (): Promise<unknown> =>
  Promise.all([import('#src/views/shell/signed-in.tsx'), import('#src/views/home/home-page.tsx')]);

/** Paths that have a screen, for the menu. */
export const screenPaths: ReadonlySet<string> = new Set([
  '/home',
  '/profile',
  '/notifications',
  '/licenses',
  '/access-matrix',
  '/general-settings',
  '/conversations',
  '/backups',
  '/system-info',
  '/reports/licenses',
  '/announces/response',
  ...resources.map(({ path }) => path),
]);

/** The router of the browser with every route there is. */
export const openRouter = (texts: Texts, consoleReady: () => Promise<void>) => createBrowserRouter(routesOf(texts, consoleReady));

import './styles/layers.css';
import 'primereact/resources/themes/lara-light-blue/theme.css';
import './styles/index.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router-dom';
import { compose } from './app/compose.ts';
import { browserLocale, openTexts } from './app/i18n.ts';
import { openRouter, prefetchScreens, screenPaths } from './app/routes.tsx';
import type { Early } from './adapters/early.ts';
import { afterScreen } from './adapters/first-screen.ts';
import { openLocalSettings } from './adapters/local-settings.ts';
import { saveForOffline } from './adapters/offline.ts';
import { localStore, settingsStore } from './adapters/storage.ts';
import { openTheme } from './adapters/theme.ts';
import { TextProvider } from './components/text-provider.tsx';
import { InspectNote } from './views/shell/inspect-slot.tsx';
import { AlertArea } from './views/shell/alert-area.tsx';
import { AppContext, ServicesContext } from './views/system.ts';

declare global {
  /** Put there by the boot script of a built console (scripts/boot-script.ts). */
  var doorwardEarly: Early | undefined;
}

/** The files for later come last of all, in ms after the start. */
const offlineLater = 10_000;

/** Starts the console: words, actors, routes, then the first picture. */
async function run(root: HTMLElement): Promise<void> {
  const settings = openLocalSettings(settingsStore, matchMedia('(max-width: 599px)').matches);
  const theme = openTheme(localStore, document.documentElement);
  const wish = new URLSearchParams(location.search).get('inspect');
  const [texts, inspect] = await Promise.all([
    openTexts(settings.userLocale.get() ?? browserLocale(navigator.languages)),
    wish === null ? undefined : import('./app/inspect.ts').then(({ openInspector }) => openInspector(window, wish)),
  ]);
  const { app, services, start, prefetchConsole } = compose({
    texts,
    settings,
    theme,
    paths: screenPaths,
    early: globalThis.doorwardEarly,
    ...(inspect && { inspect }),
  });
  start();
  const router = openRouter(texts, prefetchConsole);
  createRoot(root).render(
    <StrictMode>
      <TextProvider>
        <ServicesContext value={services}>
          <AppContext value={app}>
            <RouterProvider router={router} />
            <AlertArea />
            {wish !== null && <InspectNote isElsewhere={wish === 'window'} />}
          </AppContext>
        </ServicesContext>
      </TextProvider>
    </StrictMode>,
  );
  // Fetched while the person types: signing in then goes on at once. A failure shows itself when the code is needed.
  void afterScreen()
    .then(() => Promise.all([prefetchConsole(), prefetchScreens()]))
    .catch(() => {});
  if (import.meta.env.PROD) setTimeout(() => void saveForOffline(), offlineLater);
}

const root = document.getElementById('root');
if (root)
  run(root).catch((error: unknown) => {
    root.textContent = 'Doorward could not be loaded. Reload the page. · Не удалось загрузить Doorward. Обновите страницу.';
    throw error;
  });

import { type Actor, createActor, type InspectionEvent, type Observer } from 'xstate';
import { alertsMachine } from '#machines/alerts/alerts.machine.ts';
import { appMachine } from '#machines/app.machine.ts';
import type { SessionActor } from '#machines/session/session.machine.ts';
import { singleton } from '#machines/system.ts';
import { freshId, now } from '#src/adapters/clock.ts';
import { openDrafts } from '#src/adapters/drafts.ts';
import { type Early, withEarly } from '#src/adapters/early.ts';
import { openHttp } from '#src/adapters/http.ts';
import { openLastAnswers } from '#src/adapters/last-answers.ts';
import type { LocalSettings } from '#src/adapters/local-settings.ts';
import { openCalls } from '#src/adapters/calls.ts';
import { openPromotion } from '#src/adapters/app-promotion.ts';
import { openDesktop } from '#src/adapters/desktop.ts';
import { openPageStack } from '#src/adapters/page-stack.ts';
import { openSipSecret } from '#src/adapters/phone/sip-secret.ts';
import { openSessionPorts } from '#src/adapters/session-ports.ts';
import { localStore, tabStore } from '#src/adapters/storage.ts';
import { openTabs } from '#src/adapters/tabs.ts';
import { openVolumes } from '#src/adapters/sound-volumes.ts';
import { openWriteHold } from '#src/adapters/write-hold.ts';
import { openTokenStore } from '#src/adapters/token-store.ts';
import type { Remembered } from '#src/adapters/followed.ts';
import type { Services, ThemeChoice } from '#src/views/system.ts';
import { arriving } from './arriving.ts';
import { loadChunk } from './chunk.ts';
import type { ConsoleDeps, ConsoleParts } from './compose-console.ts';
import { composeSession, doorTo } from './compose-session.ts';
import type { Texts } from './i18n.ts';
import { openLanguage } from './language.ts';

/** What the composition is given, opened before the first picture. */
interface Deps {
  texts: Texts;
  settings: LocalSettings;
  theme: Remembered<ThemeChoice>;
  /** Paths that have a screen. */
  paths: ReadonlySet<string>;
  /** What the boot script has asked for. */
  early: Early | undefined;
  inspect?: Observer<InspectionEvent>;
}
export interface Composition {
  app: Actor<typeof appMachine>;
  services: Services;
  start: () => void;
  /** Fetches the signed-in half ahead of time. */
  prefetchConsole: () => Promise<void>;
}

/** What screens ask for besides actors. Of the signed-in half nothing is there before somebody signs in: it is looked up when it is used. */
function openServices({ settings, theme, paths }: Deps, there: () => ConsoleParts, own: Pick<Services, 'volumes' | 'changeLanguage'>): Services {
  return {
    ...own,
    get pictures() {
      return there().pictures;
    },
    get askHeadset() {
      return there().askHeadset;
    },
    nameOf: (area, id) => there().nameOf(area, id),
    desktop: openDesktop(window.Notification),
    phoneDesk: settings.phoneDesk,
    theme,
    sideMenu: settings.sideMenuState,
    columnWidths: settings.columnWidths,
    rememberUser: settings.rememberUser.get,
    now,
    freshId,
    paths,
  };
}

const base = '/api/v0';
/** So long after it came, in ms, an answer is put away: the page has drawn it by then. */
const answersLater = 2_000;

/** The signed-in half, which comes when it is needed. */
function consoleLater(deps: Omit<ConsoleDeps, 'channel' | 'now'>) {
  let parts: ConsoleParts | undefined;
  const arrival = arriving(async () => {
    const { composeConsole } = await loadChunk(() => import('./compose-console.ts'));
    parts = composeConsole({ ...deps, channel: `${base}/ws`, now });
    return parts.console;
  });
  return {
    ...arrival,
    there: (): ConsoleParts => {
      if (!parts) throw new Error('the signed-in half was used before anybody signed in');
      return parts;
    },
  };
}

/** The tokens of the session, and the answers that go with it. */
function openSessionStores() {
  const answers = openLastAnswers({
    caches: window.caches as CacheStorage | undefined,
    isRemembered: () => tokens.isShared() && tokens.read() !== null,
    now,
    later: (work) => void setTimeout(work, answersLater),
  });
  const tokens = openTokenStore(localStore, tabStore, new BroadcastChannel('doorward-tokens'), answers.forget);
  return { tokens, answers };
}

/** The door to the server, and what holds back requests that write. */
function openRequests(deps: Pick<Parameters<typeof openHttp>[0], 'tokens' | 'session' | 'takeSecrets' | 'answers'>, early: Early | undefined) {
  const writes = openWriteHold();
  const ask = withEarly(
    early,
    (input, init) => fetch(input, init),
    () => performance.now(),
  );
  return { http: openHttp({ ...deps, base, fetch: ask, online: () => navigator.onLine, isWriteHeld: writes.isHeld }), writes };
}

/** The one place where machines meet adapters: every port plugged, bottom-up, the nesting written once more as wiring. */
export function compose(deps: Deps): Composition {
  const { texts, settings, early, inspect } = deps;
  let app: Actor<typeof appMachine> | undefined;
  let person: string | null = null;
  const session = (): SessionActor | undefined => app?.system.get('session') as SessionActor | undefined;
  const whose = (): string | null => person;

  const { tokens, answers } = openSessionStores();
  const tabs = openTabs(new BroadcastChannel('doorward-session'), window, tokens);
  const drafts = openDrafts(tabStore, whose, freshId);
  const pageStack = openPageStack(tabStore, whose);
  const secret = openSipSecret();
  const volumes = openVolumes(localStore, window);
  const { http, writes } = openRequests({ tokens, session: doorTo(session), takeSecrets: secret.takeOut, answers }, early);
  const promotion = openPromotion(localStore, whose);
  const stores = { drafts, pageStack, promotion, store: localStore, tabStore, whose };
  const signedIn = consoleLater({ ...stores, http, writes, tokens, secret, texts, volumes });
  const ports = openSessionPorts({ http, tokens, answers, ready: signedIn.ready });
  const isSignedIn = (): boolean => session()?.getSnapshot().hasTag('open') ?? false;
  const language = openLanguage({ texts, settings, signedIn: () => (isSignedIn() ? person : null), saveLocale: ports.saveLocale });

  const runCall = openCalls(http, () => loadChunk(() => import('#models/api.ts')));
  const sessionPart = composeSession(ports, { tabs, rememberUser: settings.rememberUser.set, forgetOffer: promotion.forget, runCall });
  app = createActor(appMachine.provide({ actors: { session: sessionPart, alerts: alertsMachine, console: signedIn.logic } }), {
    ...(inspect && { inspect }),
  });

  const start = (): void => {
    app?.start();
    session()?.on('session.opened', ({ profile }) => {
      person = profile.id;
      language.welcome(profile);
    });
    session()?.on('session.ended', ({ reason }) => {
      if (reason !== 'signedOut') return;
      drafts.forgetAll();
      pageStack.forget();
    });
    // A reload or a closed tab leaves no time for the pause after the last letter.
    window.addEventListener('pagehide', () => app && singleton(app, 'workspace')?.send({ type: 'drafts.store' }));
  };
  const services = openServices(deps, () => signedIn.there(), { volumes, changeLanguage: (locale) => language.change(locale) });
  return { app, services, start, prefetchConsole: signedIn.ready };
}

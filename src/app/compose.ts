import { type Actor, createActor, fromCallback, fromPromise, type InspectionEvent, type Observer } from 'xstate';
import { alertsMachine } from '#machines/alerts.machine.ts';
import { appMachine } from '#machines/app.machine.ts';
import { sessionMachine, type SessionActor, type TabsCommand } from '#machines/session.machine.ts';
import { singleton } from '#machines/system.ts';
import type { Locale } from '#models/constants.ts';
import type { Profile } from '#models/profile.ts';
import { freshId, now } from '#src/adapters/clock.ts';
import { openClosed } from '#src/adapters/licence.ts';
import { openDrafts } from '#src/adapters/drafts.ts';
import { type Http, openHttp, type SessionDoor } from '#src/adapters/http.ts';
import type { LocalSettings } from '#src/adapters/local-settings.ts';
import { openDesktop } from '#src/adapters/outside.ts';
import { type Hid, openHeadsetAsk } from '#src/adapters/phone/headset.ts';
import { openSipSecret } from '#src/adapters/phone/sip-secret.ts';
import { openSessionPorts } from '#src/adapters/session-ports.ts';
import { localDrawer, tabDrawer } from '#src/adapters/storage.ts';
import { openTabs } from '#src/adapters/tabs.ts';
import { openVolumes } from '#src/adapters/sound-volumes.ts';
import { openTokenStore } from '#src/adapters/token-store.ts';
import type { Remembered } from '#src/adapters/followed.ts';
import type { Services, ThemeChoice } from '#src/views/system.ts';
import { arriving } from './arriving.ts';
import { loadChunk } from './chunk.ts';
import type { ConsoleParts } from './compose-console.ts';
import type { Texts } from './i18n.ts';

/** What the composition is given, opened before the first picture. */
interface Around {
  texts: Texts;
  settings: LocalSettings;
  theme: Remembered<ThemeChoice>;
  /** Paths that have a screen. */
  paths: ReadonlySet<string>;
  inspect?: Observer<InspectionEvent>;
}
export interface Composition {
  app: Actor<typeof appMachine>;
  services: Services;
  start: () => void;
  /** Fetches the signed-in half ahead of time. */
  prefetchConsole: () => Promise<void>;
}

/** The session as the http adapter knows it: told of a spent token, it answers when there is a new one or none any more. */
function doorTo(session: () => SessionActor | undefined): SessionDoor {
  return {
    tokenRejected: () =>
      new Promise((resolve) => {
        const actor = session();
        if (!actor?.getSnapshot().hasTag('open')) return resolve('over');
        actor.send({ type: 'token.rejected' });
        const watch = actor.subscribe((snapshot) => decide(snapshot));
        const decide = (snapshot: ReturnType<SessionActor['getSnapshot']>): void => {
          if (!snapshot.hasTag('ready') && snapshot.hasTag('open')) return;
          watch.unsubscribe();
          resolve(snapshot.hasTag('ready') ? 'renewed' : 'over');
        };
        decide(actor.getSnapshot());
      }),
    profileVersion(version) {
      const actor = session();
      const known = actor?.getSnapshot().context.profile?.version;
      if (known !== undefined && known !== version) actor?.send({ type: 'profile.stale' });
    },
  };
}

/** The one place where machines meet adapters: every port plugged, bottom-up, the nesting written once more as wiring. */
export function compose({ texts, settings, theme, paths, inspect }: Around): Composition {
  let app: Actor<typeof appMachine> | undefined;
  let parts: ConsoleParts | undefined;
  const session = (): SessionActor | undefined => app?.system.get('session') as SessionActor | undefined;
  let person: string | null = null;
  let languageChosen = false;

  const tokens = openTokenStore(localDrawer, tabDrawer, new BroadcastChannel('doorward-tokens'));
  const tabs = openTabs(new BroadcastChannel('doorward-session'), window, tokens);
  const drafts = openDrafts(tabDrawer, () => person, freshId);
  const base = '/api/v0';
  const sipSecret = openSipSecret();
  const volumes = openVolumes(localDrawer, window);
  const http: Http = openHttp({ base, tokens, session: doorTo(session), online: () => navigator.onLine, takeSecrets: sipSecret.takeOut });

  const consolePart = arriving(async () => {
    const { composeConsole } = await loadChunk(() => import('./compose-console.ts'));
    parts = composeConsole({
      http,
      drafts,
      tokens,
      channel: `${base}/ws`,
      closed: openClosed(localDrawer, () => person),
      secret: sipSecret,
      texts,
      volumes,
      now,
    });
    return parts.console;
  });
  const there = (): ConsoleParts => {
    if (!parts) throw new Error('the signed-in half was used before anybody signed in');
    return parts;
  };

  const ports = openSessionPorts(http, tokens, consolePart.ready);
  const sessionPart = sessionMachine.provide({
    actors: {
      restoreSession: fromPromise(ports.restoreSession),
      signIn: fromPromise(({ input }) => {
        settings.rememberUser.set(input.rememberUser);
        return ports.signIn(input);
      }),
      adoptProject: fromPromise(({ input }) => ports.adoptProject(input)),
      refreshTokens: fromPromise(ports.refreshTokens),
      loadProfile: fromPromise(ports.loadProfile),
      endSession: fromPromise(({ input }) => ports.endSession(input)),
      otherTabs: fromCallback<TabsCommand>(({ sendBack, receive }) => {
        receive(tabs.tell);
        return tabs.follow(sendBack);
      }),
    },
    actions: { forgetTokens: ports.forgetTokens },
  });

  app = createActor(appMachine.provide({ actors: { session: sessionPart, alerts: alertsMachine, console: consolePart.logic } }), {
    ...(inspect && { inspect }),
  });

  const saveLanguage = (locale: Locale): Promise<void> =>
    // The choice holds on this device in any case; the profile gets it with the next change.
    ports.saveLocale(locale).catch(() => {});
  const changeLanguage = async (locale: Locale): Promise<void> => {
    settings.userLocale.set(locale);
    await texts.change(locale);
    if (session()?.getSnapshot().hasTag('open')) await saveLanguage(locale);
    else languageChosen = true;
  };
  /** The profile's language is shown, unless another was chosen on the way in: then the profile gets that one. */
  const welcome = ({ id, locale }: Profile): void => {
    person = id;
    const shown = texts.locale();
    if (shown === locale) return;
    settings.userLocale.set(languageChosen ? shown : locale);
    void (languageChosen ? saveLanguage(shown) : texts.change(locale));
    languageChosen = false;
  };
  const start = (): void => {
    app?.start();
    session()?.on('session.opened', ({ profile }) => welcome(profile));
    session()?.on('session.ended', ({ reason }) => {
      if (reason === 'signedOut') drafts.forgetAll();
    });
    // A reload or a closed tab leaves no time for the pause after the last letter.
    window.addEventListener('pagehide', () => app && singleton(app, 'workspace')?.send({ type: 'drafts.keep' }));
  };
  const services: Services = {
    get deviceSearch() {
      return there().deviceSearch;
    },
    get request() {
      return there().request;
    },
    get list() {
      return there().list;
    },
    nameOf: (area, id) => there().nameOf(area, id),
    desktop: openDesktop(window.Notification),
    phoneDesk: settings.phoneDesk,
    volumes,
    askHeadset: openHeadsetAsk((navigator as { hid?: Hid }).hid, window.isSecureContext),
    get pictures() {
      return there().pictures;
    },
    theme,
    sideMenu: settings.sideMenuState,
    changeLanguage,
    rememberUser: settings.rememberUser.get,
    now,
    freshId,
    paths,
    inspect,
  };
  return { app, services, start, prefetchConsole: consolePart.ready };
}

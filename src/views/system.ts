import { useSelector } from '@xstate/react';
import { createContext, useCallback, useContext } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { AlarmsActor } from '#machines/alarms/alarms.machine.ts';
import type { ConversationsActor } from '#machines/conversations/conversations.machine.ts';
import type { EmergencyActor } from '#machines/emergency/emergency.machine.ts';
import type { alertsMachine } from '#machines/alerts/alerts.machine.ts';
import type { appMachine } from '#machines/app.machine.ts';
import type { NotificationsActor } from '#machines/notifications/notifications.machine.ts';
import type { PreviewActor } from '#machines/preview.machine.ts';
import type { SavedViewsActor } from '#machines/saved-views.machine.ts';
import type { PhoneActor } from '#machines/phone/phone.machine.ts';
import type { LicenceActor } from '#machines/licence/licence.machine.ts';
import type { sessionMachine } from '#machines/session/session.machine.ts';
import type { SoundsActor } from '#machines/sounds.machine.ts';
import type { Supervised } from '#machines/console/supervision.ts';
import type { Singletons } from '#machines/system.ts';
import type { workspaceMachine } from '#machines/workspace/workspace.machine.ts';
import type { Locale } from '#models/constants.ts';
import type { Viewpoint } from '#models/preview.ts';
import type { AreaName } from '#models/areas.ts';

export type AppRef = ActorRefFrom<typeof appMachine>;
export type SessionRef = ActorRefFrom<typeof sessionMachine>;
export type AlertsRef = ActorRefFrom<typeof alertsMachine>;
export type WorkspaceRef = ActorRefFrom<typeof workspaceMachine>;

/** How the page looks: as the system says, or as the person chose. */
export type ThemeChoice = 'system' | 'light' | 'dark';
/** A value outside React that views follow. */
interface Followed<T> {
  get: () => T;
  set: (value: T) => void;
  follow: (heard: () => void) => () => void;
}

/** What views may ask of the world besides the actors; plugged by the composition. */
export interface Services {
  /** What people call a row of another area; null for one that is gone or hidden. */
  nameOf: (area: AreaName, id: string) => Promise<string | null>;
  /** Whether the browser may show notifications outside of the page. */
  desktop: Desktop;
  theme: Followed<ThemeChoice>;
  /** Folded menu categories and the drawer, remembered as `sideMenuState`. */
  sideMenu: Followed<SideMenuState>;
  /** How wide each person has made the columns of each list on this device, `<person>/<area>`, in percent of the table. */
  columnWidths: Followed<Readonly<Record<string, Readonly<Record<string, number>>>>>;
  /** Whether the phone stands beside the page, and its keys, remembered as `phoneDesk`. */
  phoneDesk: Followed<PhoneDesk>;
  /** How loud each kind of sound is at this desk, 0 to 1, remembered. */
  volumes: Followed<SoundVolumes>;
  /** Asks the person for a headset whose buttons may work the phone, and answers whether one was chosen; null where the browser knows none. */
  askHeadset: (() => Promise<boolean>) | null;
  /** Pictures of calls: shown in an element for as long as it is there. */
  pictures: Pictures;
  /** Changes the language here and remembers it as `userLocale`. */
  changeLanguage: (locale: Locale) => Promise<void>;
  /** Whether the person wished to stay signed in, last time. */
  rememberUser: () => boolean;
  /** The present moment, in milliseconds since 1970. */
  now: () => number;
  /** A fresh id, for pages. */
  freshId: () => string;
  /** Paths that have a screen; menu entries of all others are left out. */
  paths: ReadonlySet<string>;
}
/** The browser's leave to show notifications outside of the page, and asking for it. */
export interface Desktop {
  get: () => 'missing' | 'default' | 'granted' | 'denied';
  follow: (heard: () => void) => () => void;
  ask: () => Promise<void>;
}
/** Hangs a call's picture, the far side's or one's own, into an element; answers how to take it down. */
interface Pictures {
  attach: (speechId: string, side: 'remote' | 'local', element: HTMLVideoElement) => () => void;
  /** What the caller's camera shows at this moment, before answering too; null where nothing. */
  still: (speechId: string) => Promise<Blob | null>;
}
/** How a person has arranged the phone on this device; an act whose key is null has none. */
export interface PhoneDesk {
  isOpen: boolean;
  keys: Readonly<Record<string, string | null>>;
  /** The doors each person has marked, by the ids of their devices. */
  favourites?: Record<string, string[]>;
}
/** What sounds at a desk besides alarms: SOS calls, calls, the knock of a call while one talks, notifications. */
export type SoundVolumes = Readonly<Record<'sos' | 'call' | 'waiting' | 'notice', number>>;
interface SideMenuState {
  mini: boolean;
  folded: string[];
}

export const AppContext = createContext<AppRef | null>(null);
export const WorkspaceContext = createContext<WorkspaceRef | null>(null);
export const ServicesContext = createContext<Services | null>(null);

function present<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Error(`${what} is not there: the view stands outside its provider`);
  return value;
}

/** The root actor. */
export const useApp = (): AppRef => present(useContext(AppContext), 'the app actor');
/** The session: who is signed in. Always there. */
export const useSession = (): SessionRef => present(useApp().system.get('session') as SessionRef | undefined, 'the session actor');
/** Alerts and dialogs. Always there. */
export const useAlerts = (): AlertsRef => present(useApp().system.get('alerts') as AlertsRef | undefined, 'the alerts actor');
/** The console of the signed-in person; there only while somebody is signed in. */
const useConsole = () => useSelector(useApp(), ({ children }) => children.console);
/** A part of the console: another one after a fault, none while it rests. */
function usePart<Name extends Supervised>(name: Name): Singletons[Name] | undefined {
  // The console knows some of them as what is plugged in; they are the actors of these names.
  return useSelector(useConsole(), (snapshot) => snapshot?.children[name]) as Singletons[Name] | undefined;
}
/** What one is told of; there only while somebody is signed in. */
export const useNotifications = (): NotificationsActor | undefined => usePart('notifications');
/** The alarms; there only while somebody is signed in. */
export const useAlarms = (): AlarmsActor | undefined => usePart('alarms');
/** Whether this console can be heard; there only while somebody is signed in. */
export const useSounds = (): SoundsActor | undefined => usePart('sounds');
/** The phone of the signed-in person; there only for those who have one, and from a moment after signing in. */
export const usePhone = (): PhoneActor | undefined => usePart('phone');
/** The warning about licences; there only while somebody is signed in. */
export const useLicence = (): LicenceActor | undefined => usePart('licence');
/** The open pages as they are now; none while they rest after a fault. */
export const useOpenWorkspace = (): WorkspaceRef | undefined => usePart('workspace');
/** Has the server's word of changes been missing for longer than a moment, or is nobody there to hear it? */
export function useIsApart(): boolean {
  const isSignedIn = useConsole() !== undefined;
  const realtime = usePart('realtime');
  const isApart = useSelector(realtime, (snapshot) => snapshot?.hasTag('apart') ?? false);
  return isApart || (isSignedIn && !realtime);
}
/** Is what is shown of an earlier time: recalled from it, or without word of changes since? What was seen then may be otherwise by now. */
export function useIsOutdated(): boolean {
  const session = useApp().system.get('session') as SessionRef | undefined;
  const isRecalled = useSelector(session, (snapshot) => typeof snapshot?.context.seenAt === 'string');
  const isApart = useIsApart();
  return isRecalled || isApart;
}
/** The role that the person views the console as; none where they see it as their own. */
export const usePreview = (): PreviewActor | undefined => useSelector(useConsole(), (snapshot) => snapshot?.children.preview);
/** The views of lists that the person has. */
export const useSavedViews = (): SavedViewsActor | undefined => useSelector(useConsole(), (snapshot) => snapshot?.children.savedViews);
/** The conversations; there only for who may read any, and from a moment after signing in. */
export const useConversations = (): ConversationsActor | undefined =>
  useSelector(useConsole(), (snapshot) => snapshot?.children.conversations) as ConversationsActor | undefined;
/** The emergency alerts that go to the person; there from a moment after signing in. */
export const useEmergency = (): EmergencyActor | undefined =>
  useSelector(useConsole(), (snapshot) => snapshot?.children.emergency) as EmergencyActor | undefined;
/** Views the console as a role from now on, or as another one. */
export function useViewAs(): (viewpoint: Viewpoint) => void {
  const here = useConsole();
  const preview = usePreview();
  return useCallback(
    (viewpoint) => (preview ? preview.send({ type: 'preview.change', viewpoint }) : here?.send({ type: 'preview.start', viewpoint })),
    [here, preview],
  );
}
/** Asks the realtime channel for topics in the name of a view; the console remembers it for a channel that is started again. */
export function useWantTopics(): (owner: string, topics: readonly string[]) => void {
  const here = useConsole();
  return useCallback((owner, topics) => here?.send({ type: 'topics.want', owner, topics }), [here]);
}
/** The workspace: open pages with their lists and editors. Only below the signed-in shell; the last one while it rests after a fault. */
export const useWorkspace = (): WorkspaceRef => present(useContext(WorkspaceContext), 'the workspace actor');
/** What a view may ask of the world besides the actors. */
export const useServices = (): Services => present(useContext(ServicesContext), 'the services');

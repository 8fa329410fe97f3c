import { fromEventObservable, fromPromise } from 'xstate';
import { callMachine } from '#machines/phone/call/call.machine.ts';
import { contactsMachine } from '#machines/phone/contacts/contacts.machine.ts';
import { doorMachine } from '#machines/phone/door.machine.ts';
import { interceptionMachine } from '#machines/phone/interception.machine.ts';
import { phoneMachine } from '#machines/phone/phone.machine.ts';
import { keypadMachine } from '#machines/phone/keypad.machine.ts';
import type {
  HeadsetCommand,
  LastDialledCommand,
  LegCommand,
  LegInput,
  MediaDevicesCommand,
  NotifierCommand,
  RingerCommand,
  TabsCommand,
  UserAgentCommand,
} from '#machines/phone/ports.ts';
import { recentsMachine } from '#machines/phone/recents/recents.machine.ts';
import { registrationMachine } from '#machines/phone/registration.machine.ts';
import { ringerMachine } from '#machines/phone/ringer.machine.ts';
import { selfTestMachine } from '#machines/phone/self-test.machine.ts';
import { tabsMachine } from '#machines/phone/tabs.machine.ts';
import { waitingCallsMachine } from '#machines/phone/waiting-calls.machine.ts';
import type { CallRequest } from '#machines/form/form.machine.ts';
import { freshId } from '#src/adapters/clock.ts';
import type { Remembered } from '#src/adapters/followed.ts';
import type { Http } from '#src/adapters/http.ts';
import { openDeviceChoice } from '#src/adapters/phone/device-choice.ts';
import { openHeadset } from '#src/adapters/phone/headset.ts';
import type { Hid } from '#src/adapters/phone/hid.ts';
import { createAgent } from '#src/adapters/phone/jssip.ts';
import { openLastDialled } from '#src/adapters/phone/last-dialled.ts';
import { openMedia } from '#src/adapters/phone/media.ts';
import { type Notice, openNotifier } from '#src/adapters/phone/notifier.ts';
import { openPhoneLine } from '#src/adapters/phone/phone-line.ts';
import { openPhoneTabs } from '#src/adapters/phone/phone-tabs.ts';
import type { Pictures } from '#src/adapters/phone/pictures.ts';
import { openPhoneQuestions } from '#src/adapters/phone/questions.ts';
import { openRinger } from '#src/adapters/phone/ringer.ts';
import { openServerClock } from '#src/adapters/phone/server-clock.ts';
import { openSelfTest } from '#src/adapters/phone/self-test.ts';
import type { SipSecret } from '#src/adapters/phone/sip-secret.ts';
import { openSipSocket } from '#src/adapters/phone/sip-socket.ts';
import type { SoundVolumes } from '#src/adapters/sound-volumes.ts';
import { localStore } from '#src/adapters/storage.ts';
import { wakeupsOf } from '#src/adapters/wakeups.ts';
import type { Texts } from './i18n.ts';
import { lasting } from './lasting.ts';

interface Deps {
  runCall: (request: CallRequest) => Promise<unknown>;
  http: Http;
  secret: Pick<SipSecret, 'of'>;
  pictures: Pictures;
  volumes: Remembered<SoundVolumes>;
  texts: Texts;
  now: () => number;
}

// What goes wrong without anybody having to do something about it, for those who look for faults.
const warn = (what: string, error: unknown): void => console.warn(`phone: ${what}`, error);
const newContext = (): AudioContext | null => ('AudioContext' in window ? new AudioContext() : null);

/** The browser's side of the phone, opened once. */
function openWorld({ runCall, http, secret, pictures, texts, now }: Deps) {
  const { mediaDevices } = navigator as { mediaDevices?: MediaDevices };
  const { permissions } = navigator as { permissions?: Permissions };
  const hasWebRtc = 'RTCPeerConnection' in window;
  const media = openMedia({ devices: mediaDevices, isSecure: window.isSecureContext, hasWebRtc, storage: localStore, permissions });
  const questions = openPhoneQuestions(runCall, http);
  const line = openPhoneLine({
    settings: questions.readSettings,
    secret,
    host: location.hostname,
    createAgent,
    createSocket: (url, others) => openSipSocket(url, { open: (address) => new WebSocket(address, 'sip'), now, warn }, others),
    createConnection: (settings) => new RTCPeerConnection(settings),
    page: window,
    now,
    chance: Math.random,
    freshId,
    warn,
    media,
    pictures,
    makeAudio: () => new Audio(),
    document,
  });
  const runSelfTest = openSelfTest({
    isSecure: window.isSecureContext,
    media,
    context: newContext,
    line: line.current,
    permission: () => ('Notification' in window ? Notification.permission : 'missing'),
    serverTime: openServerClock(http),
    now,
  });
  const words = ({ caller, about }: { caller: string; about: Notice }): { title: string; body: string } => ({
    title: String(texts.i18n.t(`phone.notice.${about}`)),
    body: caller,
  });
  return { media, questions, line, runSelfTest, words };
}

type World = ReturnType<typeof openWorld>;

/** The line: the user agent and its legs, and who of several tabs has it. */
function plugLine({ line, questions }: World, now: () => number) {
  const { locks } = navigator as { locks?: LockManager };
  const openChannel = (name: string): BroadcastChannel => new BroadcastChannel(name);
  const call = callMachine.provide({
    actors: {
      callLeg: lasting<LegCommand, LegInput>((report, input) => line.leg(input, report)),
      stopCall: fromPromise(({ input }: { input: { speechId: string } }) => questions.stopCall(input)),
      connectCalls: fromPromise(({ input }: { input: { speechId: string; with: string } }) => questions.connectCalls(input)),
      readCallInfo: fromPromise(({ input }: { input: { number: string } }) => questions.readCallInfo(input)),
    },
  });
  const registration = registrationMachine.provide({
    actors: {
      userAgent: lasting<UserAgentCommand, { number: string }>((report, input) => line.userAgent(input, report)),
      wakeups: fromEventObservable(() => wakeupsOf(window, now)),
    },
  });
  const tabs = tabsMachine.provide({
    actors: { phoneTabs: lasting<TabsCommand, { number: string }>((report, { number }) => openPhoneTabs({ locks, openChannel }, number, report)) },
  });
  return { call, registration, tabs };
}

/** What the desk asks the server: who waits, whose calls are taken, doors, contacts, recent calls; and the check before a shift. */
function plugDesk({ questions, runSelfTest }: World) {
  return {
    waitingCalls: waitingCallsMachine.provide({
      actors: { readPhoneSettings: fromPromise(questions.readDesk), readWaiting: fromPromise(() => questions.readWaiting()) },
    }),
    interception: interceptionMachine.provide({
      actors: {
        readInterception: fromPromise(questions.readInterception),
        setInterception: fromPromise(({ input }: { input: { isActive: boolean; groups: readonly string[] } }) => questions.setInterception(input)),
      },
    }),
    door: doorMachine.provide({
      actors: {
        readDoors: fromPromise(questions.readDoors),
        openDoor: fromPromise(({ input }: { input: { token: string; speechId: string | null; reason: string | null } }) => questions.openDoor(input)),
      },
    }),
    contacts: contactsMachine.provide({ actors: { readContacts: fromPromise(questions.readContacts) } }),
    recents: recentsMachine.provide({
      actors: { readRecents: fromPromise(({ input }: { input: { number: string; page: number } }) => questions.readRecents(input)) },
    }),
    keypad: keypadMachine.provide({
      actors: { lastDialled: lasting<LastDialledCommand, { own: string }>((report, { own }) => openLastDialled(localStore, own, report)) },
    }),
    selfTest: selfTestMachine.provide({ actors: { runSelfTest: fromPromise(runSelfTest) } }),
  };
}

/** What rings, shows and is pressed on this machine: bell, desktop notices, headset, the choice of devices. */
function plugPlace({ media, words }: World, volumes: Remembered<SoundVolumes>) {
  const { userActivation: activation, hid } = navigator as { userActivation?: UserActivation; hid?: Hid };
  const page = document;
  const context = newContext;
  const focus = (): void => window.focus();
  const ringer = ringerMachine.provide({
    actors: {
      ringerSound: lasting<RingerCommand>((report) =>
        openRinger({ context, page, media, volumes, touched: activation?.hasBeenActive ?? true }, report),
      ),
    },
  });
  return {
    ringer,
    notifier: lasting<NotifierCommand>((report) => openNotifier({ notifications: window.Notification, words, focus }, report)),
    headset: lasting<HeadsetCommand>((report) => openHeadset(window.isSecureContext ? hid : undefined, report)),
    mediaDevices: lasting<MediaDevicesCommand>((report) => openDeviceChoice(media, report)),
  };
}

/** The phone with its ports, bottom-up; a part of the console that is fetched only for those who have a phone. */
export function composePhone(deps: Deps) {
  const world = openWorld(deps);
  return phoneMachine.provide({
    actors: { ...plugDesk(world), ...plugLine(world, deps.now), ...plugPlace(world, deps.volumes) },
  });
}

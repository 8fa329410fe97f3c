// The seams of the phone: what its machines tell the world and what the world tells them. All of it is plain data: sessions, streams and
// tracks stay in the adapters (src/adapters/phone), which know them by `speechId` or `sipId`. Moments (`at`) are ms since 1970, times ms.
// A lasting port lives as long as the state it is invoked in; when it is stopped it lets go of everything it holds.
import type { CallInfo, CallType, HistoryStatus, ServerCall } from '#models/call.ts';
import type { PhoneSettings } from '#models/phone-calls.ts';
import { unplugged, unpluggedLasting } from '../port.ts';
import type { PhoneCommand } from './commands.ts';
import type { PhoneMirror } from './mirror.ts';
import type { DeviceKind, DeviceList, InterceptedGroup, MediaTrouble, Quality, RingTone, SosMark } from './types.ts';

/** A call that came in by INVITE. `sipId` is the adapter's own name for its session, `speechId` that of `X-Speech-Id` (a fresh one where it is missing). */
export interface IncomingCall {
  sipId: string;
  speechId: string;
  number: string;
  name: string | null;
  /** `X-Target-Callee`, else the number that was called. */
  callee: string;
  type: CallType;
  sos: SosMark;
  /** The caller offers a picture. */
  video: boolean;
  at: number;
}
/**
 * `sip.register`: connect where needed and register once; the machine alone decides when to try again. `sip.probe`: is the server still there
 * (OPTIONS, 5 s; `sip.failed` if not)? `sip.refuse`: 486 for a session nobody takes.
 */
export type UserAgentCommand = { type: 'sip.register' } | { type: 'sip.unregister' } | { type: 'sip.probe' } | { type: 'sip.refuse'; sipId: string };
export type UserAgentReport =
  | { type: 'sip.registered' }
  /** Only after `sip.unregister`; a registration lost otherwise is `sip.failed`. */
  | { type: 'sip.unregistered' }
  /** Registering failed, or the socket was lost (also by the watchdog). `invalid`: number or password were refused (401, 403, 404). `chance`: 0 to 1, for the jitter. */
  | { type: 'sip.failed'; invalid: boolean; chance: number }
  | { type: 'sip.incoming'; call: IncomingCall };
/** Lives from leadership to its end. The password is the adapter's own affair. Stopping it unregisters and says BYE on every leg. */
export const userAgent = unpluggedLasting<UserAgentCommand, { number: string }>('userAgent');

export type LegInput = { speechId: string; video: boolean } & (
  | { kind: 'incoming'; sipId: string }
  /** INVITE to the number with `X-Speech-Id`. `join`: the same to a waiting call's queue, whose speech id the server knows. */
  | { kind: 'dial' | 'join'; number: string }
);
export type LegCommand =
  | { type: 'leg.answer'; video: boolean }
  /** BYE, CANCEL or a refusal, whatever fits; `leg.ended` follows at once for us, whatever the far side says later. */
  | { type: 'leg.hangUp' }
  /** Refuses a call that rings: 486. */
  | { type: 'leg.decline' }
  /** `on` cuts the own track in the same moment and then asks by re-INVITE. Answered by `leg.held` or `leg.holdFailed`, also where the stack would end the call. */
  | { type: 'leg.hold'; on: boolean }
  | { type: 'leg.mute'; on: boolean }
  /** 0 to 1. */
  | { type: 'leg.volume'; level: number }
  | { type: 'leg.camera'; on: boolean }
  /** RFC 4733 where agreed, INFO else. */
  | { type: 'leg.dtmf'; tone: string; duration: number }
  /** REFER to a number; `replaces`: the speech id of another leg of ours, for an attended transfer. Answered by `leg.transferred` or `leg.transferFailed`. */
  | { type: 'leg.refer'; to: string; replaces: string | null }
  | { type: 'leg.restartIce' };
/** How a leg came to its end, as SIP says it. `status`: of a refusal; `reason`: code of the Reason header (200 = answered elsewhere); `takenBy`: who took it, where told. */
export interface LegEnd {
  by: 'us' | 'them';
  cause: 'bye' | 'cancelled' | 'refused' | 'timeout' | 'transport' | 'answeredElsewhere' | 'media';
  status: number | null;
  takenBy: string | null;
}
export type LegReport =
  /** 180 or 183 came. */
  | { type: 'leg.progress' }
  /** Both sides know that there is talk: ACK sent or come. `accepted` alone is not reported. */
  | { type: 'leg.confirmed'; at: number; video: boolean }
  /** A hold or its end is agreed: ours (`us`, after `leg.hold`) or theirs. */
  | { type: 'leg.held'; by: 'us' | 'them'; on: boolean }
  | { type: 'leg.holdFailed' }
  /** The far side has connected us with somebody else: whom, the speech id of that call where it is told, and whether a picture comes from there (null: as before). */
  | { type: 'leg.moved'; number: string; name: string | null; speechId: string | null; video: boolean | null }
  /** RTCPeerConnection.connectionState, only these three. */
  | { type: 'leg.path'; state: 'connected' | 'disconnected' | 'failed' }
  /** Whether packets come in and go out in this second; told on change. Held or muted media does not count as dry. */
  | { type: 'leg.flow'; incoming: boolean; outgoing: boolean }
  | { type: 'leg.quality'; quality: Quality }
  /** Trouble: the call goes on listening only. Null: the microphone is live (again). */
  | { type: 'leg.microphone'; trouble: MediaTrouble | null }
  | { type: 'leg.camera'; on: boolean }
  | { type: 'leg.transferred' }
  | { type: 'leg.transferFailed' }
  /** Once, last. */
  | { type: 'leg.ended'; end: LegEnd; at: number };
/** Stopping it hangs up what is still up, stops every track and closes the peer connection, on every path. */
export const callLeg = unpluggedLasting<LegCommand, LegInput>('callLeg');

/** One tone sounds at a time, over and over until `ringer.silence`; `ringer.ring` takes the place of the tone before. `ringer.test`: once. */
export type RingerCommand =
  | { type: 'ringer.arm' }
  | { type: 'ringer.ring'; tone: RingTone }
  | { type: 'ringer.silence' }
  | { type: 'ringer.test'; tone: RingTone };
/** `armed`: it may sound (the first touch, or the browser lets it); `refused`: it was to sound and `play()` was rejected. */
export type RingerReport = { type: 'ringer.armed' } | { type: 'ringer.refused' };
/** Arms itself with the first touch of the page. Falls silent when stopped. */
export const ringerSound = unpluggedLasting<RingerCommand>('ringerSound');

/** Desktop notices of calls; where the browser may not, nothing happens. `notifier.pressed`: the person pressed it; the adapter brings the window to the front. */
export type NotifierCommand =
  | { type: 'notifier.show'; speechId: string; caller: string; about: 'call' | 'sos' | 'recall' }
  | { type: 'notifier.close'; speechId: string };
export type NotifierReport = { type: 'notifier.pressed'; speechId: string };
export const notifier = unpluggedLasting<NotifierCommand>('notifier');

/** What the lights of a headset show. */
export interface HeadsetLights {
  rings: boolean;
  talks: boolean;
  isMuted: boolean;
}
/** `headset.open`: the person has just allowed one. */
export type HeadsetCommand = { type: 'headset.open' } | { type: 'headset.show'; lights: HeadsetLights };
/** A button of the headset: `hook` off (`on`) or back on it; `mute` went down. */
export interface HeadsetPress {
  type: 'headset.pressed';
  button: 'hook' | 'mute';
  on: boolean;
}
/** `headset.changed`: the headset that is used by now; null: none any more. */
export type HeadsetReport = HeadsetPress | { type: 'headset.changed'; name: string | null };
/** The headset whose buttons and lights go with the phone (HID, page telephony); where the browser knows none, nothing is told. */
export const headset = unpluggedLasting<HeadsetCommand>('headset');

export type MediaDevicesCommand = { type: 'devices.choose'; kind: DeviceKind; id: string | null };
/** Told at the start, on devicechange and after every choice; legs and ringer follow the choice by themselves (replaceTrack, setSinkId). */
export type MediaDevicesReport = { type: 'devices.listed'; list: DeviceList };
export const mediaDevices = unpluggedLasting<MediaDevicesCommand>('mediaDevices');

/** `tabs.mirror`: the owner shows the others its phone; `tabs.command`: another tab asks the owner. */
export type TabsCommand = { type: 'tabs.mirror'; mirror: PhoneMirror } | { type: 'tabs.command'; command: PhoneCommand };
export type TabsReport =
  /** This tab holds the lock from now on; `alone`: there are no Web Locks here, every tab has its own phone. */
  | { type: 'tabs.elected' }
  | { type: 'tabs.alone' }
  /** Another tab holds the lock; this one stays in the queue for it. */
  | { type: 'tabs.outvoted' }
  | { type: 'tabs.mirrored'; mirror: PhoneMirror }
  | { type: 'tabs.commanded'; command: PhoneCommand }
  /** A tab came and wants to see the phone. */
  | { type: 'tabs.greeted' };
/** Web Locks and BroadcastChannel, named by number. A tab that follows greets by itself. */
export const phoneTabs = unpluggedLasting<TabsCommand, { number: string }>('phoneTabs');

/** `dialled.store`: the number that was called just now. */
export type LastDialledCommand = { type: 'dialled.store'; number: string };
/** Told once at the start, where this number has called somebody from this browser before. */
export type LastDialledReport = { type: 'dialled.stored'; number: string };
/** The last number that was called by this one, kept over a reload. */
export const lastDialled = unpluggedLasting<LastDialledCommand, { own: string }>('lastDialled');

/** Whom one may call. `isReachable`: null where that is not known. */
export interface Contact {
  name: string;
  number: string;
  title: string | null;
  user: { id: string; name: string; description: string | null } | null;
  group: string | null;
  isReachable: boolean | null;
  /** A group's own number: its front desk answers. */
  isDesk: boolean;
}
/** One row of the dialer's history. `duration` in seconds, `at` ms; `answeredBy`: the colleague who took it, if it was not I. */
export interface RecentCall {
  id: string;
  from: { number: string; name: string | null };
  to: { number: string; name: string | null };
  status: HistoryStatus;
  direction: 'incoming' | 'outgoing';
  duration: number;
  at: number;
  answeredBy: { number: string; name: string | null } | null;
  doorOpened: boolean;
  sos: boolean;
  note: string | null;
  /** The group of the person at the other end, where one is told. */
  home: { id: string; name: string } | null;
  /** Address of what the caller's camera showed. */
  picture: string | null;
}
/** `total`: how many there are in all. */
export interface RecentPage {
  calls: readonly RecentCall[];
  total: number;
}
/** `groups`: those chosen or active; `userGroups`: one's own. */
export interface InterceptionSettings {
  isActive: boolean;
  groups: readonly InterceptedGroup[];
  userGroups: readonly InterceptedGroup[];
}
export interface ConciergeDoor {
  id: string;
  token: string;
  name: string;
  number: string | null;
  /** Names of groups down to its own. */
  path: readonly string[];
  /** Null where one is not told. */
  isOnline: boolean | null;
  hasCamera: boolean;
}
export type DoorOutcome = 'confirmed' | 'unconfirmed';
export interface CheckResult {
  check: 'secure' | 'support' | 'microphone' | 'ringer' | 'notifications' | 'registration' | 'candidates' | 'socket' | 'clock';
  outcome: 'passed' | 'warned' | 'failed';
  /** A figure with its unit, or words that no language has of its own: "srflx, relay", the name of a microphone. */
  detail: { value: number; unit: 'dB' | 'ms' | 's' } | string | null;
}

/** GET /calls/settings: of it the machines need the queues, whose numbers name topics, and when a call on hold calls back; addresses and ICE servers are the adapters' affair. */
export const readPhoneSettings = unplugged<Pick<PhoneSettings, 'queues' | 'recall_seconds'>>('readPhoneSettings');
/** Calls that wait, and when that was, by the server's clock (ms since 1970); null where it does not say. */
export interface WaitingCalls {
  calls: readonly ServerCall[];
  at: number | null;
}
/** GET /calls/waiting; asked only for those at a front desk. */
export const readWaiting = unplugged<WaitingCalls>('readWaiting');
/** POST /calls/{speechId}/stop. */
export const stopCall = unplugged<void, { speechId: string }>('stopCall');
/** POST /calls/{speechId}/transfer {speech_id}: the caller I have on hold is connected with the one I talk with in another call. */
export const connectCalls = unplugged<void, { speechId: string; with: string }>('connectCalls');
/** GET /sip-numbers/{number}/call-info. */
export const readCallInfo = unplugged<CallInfo, { number: string }>('readCallInfo');
/** GET /sip-numbers/contacts. */
export const readContacts = unplugged<readonly Contact[]>('readContacts');
/** GET /calls/history/dialer/{number}, newest first, 50 a page. */
export const readRecents = unplugged<RecentPage, { number: string; page: number }>('readRecents');
export const readInterception = unplugged<InterceptionSettings>('readInterception');
/** POST /calls/interception {is_active, domains}. */
export const setInterception = unplugged<InterceptionSettings, { isActive: boolean; groups: readonly string[] }>('setInterception');
/** GET /concierge-devices. */
export const readDoors = unplugged<readonly ConciergeDoor[]>('readDoors');
/** POST /devices/open {token}: answers once the device said so, or that it did not within 5 s. */
export const openDoor = unplugged<{ outcome: DoorOutcome }, { token: string; speechId: string | null; reason: string | null }>('openDoor');
/** The check before a shift, 20 s at most; every check answers, none throws. */
export const runSelfTest = unplugged<readonly CheckResult[]>('runSelfTest');

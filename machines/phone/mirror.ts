import type { CallDirection, CallInfo, CallStatus, CallType, TrunkRefusal } from '#models/call.ts';
import type { RegistrationState } from '#models/sip.ts';
import type { CallCommand } from './commands.ts';
import type { DeviceList, EndReason, Quality, RingTone, SosMark, MediaTrouble } from './types.ts';

/**
 * One call as a card draws it. All of it is data, so that the tab that owns the phone can send it to the others; sound and picture
 * stay with the adapter, by `speechId`. Moments are ms since 1970.
 */
export interface CallMirror {
  speechId: string;
  /** The speech id under which the server has it: another one after a transfer has moved it. */
  recordId: string;
  /** The far side's number, and the number that was called (of a queue, a flat, a person). */
  number: string;
  callee: string;
  direction: CallDirection;
  type: CallType;
  /** A normal call that I hold is `paused` (with `isHeld`), a waiting one is too: `type` tells them apart. */
  status: CallStatus;
  sos: SosMark;
  video: boolean;
  /** Where and who; null while it is being looked up (`isLookingUp`) and where nothing is known. */
  info: CallInfo | null;
  isLookingUp: boolean;
  /** What the caller says it is called. */
  name: string | null;
  group: string | null;
  /** The number of the colleague who has taken it; null where nobody has or I have. */
  takenBy: string | null;
  /** What that one is called; null where that is not told. */
  takenByName: string | null;
  startedAt: number;
  /** When talk began; null before. The duration is counted from here. */
  activeAt: number | null;
  endedAt: number | null;
  endReason: EndReason | null;
  /** Of one that a line outside refused: which, with what code. */
  refusal: TrunkRefusal | null;
  /** It rings at this desk now, with sound unless silenced. */
  isRinging: boolean;
  isSilenced: boolean;
  /** It has been on hold for too long and calls back, with sound unless silenced. */
  isRecalling: boolean;
  /** It takes the line: dialling, being answered, joining, in talk. Of these there is one at most. */
  isBusy: boolean;
  /** Something was pressed and its outcome is awaited: what. `offer`: answered, and not rung here yet. Buttons are locked meanwhile by `may`. */
  awaits: 'offer' | 'answer' | 'join' | 'hold' | 'resume' | 'pause' | 'stop' | 'transfer' | null;
  /** The far side heard us ring: 180; before, it is being reached. */
  isProgressing: boolean;
  isMuted: boolean;
  volume: number;
  hasCamera: boolean;
  /** Confirmed by the far side: held by me, by them. */
  isHeld: boolean;
  isHeldByThem: boolean;
  microphone: MediaTrouble | null;
  /** How the media path stands; `restarting`: ICE starts anew. */
  path: 'connected' | 'disconnected' | 'restarting';
  quality: Quality | null;
  /** Nothing has come (or gone out) for four seconds. */
  hears: boolean;
  isHeard: boolean;
  /** The door of the panel one talks with: asked to open, seen open, or not seen to within five seconds. */
  door: 'closed' | 'sent' | 'confirmed' | 'unconfirmed';
  /** I was in this call when the page or the connection went: one press leads back. */
  isRejoin: boolean;
  /** It waits because this desk put it on hold. */
  isMine: boolean;
  /** What may be done with it now. */
  may: readonly CallCommand['type'][];
}

/** The whole phone as every tab draws it. Follows the owner's phone through BroadcastChannel. */
export interface PhoneMirror {
  registration: RegistrationState;
  /** SOS first, then what calls back from hold, then the rest by beginning; ended calls keep their place. */
  calls: readonly CallMirror[];
  /** What is to be heard now; null when nothing rings. */
  ringing: RingTone | null;
  /** `unarmed`: the browser wants a touch first; `refused`: something rang and was not heard. */
  sound: 'unarmed' | 'armed' | 'refused';
  /** Waiting calls as of the last reading; false after a gap until they were read again. */
  isCurrent: boolean;
  devices: DeviceList;
  /** The headset whose buttons work the phone; null where there is none. */
  headset: string | null;
}

export const noDevices: DeviceList = {
  devices: [],
  chosen: { microphone: null, speaker: null, ringer: null, camera: null },
};
/** The phone before anything is known of it. */
export const emptyMirror: PhoneMirror = {
  registration: 'unregistered',
  calls: [],
  ringing: null,
  sound: 'unarmed',
  isCurrent: false,
  devices: noDevices,
  headset: null,
};

import type { RingTone } from './types.ts';

/** How the call that stands in the way is put aside for another one. */
export interface PutAside {
  speechId: string;
  how: 'hangUp' | 'hold';
}

/**
 * What a person may do with calls. Plain data: a tab that does not own the phone sends the same over to the one that does.
 * `over`: the present call that the person has agreed to put aside; filled in by the phone once it has asked, or by a button that says so itself.
 */
export type PhoneCommand =
  /** Calls a number. `speechId` is a fresh uuid, `at` now in ms since 1970. */
  | { type: 'phone.dial'; number: string; video: boolean; speechId: string; at: number; over?: PutAside }
  /** Answers a call: one that rings here, and one that waits for anybody, also when it was pressed a moment before it rings. */
  | { type: 'call.accept'; speechId: string; video: boolean; over?: PutAside }
  /** Takes up a call on hold, or comes back to one I was in. */
  | { type: 'call.resume'; speechId: string; over?: PutAside }
  /** Stops ringing here and says no; an awaiting call goes on waiting for colleagues. */
  | { type: 'call.decline'; speechId: string }
  /** Ends the call for both sides; an awaiting one is stopped at the server too. */
  | { type: 'call.hangUp'; speechId: string }
  /** A normal call is held, an awaiting one paused. */
  | { type: 'call.hold'; speechId: string }
  /** One key of the keypad, 1000 ms. */
  | { type: 'call.dtmf'; speechId: string; tone: string }
  /** Opens the panel's door: `#` for 160 ms; the card shows whether the device confirmed it. */
  | { type: 'call.openDoor'; speechId: string }
  | { type: 'call.mute'; speechId: string; on: boolean }
  /** How loud the far side is here, 0 to 1. */
  | { type: 'call.volume'; speechId: string; level: number }
  /** One's own camera. */
  | { type: 'call.camera'; speechId: string; on: boolean }
  /** Hands the call on to a number without asking there (blind). */
  | { type: 'call.transfer'; speechId: string; to: string }
  /**
   * Connects the far side of this call with that of another one of ours, and leaves (attended). `to` and `record`, that one's number and the
   * speech id the server has it under, are filled in by the phone.
   */
  | { type: 'call.connect'; speechId: string; with: string; to?: string; record?: string }
  /** Keeps the ring of this call quiet without answering. */
  | { type: 'call.silence'; speechId: string }
  /** Takes an ended call off the screen before its five seconds. */
  | { type: 'call.dismiss'; speechId: string }
  /** Goes on duty, goes off duty. */
  | { type: 'phone.register' }
  | { type: 'phone.unregister' }
  /** The person has touched the page: sound may be armed. */
  | { type: 'ringer.arm' }
  /** A short ring to hear whether, and how loud, it is heard. */
  | { type: 'ringer.test'; tone: RingTone }
  /** The person has allowed a headset: its buttons are to be heard. */
  | { type: 'headset.open' }
  | { type: 'devices.choose'; kind: 'microphone' | 'speaker' | 'ringer' | 'camera'; id: string | null };

/** Commands about one call. */
export type CallCommand = Extract<PhoneCommand, { type: `call.${string}` }>;

/** One of each command about a call, by which a mirror says what may be done now. */
export const callCommands = [
  'call.accept',
  'call.resume',
  'call.decline',
  'call.hangUp',
  'call.hold',
  'call.dtmf',
  'call.openDoor',
  'call.mute',
  'call.volume',
  'call.camera',
  'call.transfer',
  'call.connect',
  'call.silence',
  'call.dismiss',
] as const satisfies readonly CallCommand['type'][];

import type { PhoneCommand } from '#machines/phone/commands.ts';
import { alertsDesk } from '#machines/phone/line.ts';
import type { CallMirror } from '#machines/phone/mirror.ts';
import { isAtDesk } from './call-texts.ts';

/** What can be done by a key from anywhere in the console. */
export const shortcutActs = [
  'answer',
  'decline',
  'next',
  'end',
  'hold',
  'mute',
  'open',
  'transfer',
  'note',
  'phone',
  'card',
  'doors',
  'alarm',
] as const;
export type ShortcutAct = (typeof shortcutActs)[number];
/** The key of each act as `Alt+KeyA`; null where the person wants none. Keys are meant by their place, so that they hold in any layout. */
export type ShortcutKeys = Readonly<Record<ShortcutAct, string | null>>;

export const defaultKeys: ShortcutKeys = {
  answer: 'Alt+KeyA',
  decline: 'Alt+KeyX',
  next: 'Space',
  hold: 'Alt+KeyH',
  mute: 'Alt+KeyM',
  open: 'Alt+KeyO',
  // Alt+E, Alt+D and Alt+F belong to browsers.
  end: 'Alt+KeyQ',
  transfer: 'Alt+KeyT',
  note: 'Alt+KeyN',
  phone: 'Alt+KeyP',
  card: 'Alt+KeyC',
  doors: 'Alt+KeyK',
  alarm: 'Alt+KeyL',
};

type Pressed = Pick<KeyboardEvent, 'code' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>;
const modifiers = [
  ['ctrlKey', 'Ctrl'],
  ['altKey', 'Alt'],
  ['metaKey', 'Meta'],
  ['shiftKey', 'Shift'],
] as const;

/** A pressed key as it is remembered; null while only Shift and the like are down, and for keys that belong to forms. */
export function keyOf(event: Pressed): string | null {
  if (/^(?:Alt|Control|Meta|Shift)/.test(event.code) || ['', 'Enter', 'Escape', 'Tab', 'Backspace', 'Delete'].includes(event.code)) return null;
  return [...modifiers.filter(([flag]) => event[flag]).map(([, name]) => name), event.code].join('+');
}

/** A key as it stands on a keyboard: `Alt + A`. */
export const keyName = (key: string): string =>
  key
    .split('+')
    .map((part) => part.replace(/^(?:Key|Digit)/, ''))
    .join(' + ');

/** Whether a key may act while somebody types: not a bare letter, and never one that types. */
export const actsWhileTyping = (key: string): boolean => /^(?:Ctrl|Alt|Meta)\+/.test(key) || /^(?:Shift\+)?F\d+$/.test(key);

/** The call that is answered next: SOS first, then what rings, then what waits longest; the phone has them in this order. */
const nextOf = (calls: readonly CallMirror[]): CallMirror | undefined =>
  calls.find(({ may, status }) => may.includes('call.accept') || (may.includes('call.resume') && status !== 'active'));

/** The call that Answer is meant for: an SOS first, then what is to be heard here, then one that waits and may ring in a moment. */
const callingOf = (calls: readonly CallMirror[]): CallMirror | undefined => {
  const takeable = calls.filter((call) => call.may.includes('call.accept') || (call.isRecalling && call.may.includes('call.resume')));
  return takeable.find(({ sos }) => sos !== 'no') ?? takeable.find(alertsDesk) ?? takeable[0];
};

/** Acts that lead somewhere and tell the phone nothing. */
const ways = ['transfer', 'note', 'phone', 'card', 'doors', 'alarm'] as const;
export type ShortcutWay = (typeof ways)[number];
export const isWay = (act: ShortcutAct): act is ShortcutWay => ways.some((way) => way === act);

/** Whether a way is open just now. */
export function leads(way: ShortcutWay, calls: readonly CallMirror[]): boolean {
  const live = calls.find((call) => isAtDesk(call, calls));
  if (way === 'transfer') return live?.may.includes('call.transfer') ?? false;
  if (way === 'note') return live !== undefined && live.activeAt !== null;
  return way !== 'card' || calls.length > 0;
}

/** What an act means just now; none where it is impossible. */
export function commandOf(act: Exclude<ShortcutAct, ShortcutWay>, calls: readonly CallMirror[]): PhoneCommand | null {
  const can = (type: CallMirror['may'][number]): CallMirror | undefined => calls.find(({ may }) => may.includes(type));
  const live = calls.find(({ isBusy }) => isBusy) ?? calls.find(({ isHeld }) => isHeld);
  switch (act) {
    case 'answer':
    case 'next': {
      const call = act === 'next' ? nextOf(calls) : callingOf(calls);
      if (!call) return null;
      const { speechId } = call;
      return call.may.includes('call.accept') ? { type: 'call.accept', speechId, video: false } : { type: 'call.resume', speechId };
    }
    case 'decline': {
      const call = can('call.decline');
      return call ? { type: 'call.decline', speechId: call.speechId } : null;
    }
    case 'end':
      return live?.may.includes('call.hangUp') ? { type: 'call.hangUp', speechId: live.speechId } : null;
    case 'hold': {
      // One of a queue waits at the server, not on a line of this desk: while nobody is talked to, the key takes it up again.
      const waiting = calls.find((call) => call.isMine && call.may.includes('call.resume'));
      if (!live) return waiting ? { type: 'call.resume', speechId: waiting.speechId } : null;
      if (live.isHeld) return live.may.includes('call.resume') ? { type: 'call.resume', speechId: live.speechId } : null;
      return live.may.includes('call.hold') ? { type: 'call.hold', speechId: live.speechId } : null;
    }
    case 'mute':
      return live?.may.includes('call.mute') ? { type: 'call.mute', speechId: live.speechId, on: !live.isMuted } : null;
    case 'open': {
      const call = can('call.openDoor');
      return call ? { type: 'call.openDoor', speechId: call.speechId } : null;
    }
  }
}

/** The keys as the person has them: those never touched are as they were made. */
export const withDefaults = (keys: Readonly<Record<string, string | null>>): ShortcutKeys => ({
  ...defaultKeys,
  ...Object.fromEntries(shortcutActs.filter((act) => act in keys).map((act) => [act, keys[act] ?? null])),
});

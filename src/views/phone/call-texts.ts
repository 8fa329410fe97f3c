import type { CallMirror } from '#machines/phone/mirror.ts';
import type { MediaTrouble } from '#machines/phone/types.ts';
import { useContext } from 'react';
import { contactName } from '#machines/phone/contacts/contact-groups.ts';
import type { Contact } from '#machines/phone/ports.ts';
import { type Text, useText } from '#src/components/text.ts';
import { trunkRefusalText } from '#src/components/trunk-refusal.ts';
import { ContactsContext } from './names.ts';

/** How a call is called by people: the name in front, what tells more below, the number only where nothing else is known. */
interface CallFace {
  title: string;
  /** Where, for whom, by what number; none of it said twice. */
  lines: string[];
}

const distinct = (words: readonly (string | null | undefined)[], ...said: string[]): string[] => [
  ...new Set(words.filter((word): word is string => Boolean(word) && !said.includes(word ?? ''))),
];

/** Who calls, as far as one knows; "looking up" is not "unknown". */
export function faceOf(call: CallMirror, { t }: Pick<Text, 't'>, contacts: readonly Contact[]): CallFace {
  const { name, info, number, group } = call;
  const contact = contacts.find((one) => one.number === number);
  const title = name ?? (contact && contactName(contact)) ?? info?.user?.name ?? info?.address ?? number;
  // An address mostly begins with its group.
  const place = group && info?.address?.includes(group) ? null : group;
  const known = distinct([info?.user?.name, info?.address, place, number], title);
  if (title !== number) return { title, lines: known };
  if (call.isLookingUp) return { title, lines: [t('phone.looking_up'), ...known] };
  // Whoever dials a number knows it.
  return { title, lines: call.direction === 'outgoing' ? known : [t('phone.unknown_caller'), ...known] };
}
/** Who calls, in the language of the page and the names of one's contacts. */
export const useFace = (call: CallMirror): CallFace => faceOf(call, useText(), useContext(ContactsContext));

/** What one is waiting for, or how the call stands, in words. */
export function statusKeyOf(call: CallMirror): string {
  if (call.awaits) return `phone.awaits.${call.awaits}`;
  if (call.isHeld && call.status !== 'destroyed') return 'phone.status.held';
  if (call.status === 'active') {
    if (call.path !== 'connected') return `phone.path.${call.path}`;
    return call.isHeldByThem ? 'phone.status.held_by_them' : 'phone.status.active';
  }
  if (call.status === 'calling' && call.direction === 'outgoing') return call.isProgressing ? 'phone.status.rings_there' : 'phone.status.calling';
  if (call.isRinging) return call.isSilenced ? 'phone.status.ringing_silently' : 'phone.status.ringing';
  if (call.status === 'new' || call.status === 'calling') return 'phone.status.waiting';
  return call.isRejoin ? 'phone.status.rejoin' : `phone.status.${call.status}`;
}

/** What the button that ends it says: what was only begun is cancelled, and a waiting call goes on waiting. */
export const endKeyOf = ({ status, awaits }: CallMirror): string =>
  status === 'calling' || awaits === 'offer' || awaits === 'answer' || awaits === 'join' ? 'phone.cancel_call' : 'phone.hang_up';

/** What keeps the microphone from being heard; that the browser or the machine has no media is said by the catalogue (ERR-011, ERR-012). */
export function microphoneKeyOf(trouble: MediaTrouble): string {
  if (trouble === 'unsupported') return 'errors.local.no_media_support';
  return trouble === 'notFound' ? 'errors.local.no_media_devices' : `phone.microphone.${trouble}`;
}

/** Why it is over, in words. Nobody but the caller gives a call up before its answer; a browser without WebRTC is told as what it is. */
function overKeyOf({ endReason, direction, microphone }: CallMirror): string {
  if (endReason === 'cancelled' && direction === 'outgoing') return 'phone.ends_outgoing.cancelled';
  if (endReason === 'unsupported' || (endReason === 'noMedia' && microphone === 'unsupported')) return microphoneKeyOf('unsupported');
  return `phone.ends.${endReason ?? 'hungUp'}`;
}

/** Why it is over; of one that a line outside refused which line, and its code. */
export const endTextOf = (call: CallMirror, words: Pick<Text, 't'>): string =>
  call.refusal ? trunkRefusalText(words, call.refusal) : words.t(overKeyOf(call));

const young = 30;
const old = 60;
/** How long somebody has been waiting, as a degree: after half a minute it warns, after a minute it is late. */
export function ageOf(seconds: number): 'young' | 'old' | 'late' {
  if (seconds < young) return 'young';
  return seconds < old ? 'old' : 'late';
}

/** The call with the controls: the one that has the line; while none has it, the one that is held. */
export const isAtDesk = (call: CallMirror, calls: readonly CallMirror[]): boolean =>
  call.isBusy || (call.isHeld && call.status !== 'destroyed' && !calls.some(({ isBusy }) => isBusy));
/** Somebody would be cut off if this tab went. */
export const isLive = ({ isBusy, isHeld, status }: CallMirror): boolean => (isBusy || isHeld) && status !== 'destroyed';

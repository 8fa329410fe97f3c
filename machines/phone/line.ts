import type { CallCommand, PhoneCommand } from './commands.ts';
import type { CallMirror, PhoneMirror } from './mirror.ts';
import type { RingTone } from './types.ts';

/** Commands that need the line for themselves: only one call may be active (clause CALL-12). */
export type LineCommand = Extract<PhoneCommand, { type: 'phone.dial' | 'call.accept' | 'call.resume' }>;

/** A call by its speech id, as it is mirrored. */
export const callOf = ({ calls }: PhoneMirror, speechId: string): CallMirror | undefined => calls.find((call) => call.speechId === speechId);
/** The call at this desk that the server has under a speech id: its own, or the one that a transfer gave it. */
export const callOfRecord = ({ calls }: PhoneMirror, recordId: string): CallMirror | undefined => calls.find((call) => call.recordId === recordId);
/** The call that would have to be put aside for the command. */
export const inTheWay = (mirror: PhoneMirror, { speechId }: LineCommand): CallMirror | undefined =>
  mirror.calls.find((call) => call.isBusy && call.speechId !== speechId);
/** The calls that one may go back to, or connect with the one in talk: held by this desk, with a leg here or waiting at the server. */
export const onHoldHere = (calls: readonly CallMirror[]): readonly CallMirror[] =>
  calls.filter(({ isHeld, isMine, status }) => status !== 'destroyed' && (isHeld || isMine));
/** Connects the one in talk with one on hold: over the legs of both, or by the server where the one on hold has none here. Null: not now. */
export function connectionOf(talk: CallMirror, onHold: CallMirror): CallCommand | null {
  const type = 'call.connect';
  if (talk.status !== 'active') return null;
  const [from, to] = onHold.isHeld ? [talk, onHold] : [onHold, talk];
  return from.may.includes(type) ? { type, speechId: from.speechId, with: to.speechId } : null;
}
/** Ends what is being dialled or talked and takes up the one on hold, which waited for that. */
export const backTo = ({ speechId }: CallMirror, talk: CallMirror): LineCommand => ({
  type: 'call.resume',
  speechId,
  over: { speechId: talk.speechId, how: 'hangUp' },
});
/** May this be done with that call now? */
export const mayDo = (mirror: PhoneMirror, { type, speechId }: CallCommand): boolean => callOf(mirror, speechId)?.may.includes(type) ?? false;
/** Somebody is on the line, rings, or is held at this desk: leaving would lose them. Calls that only wait at the server are not lost. */
export const liveCalls = ({ calls }: PhoneMirror): readonly CallMirror[] =>
  calls.filter(({ isBusy, isRinging, isHeld }) => isBusy || isRinging || isHeld);

/** It is to be seen and heard at this desk: a call that comes in, or one that was left on hold for too long. */
export const alertsDesk = ({ isRinging, isRecalling }: CallMirror): boolean => isRinging || isRecalling;

/** What rings, in a word: somebody's emergency, a call left on hold, or just a call. */
export const noticeOf = ({ sos, isRecalling }: CallMirror): 'call' | 'sos' | 'recall' => (sos === 'no' ? (isRecalling ? 'recall' : 'call') : 'sos');

const rank = ({ sos, isRecalling }: CallMirror): number => (sos === 'no' ? (isRecalling ? 1 : 2) : 0);
/** SOS first, then what calls back from hold, then the oldest. */
export const inOrder = (calls: readonly CallMirror[]): readonly CallMirror[] =>
  calls.toSorted((a, b) => rank(a) - rank(b) || a.startedAt - b.startedAt || a.speechId.localeCompare(b.speechId));

/** What is to be heard: an SOS call before any other, and in talk only a hint. */
export function toneOf(calls: readonly CallMirror[]): RingTone | null {
  const loud = calls.filter((call) => alertsDesk(call) && !call.isSilenced);
  if (loud.length === 0) return null;
  if (loud.some(({ sos }) => sos === 'yes')) return 'sos';
  return calls.some(({ isBusy }) => isBusy) ? 'waiting' : 'call';
}

/** The mirror with these calls, in order, and the tone that follows from them. */
export function withCalls(mirror: PhoneMirror, calls: readonly CallMirror[]): PhoneMirror {
  const ordered = inOrder(calls);
  return { ...mirror, calls: ordered, ringing: toneOf(ordered) };
}
/** The phone with one call more, or with what a call has become. */
export const withCall = (mirror: PhoneMirror, call: CallMirror): PhoneMirror =>
  withCalls(mirror, [...mirror.calls.filter(({ speechId }) => speechId !== call.speechId), call]);
/** The phone without a call. */
export const withoutCall = (mirror: PhoneMirror, speechId: string): PhoneMirror =>
  withCalls(
    mirror,
    mirror.calls.filter((call) => call.speechId !== speechId),
  );

/** What a caller is called where there is no room for more than one line. */
export const callerName = ({ name, info, number }: CallMirror): string => name ?? info?.user?.name ?? info?.address ?? number;

import { answererOf, type ServerCall } from '#models/call.ts';
import type { RealtimeEvent } from '#models/realtime.ts';
import { type RegistrationState, registrationStates } from '#models/sip.ts';
import type { AlertsRequest } from '../alerts/alerts.machine.ts';
import type { DialogAnswered } from '../alerts/dialog.ts';
import type { TopicsWanted } from '../realtime/realtime.machine.ts';
import type { SoundHush } from '../sounds.machine.ts';
import type { CallInput } from './call/call-facts.ts';
import { callMirror } from './call/call-mirror.ts';
import type { CallSnapshot } from './call/call.machine.ts';
import type { CallFact } from './call/call.setup.ts';
import type { PhoneCommand } from './commands.ts';
import { callOfRecord, inTheWay, type LineCommand, withCall, withoutCall } from './line.ts';
import type { PhoneMirror } from './mirror.ts';
import type { PhonePerson } from './phone-of.ts';
import type { HeadsetReport, MediaDevicesReport, NotifierReport, WaitingCalls } from './ports.ts';
import type { RegistrationFact } from './registration.machine.ts';
import type { TabsFact } from './tabs.machine.ts';
import { isDialable } from './typed-number.ts';
import type { WaitingFact } from './waiting-calls.machine.ts';

export type PhoneEvent =
  | PhoneCommand
  /** Signs out, after asking where somebody is on the line. */
  | { type: 'phone.signOut'; everywhere: boolean }
  /** What the person may do with a phone has changed; null: they may have none any more. It goes once nobody is on the line. */
  | { type: 'person.changed'; person: PhonePerson | null }
  /** The line is free for it: it is done, here or by the tab that owns the phone. */
  | { type: 'line.granted'; command: LineCommand }
  | { type: 'realtime.events'; events: readonly RealtimeEvent[] }
  | { type: 'realtime.resynced'; topics: readonly string[] }
  | { type: 'realtime.gap'; asOf: string | null }
  | DialogAnswered
  | TabsFact
  | RegistrationFact
  | WaitingFact
  | CallFact
  | SoundHush
  | MediaDevicesReport
  | HeadsetReport
  | NotifierReport
  | { type: 'xstate.snapshot.*'; snapshot: CallSnapshot }
  | { type: 'xstate.done.actor.*'; actorId: string }
  | { type: 'xstate.error.actor.*'; actorId: string; error: unknown };
/** What the phone tells of its desk. */
export type DeskFact = { type: 'desk.busy' } | { type: 'desk.quiet' };
export type PhoneFact =
  | AlertsRequest
  | TopicsWanted
  | SoundHush
  /** There are calls at the desk, or none any more. */
  | DeskFact
  /** The person pressed a desktop notice: the panel is to be seen. */
  | { type: 'phone.shown'; speechId: string }
  /** It has another number by now, or none, and nobody is on the line any more. */
  | { type: 'phone.retired' }
  | { type: 'session.signOut' }
  | { type: 'session.signOutEverywhere' };

/** What it holds. */
export interface PhoneContext {
  person: PhonePerson;
  /** Another number, or none any more: the phone goes when nobody is on the line. */
  isOutdated: boolean;
  /** What this tab draws, whichever tab owns the phone. */
  mirror: PhoneMirror;
  /** What waits for an answer, or for the line to become free. */
  pending: LineCommand | null;
  /** Speech ids of the calls that have an actor; the mirror follows a moment later. */
  known: readonly string[];
  /** A call on hold calls back after so many seconds. */
  recallSeconds: number;
  signsOutEverywhere: boolean;
}

/** A call that is to get an actor. */
export interface Beginning {
  speechId: string;
  input: CallInput;
}
/** The name of a call's actor. */
export const idOf = (speechId: string): string => `call:${speechId}`;
/** The speech id under which the call has its actor that the server has under this one. */
export const knownAs = ({ known, mirror }: PhoneContext, recordId: string): string | undefined =>
  known.includes(recordId) ? recordId : callOfRecord(mirror, recordId)?.speechId;
/** One that waits in a queue, or that I was in; or one between others whose groups somebody at this desk intercepts, until it is answered. */
const isForThisDesk = ({ type, status, answered_by, caller, callee }: ServerCall, { number: me, isDesk }: PhonePerson): boolean => {
  if (caller === me || status === 'destroyed') return false;
  if (type === 'awaiting') return status !== 'answered' || answererOf(answered_by) === me;
  return isDesk && callee !== me && status !== 'answered';
};

/** Calling a number. */
export type Dial = Extract<LineCommand, { type: 'phone.dial' }>;
/** A number that may be called now, and is not being called already: a second press means the same call. */
export const mayDial = ({ mirror }: PhoneContext, { number }: Dial): boolean =>
  isDialable(number) &&
  mirror.registration === 'registered' &&
  !mirror.calls.some((call) => call.isBusy && call.direction === 'outgoing' && call.status === 'calling' && call.number === number);

/** No question is due: nobody has to be put aside, somebody is being put aside already, or it was agreed on with the press. */
export function mayGoOn({ mirror, pending }: PhoneContext, command: LineCommand): boolean {
  const other = inTheWay(mirror, command);
  return pending !== null || other === undefined || other.speechId === command.over?.speechId;
}

/** What every call at this desk begins with. */
export const deskOf = ({ person, recallSeconds }: PhoneContext) => ({ me: person.number, recallSeconds });

/** Calls the server tells of that belong on this desk: those that wait, and those I was in. */
export const beginningsOf = (context: PhoneContext, { calls, at }: WaitingCalls): Beginning[] =>
  calls
    .filter((call) => isForThisDesk(call, context.person))
    .map((call) => ({ speechId: call.id, input: { ...deskOf(context), origin: 'listed', call, at } }));

/** The mirror as one part of the phone changed it. */
export const changed = {
  call: (context: PhoneContext, snapshot: CallSnapshot): PhoneMirror => withCall(context.mirror, callMirror(snapshot)),
  ended: ({ mirror }: PhoneContext, actorId: string): PhoneMirror => withoutCall(mirror, actorId.slice('call:'.length)),
  registration: ({ mirror }: PhoneContext, state: { hasTag: (tag: RegistrationState) => boolean }): PhoneMirror => {
    const registration = registrationStates.find((one) => state.hasTag(one)) ?? mirror.registration;
    return registration === mirror.registration ? mirror : { ...mirror, registration };
  },
  sound: ({ mirror }: PhoneContext, state: { hasTag: (tag: PhoneMirror['sound']) => boolean }): PhoneMirror => {
    const sound = (['refused', 'armed', 'unarmed'] as const).find((one) => state.hasTag(one)) ?? mirror.sound;
    return sound === mirror.sound ? mirror : { ...mirror, sound };
  },
  current: ({ mirror }: PhoneContext, isCurrent: boolean): PhoneMirror => (isCurrent === mirror.isCurrent ? mirror : { ...mirror, isCurrent }),
};

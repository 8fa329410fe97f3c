import { callStatuses } from '#models/call.ts';
import { type CallContext, endReason } from './call-facts.ts';
import type { CallSnapshot } from './call.machine.ts';
import type { CallTag } from './call.setup.ts';
import { type CallCommand, callCommands } from '../commands.ts';
import type { CallMirror } from '../mirror.ts';

/** One of each command about this call, to ask whether it may be done now. */
const sampleOf = (type: CallCommand['type'], speechId: string): CallCommand => {
  const samples: { [T in CallCommand['type']]: Extract<CallCommand, { type: T }> } = {
    'call.accept': { type: 'call.accept', speechId, video: false },
    'call.resume': { type: 'call.resume', speechId },
    'call.decline': { type: 'call.decline', speechId },
    'call.hangUp': { type: 'call.hangUp', speechId },
    'call.hold': { type: 'call.hold', speechId },
    'call.dtmf': { type: 'call.dtmf', speechId, tone: '1' },
    'call.openDoor': { type: 'call.openDoor', speechId },
    'call.mute': { type: 'call.mute', speechId, on: true },
    'call.volume': { type: 'call.volume', speechId, level: 1 },
    'call.camera': { type: 'call.camera', speechId, on: true },
    'call.transfer': { type: 'call.transfer', speechId, to: '0' },
    'call.connect': { type: 'call.connect', speechId, with: '' },
    'call.silence': { type: 'call.silence', speechId },
    'call.dismiss': { type: 'call.dismiss', speechId },
  };
  return samples[type];
};

const awaited = {
  awaitsOffer: 'offer',
  awaitsAnswer: 'answer',
  awaitsJoin: 'join',
  awaitsHold: 'hold',
  awaitsResume: 'resume',
  awaitsPause: 'pause',
  awaitsStop: 'stop',
  awaitsTransfer: 'transfer',
} as const satisfies Partial<Record<CallTag, CallMirror['awaits']>>;
const doors = { doorSent: 'sent', doorConfirmed: 'confirmed', doorUnconfirmed: 'unconfirmed' } as const satisfies Partial<
  Record<CallTag, CallMirror['door']>
>;
/** What the first tag of a table stands for that a call has. */
const tagged = <T>(call: CallSnapshot, table: Partial<Record<CallTag, T>>): T | undefined =>
  (Object.entries(table) as [CallTag, T][]).find(([tag]) => call.hasTag(tag))?.[1];

/** Who calls whom, and since when: what the card shows as the call holds it. */
const knownOf = ({ speechId, recordId, number, callee, direction, type, sos, video, info, name, group, ...rest }: CallContext) => {
  const { takenBy, takenByName, startedAt, activeAt, endedAt } = rest;
  return { speechId, recordId, number, callee, direction, type, sos, video, info, name, group, takenBy, takenByName, startedAt, activeAt, endedAt };
};

/** A call as its card draws it, made of its state and nothing else. */
export function callMirror(call: CallSnapshot): CallMirror {
  const { context } = call;
  const { speechId, info } = context;
  const { isProgressing, isMuted, volume, hasCamera, isHeldByThem, microphone, path, quality, hears, isHeard } = context;
  const status = callStatuses.find((one) => call.hasTag(one)) ?? 'destroyed';
  return {
    ...knownOf(context),
    status,
    isLookingUp: call.hasTag('lookingUp') && info === null,
    endReason: status === 'destroyed' ? endReason(context) : null,
    refusal: status === 'destroyed' ? context.refusal : null,
    isRinging: call.hasTag('ringing'),
    isSilenced: call.hasTag('silenced'),
    isRecalling: call.hasTag('recalling'),
    isBusy: call.hasTag('busy'),
    awaits: tagged(call, awaited) ?? null,
    isProgressing,
    isMuted,
    volume,
    hasCamera,
    isHeld: call.hasTag('held'),
    isHeldByThem,
    microphone,
    path,
    quality,
    hears,
    isHeard,
    door: tagged(call, doors) ?? 'closed',
    isRejoin: call.hasTag('rejoin'),
    isMine: status === 'processed_paused' && context.hadBy === context.me,
    may: callCommands.filter((command) => call.can(sampleOf(command, speechId))),
  };
}

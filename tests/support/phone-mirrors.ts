import { type CallMirror, emptyMirror, type PhoneMirror } from '#machines/phone/mirror.ts';
import type { RecentCall } from '#machines/phone/ports.ts';
import { uuid } from './people.ts';

/** A moment all stages stand at. */
export const stageNow = Date.parse('2026-11-21T09:30:00.000Z');

/** A call as the phone shows it: a panel that rings, unless said otherwise. */
export const callOf = (more: Partial<CallMirror> = {}): CallMirror => ({
  speechId: uuid(100),
  recordId: uuid(100),
  number: '2001',
  callee: '700',
  direction: 'incoming',
  type: 'awaiting',
  status: 'calling',
  sos: 'no',
  video: false,
  info: { address: 'Tower A, entrance 1', user: null },
  isLookingUp: false,
  name: 'Main gate',
  group: 'Tower A',
  takenBy: null,
  takenByName: null,
  startedAt: stageNow - 12_000,
  activeAt: null,
  endedAt: null,
  endReason: null,
  refusal: null,
  isRinging: true,
  isSilenced: false,
  isRecalling: false,
  isBusy: false,
  awaits: null,
  isProgressing: false,
  isMuted: false,
  volume: 1,
  hasCamera: false,
  isHeld: false,
  isHeldByThem: false,
  microphone: null,
  path: 'connected',
  quality: null,
  hears: true,
  isHeard: true,
  door: 'closed',
  isRejoin: false,
  isMine: false,
  may: ['call.accept', 'call.decline', 'call.silence'],
  ...more,
});
/** A call one talks in. */
export const talk = (more: Partial<CallMirror> = {}): CallMirror =>
  callOf({
    status: 'active',
    isRinging: false,
    isBusy: true,
    activeAt: stageNow - 84_000,
    startedAt: stageNow - 96_000,
    quality: { roundTrip: 24, loss: 0, jitter: 3 },
    may: ['call.hangUp', 'call.hold', 'call.mute', 'call.volume', 'call.dtmf', 'call.transfer', 'call.openDoor', 'call.camera'],
    ...more,
  });
/** A phone on duty that can be heard. */
export const mirrorOf = (more: Partial<PhoneMirror> = {}): PhoneMirror => ({
  ...emptyMirror,
  registration: 'registered',
  sound: 'armed',
  isCurrent: true,
  ...more,
});

/** A call from the main gate that was answered at the desk, so many hours before the stage's now. */
export const pastCall = (hours: number, more: Partial<RecentCall> = {}): RecentCall => ({
  id: uuid(hours),
  from: { number: '2001', name: 'Main gate' },
  to: { number: '1001', name: null },
  status: 'answered',
  direction: 'incoming',
  duration: 63,
  at: stageNow - hours * 3_600_000,
  answeredBy: null,
  sos: false,
  doorOpened: false,
  note: null,
  home: null,
  picture: null,
  ...more,
});

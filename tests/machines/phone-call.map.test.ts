import type { EventFromLogic } from 'xstate';
import { describe } from 'vitest';
import type { CallContext } from '#machines/phone/call/call-facts.ts';
import { callMachine } from '#machines/phone/call/call.machine.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';
import { farBye, invite, normalInvite, speech, waiting } from '#tests/support/phone.ts';

const speechId = speech(1);
const samples = {
  'call.accept': { type: 'call.accept', speechId, video: false },
  'call.resume': { type: 'call.resume', speechId },
  'call.decline': { type: 'call.decline', speechId },
  'call.hangUp': { type: 'call.hangUp', speechId },
  'call.hold': { type: 'call.hold', speechId },
  'call.leave': { type: 'call.leave' },
  'call.dtmf': [
    { type: 'call.dtmf', speechId, tone: '5' },
    { type: 'call.dtmf', speechId, tone: '5\r\n' },
  ],
  'call.openDoor': { type: 'call.openDoor', speechId },
  'call.mute': { type: 'call.mute', speechId, on: true },
  'call.volume': { type: 'call.volume', speechId, level: 0.5 },
  'call.camera': { type: 'call.camera', speechId, on: true },
  'call.transfer': { type: 'call.transfer', speechId, to: '1004' },
  'call.connect': { type: 'call.connect', speechId, with: speech(2), to: '1004' },
  'call.silence': { type: 'call.silence', speechId },
  'call.dismiss': { type: 'call.dismiss', speechId },
  'call.published': [
    { type: 'call.published', at: null, call: waiting(1) },
    { type: 'call.published', at: null, call: waiting(1, { status: 'answered_waiting' }) },
    { type: 'call.published', at: null, call: waiting(1, { status: 'answered', answered_by: '1002' }) },
    { type: 'call.published', at: null, call: waiting(1, { status: 'answered', answered_by: '1001' }) },
    { type: 'call.published', at: null, call: waiting(1, { status: 'destroyed' }) },
    { type: 'call.published', at: null, call: waiting(1, { status: 'destroyed', end_reason: 'transferred' }) },
    { type: 'call.published', at: null, call: waiting(1, { status: 'new' }) },
    { type: 'call.published', at: null, call: waiting(1, { status: 'calling' }) },
  ],
  'call.doorOpened': { type: 'call.doorOpened' },
  'call.gone': { type: 'call.gone' },
  'call.offered': { type: 'call.offered', call: invite(1) },
  'leg.progress': { type: 'leg.progress' },
  'leg.confirmed': { type: 'leg.confirmed', at: 5_000, video: false },
  'leg.held': [
    { type: 'leg.held', by: 'us', on: true },
    { type: 'leg.held', by: 'us', on: false },
    { type: 'leg.held', by: 'them', on: true },
  ],
  'leg.moved': { type: 'leg.moved', number: '1004', name: 'Nora', speechId: speech(2), video: true },
  'leg.holdFailed': { type: 'leg.holdFailed' },
  'leg.path': { type: 'leg.path', state: 'disconnected' },
  'leg.flow': { type: 'leg.flow', incoming: false, outgoing: true },
  'leg.quality': { type: 'leg.quality', quality: { roundTrip: 20, loss: 0, jitter: 1 } },
  'leg.microphone': { type: 'leg.microphone', trouble: 'lost' },
  'leg.camera': { type: 'leg.camera', on: true },
  'leg.transferred': { type: 'leg.transferred' },
  'leg.transferFailed': { type: 'leg.transferFailed' },
  'leg.ended': [
    { type: 'leg.ended', at: 9_000, end: farBye },
    { type: 'leg.ended', at: 9_000, end: { ...farBye, cause: 'answeredElsewhere', takenBy: '1002' } },
    { type: 'leg.ended', at: 9_000, end: { ...farBye, cause: 'refused', status: 404 } },
    { type: 'leg.ended', at: 9_000, end: { ...farBye, cause: 'transport' } },
  ],
  'media.changed': { type: 'media.changed', change: { hears: false } },
  'media.restart': { type: 'media.restart' },
  'media.lost': { type: 'media.lost' },
} satisfies Samples<EventFromLogic<typeof callMachine>>;

describe('one call', () => {
  mapTests(callMachine, {
    inputs: [
      { me: '1001', recallSeconds: 60, origin: 'incoming', call: invite(1) },
      { me: '1001', recallSeconds: 60, origin: 'incoming', call: normalInvite(1) },
      { me: '1001', recallSeconds: 60, origin: 'dialled', speechId, number: '1003', video: false, at: 1_000 },
      { me: '1001', recallSeconds: 60, origin: 'listed', at: null, call: waiting(1, { info: null }) },
      { me: '1001', recallSeconds: 60, origin: 'listed', at: null, call: waiting(1) },
    ],
    samples,
    answers: {
      callLeg: [],
      mediaWatch: [],
      stopCall: [undefined],
      connectCalls: [undefined],
      readCallInfo: [{ address: 'Tower A', user: null }],
    },
    words: ({ context }) => {
      const { type, server, hadBy, me } = context as CallContext;
      const mine = server === 'answered_waiting' && hadBy === me ? ', mine' : '';
      const waits = server !== null && server !== 'answered' && server !== 'destroyed' ? `, kept${mine}` : '';
      return type === 'awaiting' ? `[awaiting${waits}]` : '[normal]';
    },
  });
});

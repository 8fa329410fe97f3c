import { type AnyActorLogic, createActor, type EventFromLogic, SimulatedClock } from 'xstate';
import { describe } from 'vitest';
import { confirmDialog } from '#machines/alerts/dialog.ts';
import { callMirror } from '#machines/phone/call/call-mirror.ts';
import type { CallEvent } from '#machines/phone/call/call.setup.ts';
import { emptyMirror, noDevices } from '#machines/phone/mirror.ts';
import { phoneMachine } from '#machines/phone/phone.machine.ts';
import type { PhoneContext } from '#machines/phone/phone-types.ts';
import { topics } from '#models/realtime.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';
import { callPorts, concierge, invite, normalInvite, phoneParts, speech, waiting } from '#tests/support/phone.ts';

const [one, two] = [speech(1), speech(2)];
const requester = createActor(phoneMachine, { input: { person: concierge } });
const topic = topics.calls('700');

/** A call as it stands after these events. */
function standing(number: number, events: readonly CallEvent[]) {
  const actor = createActor(callPorts().call, {
    input: { me: '1001', recallSeconds: 60, origin: 'incoming', call: normalInvite(number) },
    clock: new SimulatedClock(),
  });
  actor.start();
  for (const event of events) actor.send(event);
  return actor.getSnapshot();
}
const accept: CallEvent = { type: 'call.accept', speechId: one, video: false };
const ringing = standing(2, []);
const panel: CallEvent = { type: 'call.published', at: null, call: waiting(1, { status: 'answered', answered_by: '1001' }) };
const talking = standing(1, [accept, { type: 'leg.confirmed', at: 5_000, video: false }, panel]);
const over = standing(1, [{ type: 'call.decline', speechId: one }]);
const paused = createActor(callPorts().call, {
  input: { me: '1001', recallSeconds: 60, origin: 'listed', at: null, call: waiting(2, { status: 'answered_waiting' }) },
}).getSnapshot();
const snapshotOf = (logic: AnyActorLogic, input: object) => createActor(logic, { input }).getSnapshot() as unknown;
const parts = phoneParts();
const [registration, waitingCalls, ringer] = [
  snapshotOf(parts.machine.implementations.actors.registration as AnyActorLogic, { number: '1001' }),
  snapshotOf(parts.machine.implementations.actors.waitingCalls as AnyActorLogic, { number: '1001', isDesk: false }),
  snapshotOf(parts.machine.implementations.actors.ringer as AnyActorLogic, {}),
];

const samples = {
  'phone.dial': [
    { type: 'phone.dial', number: '1004', video: false, speechId: speech(3), at: 1 },
    { type: 'phone.dial', number: '1001', video: false, speechId: speech(3), at: 1 },
  ],
  'call.accept': { type: 'call.accept', speechId: two, video: false },
  'call.resume': { type: 'call.resume', speechId: two },
  'call.decline': { type: 'call.decline', speechId: two },
  'call.hangUp': { type: 'call.hangUp', speechId: one },
  'call.hold': { type: 'call.hold', speechId: one },
  'call.dtmf': { type: 'call.dtmf', speechId: one, tone: '5' },
  'call.openDoor': { type: 'call.openDoor', speechId: one },
  'call.mute': { type: 'call.mute', speechId: one, on: true },
  'call.volume': { type: 'call.volume', speechId: one, level: 1 },
  'call.camera': { type: 'call.camera', speechId: one, on: true },
  'call.transfer': { type: 'call.transfer', speechId: one, to: '1004' },
  'call.connect': { type: 'call.connect', speechId: one, with: two },
  'call.silence': { type: 'call.silence', speechId: two },
  'call.dismiss': { type: 'call.dismiss', speechId: one },
  'call.holdFailed': { type: 'call.holdFailed', speechId: one },
  'phone.register': { type: 'phone.register' },
  'phone.unregister': { type: 'phone.unregister' },
  'phone.signOut': { type: 'phone.signOut', everywhere: false },
  'ringer.arm': { type: 'ringer.arm' },
  'ringer.test': { type: 'ringer.test', tone: 'call' },
  'headset.open': { type: 'headset.open' },
  'headset.changed': { type: 'headset.changed', name: 'Voyager' },
  'headset.pressed': [
    { type: 'headset.pressed', button: 'hook', on: true },
    { type: 'headset.pressed', button: 'hook', on: false },
  ],
  'devices.choose': { type: 'devices.choose', kind: 'speaker', id: null },
  'devices.listed': { type: 'devices.listed', list: noDevices },
  'person.changed': [
    { type: 'person.changed', person: concierge },
    { type: 'person.changed', person: null },
  ],
  'line.granted': [
    { type: 'line.granted', command: { type: 'phone.dial', number: '1004', video: false, speechId: speech(3), at: 1 } },
    { type: 'line.granted', command: { type: 'call.accept', speechId: two, video: false, over: { speechId: one, how: 'hold' } } },
  ],
  'dialog.answered': [
    { type: 'dialog.answered', id: 'dialog:1', action: 'approve', about: 'phone.line' },
    { type: 'dialog.answered', id: 'dialog:1', action: 'cancel', about: 'phone.line' },
    { type: 'dialog.answered', id: 'dialog:1', action: 'approve', about: 'phone.signOut' },
  ],
  'seat.taken': { type: 'seat.taken' },
  'seat.left': { type: 'seat.left' },
  'tabs.greeted': { type: 'tabs.greeted' },
  'tabs.commanded': { type: 'tabs.commanded', command: { type: 'call.hangUp', speechId: one } },
  'tabs.mirrored': [
    { type: 'tabs.mirrored', mirror: { ...emptyMirror, registration: 'registered', calls: [callMirror(talking), callMirror(ringing)] } },
    { type: 'tabs.mirrored', mirror: { ...emptyMirror, registration: 'registered', calls: [callMirror(over), callMirror(paused)] } },
    {
      type: 'tabs.mirrored',
      mirror: { ...emptyMirror, registration: 'registered', calls: [callMirror(talking), { ...callMirror(ringing), sos: 'yes' }] },
    },
  ],
  'sip.incoming': { type: 'sip.incoming', call: invite(2) },
  'sip.refuse': { type: 'sip.refuse', sipId: 'sip1' },
  'waiting.published': { type: 'waiting.published', call: waiting(1) },
  'waiting.read': { type: 'waiting.read', calls: [waiting(1), waiting(2)], at: null, recallSeconds: 60 },
  'waiting.doorOpened': { type: 'waiting.doorOpened', speechId: one },
  'waiting.stale': { type: 'waiting.stale' },
  'realtime.events': { type: 'realtime.events', events: [{ topic, name: 'CallUpdated', payload: { call: waiting(1) } }] },
  'realtime.resynced': { type: 'realtime.resynced', topics: [topic] },
  'realtime.gap': { type: 'realtime.gap', asOf: null },
  'notifier.pressed': { type: 'notifier.pressed', speechId: one },
  'alert.show': { type: 'alert.show', alert: { kind: 'info', key: 'interface.done' } },
  'dialog.ask': {
    type: 'dialog.ask',
    dialog: confirmDialog({ text: { key: 'interface.leave_question' }, approve: { key: 'interface.leave' }, about: 'leave', replyTo: requester }),
  },
  'dialog.withdraw': { type: 'dialog.withdraw', actorIds: ['requester'] },
  'topics.want': { type: 'topics.want', owner: 'phone', topics: [topic] },
  'sound.hush': { type: 'sound.hush', on: true },
} satisfies Samples<EventFromLogic<typeof phoneMachine>>;

describe('the phone', () => {
  mapTests(phoneMachine, {
    inputs: [{ person: concierge }],
    samples,
    answers: {
      tabs: [],
      interception: [],
      door: [],
      contacts: [],
      recents: [],
      keypad: [],
      selfTest: [],
      registration: [],
      waitingCalls: [],
      ringer: [],
      notifier: [],
      mediaDevices: [],
      headset: [],
    },
    children: [
      { type: `xstate.snapshot.call:${one}`, snapshot: talking },
      { type: `xstate.snapshot.call:${two}`, snapshot: ringing },
      { type: `xstate.snapshot.call:${one}`, snapshot: over },
      { type: `xstate.snapshot.call:${two}`, snapshot: paused },
      { type: 'xstate.snapshot.registration', snapshot: registration },
      { type: 'xstate.snapshot.waitingCalls', snapshot: waitingCalls },
      { type: 'xstate.snapshot.ringer', snapshot: ringer },
      { type: `xstate.done.actor.call:${one}`, actorId: `call:${one}` },
      { type: `xstate.error.actor.call:${one}`, actorId: `call:${one}`, error: { code: 'internal' } },
    ],
    words: ({ context }) => {
      const { mirror, known, pending } = context as PhoneContext;
      const calls = mirror.calls.map(({ status, isRinging, sos }) => (isRinging ? (sos === 'no' ? 'ringing' : 'SOS ringing') : status));
      return `[${[mirror.registration, ...(known.length > 1 ? ['known'] : []), ...calls, ...(pending ? [mirror.calls.some(({ speechId, sos }) => speechId === pending.speechId && sos === 'yes') ? 'SOS pending' : 'one pending'] : [])].join(', ')}]`;
    },
  });
});

import { constants } from '#models/constants.ts';
import { errorAlert } from '#machines/alert-requests.ts';
import { callSetup } from './call.setup.ts';
import { destroyed, endBy, ended, endsIt, hangUp, heldStates, isHandedOn, storeEnd, listed, mute, noteHandedOn, take, volume } from './call-steps.ts';

type Held = { event: { by: 'us' | 'them'; on: boolean } };
const myHold = (wanted: boolean) => ({ type: 'isMyHold', params: ({ event }: Held) => ({ ...event, wanted }) }) as const;
const holdFailed = {
  type: 'notify',
  params: ({ context }: { context: { speechId: string } }) => ({
    facts: [errorAlert('phone.hold_failed'), { type: 'call.holdFailed', speechId: context.speechId }] as const,
  }),
} as const;

/** Talk, from its confirmation on: hold as agreed with the far side, the door, transfer; a watch over the media beside. */
export const talkState = callSetup.createStateConfig({
  type: 'parallel',
  invoke: { id: 'mediaWatch', src: 'mediaWatch', onError: { actions: [] } },
  on: {
    'call.hangUp': hangUp,
    // An awaiting call is never ended for all by another one that is more important.
    'call.leave': [
      { guard: 'isAwaiting', target: '#call.life.session.pausing' },
      { target: destroyed, actions: endBy('hungUp') },
    ],
    'call.mute': { actions: mute },
    'call.volume': { actions: volume },
    'call.camera': { actions: { type: 'command', params: ({ event }) => ({ type: 'leg.camera', on: event.on }) } },
    'call.dtmf': {
      guard: { type: 'isTone', params: ({ event }) => event },
      actions: {
        type: 'command',
        params: ({ event }) => ({ type: 'leg.dtmf', tone: event.tone, duration: constants.dtmfGeneric }),
      },
    },
    'call.published': [{ guard: isHandedOn, actions: noteHandedOn }, { guard: endsIt, target: destroyed, actions: take }, { actions: take }],
    'leg.held': {
      guard: { type: 'isTheirs', params: ({ event }) => event },
      actions: { type: 'noteHeldByThem', params: ({ event }) => event },
    },
    'leg.quality': { actions: { type: 'noteQuality', params: ({ event }) => event } },
    'leg.path': { actions: { type: 'passToWatch', params: ({ event }) => event } },
    'leg.flow': { actions: { type: 'passToWatch', params: ({ event }) => event } },
    'media.changed': { actions: { type: 'noteMedia', params: ({ event }) => event } },
    'media.restart': { actions: { type: 'command', params: { type: 'leg.restartIce' } } },
    'media.lost': [
      { guard: 'isAwaiting', target: listed, actions: { type: 'notify', params: { facts: [errorAlert('phone.media_lost')] } } },
      { target: destroyed, actions: endBy('mediaLost') },
    ],
    'leg.ended': [
      { guard: ended('goesBack'), target: listed, actions: storeEnd },
      { target: destroyed, actions: storeEnd },
    ],
  },
  states: {
    hold: {
      initial: 'free',
      states: {
        free: {
          tags: ['active', 'busy'],
          on: { 'call.hold': [{ guard: 'isAwaiting', target: '#call.life.session.pausing' }, { target: 'asking' }] },
        },
        asking: {
          tags: ['active', 'busy', 'awaitsHold'],
          entry: { type: 'command', params: { type: 'leg.hold', on: true } },
          after: { holdTimeout: { target: 'free', actions: [{ type: 'command', params: { type: 'leg.hold', on: false } }, holdFailed] } },
          on: {
            'leg.held': [
              { guard: myHold(true), target: 'held' },
              { guard: { type: 'isTheirs', params: ({ event }) => event }, actions: { type: 'noteHeldByThem', params: ({ event }) => event } },
            ],
            'leg.holdFailed': { target: 'free', actions: holdFailed },
          },
        },
        held: { tags: ['paused', 'held'], on: { 'call.resume': { target: 'resuming' } }, ...heldStates },
        resuming: {
          tags: ['paused', 'held', 'busy', 'awaitsResume'],
          entry: { type: 'command', params: { type: 'leg.hold', on: false } },
          after: { holdTimeout: { target: 'held', actions: holdFailed } },
          on: {
            'leg.held': [
              { guard: myHold(false), target: 'free' },
              { guard: { type: 'isTheirs', params: ({ event }) => event }, actions: { type: 'noteHeldByThem', params: ({ event }) => event } },
            ],
            'leg.holdFailed': { target: 'held', actions: holdFailed },
          },
        },
      },
    },
    door: {
      initial: 'closed',
      // The device itself has said so, whoever asked it to.
      on: { 'call.openDoor': { guard: 'mayOpenDoor', target: '.sent' }, 'call.doorOpened': { target: '.confirmed' } },
      states: {
        closed: {},
        sent: {
          tags: 'doorSent',
          entry: { type: 'command', params: { type: 'leg.dtmf', tone: '#', duration: constants.dtmfOpenDoor } },
          after: { doorTimeout: 'unconfirmed' },
        },
        confirmed: { tags: 'doorConfirmed', after: { doorOutcomeTime: 'closed' } },
        unconfirmed: { tags: 'doorUnconfirmed', after: { doorOutcomeTime: 'closed' } },
      },
    },
    transfer: {
      initial: 'none',
      states: {
        none: {
          on: {
            'call.transfer': {
              guard: { type: 'isNumber', params: ({ event }) => event },
              target: 'referring',
              actions: { type: 'command', params: ({ event }) => ({ type: 'leg.refer', to: event.to, replaces: null }) },
            },
            'call.connect': {
              target: 'referring',
              actions: { type: 'command', params: ({ event }) => ({ type: 'leg.refer', to: event.to ?? '', replaces: event.with }) },
            },
          },
        },
        referring: {
          tags: 'awaitsTransfer',
          after: { transferTimeout: { target: 'none', actions: { type: 'notify', params: { facts: [errorAlert('phone.transfer_failed')] } } } },
          on: {
            'leg.transferred': { target: destroyed, actions: endBy('transferred') },
            'leg.transferFailed': { target: 'none', actions: { type: 'notify', params: { facts: [errorAlert('phone.transfer_failed')] } } },
          },
        },
      },
    },
  },
});

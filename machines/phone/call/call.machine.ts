// Keeps in order: one call at this desk, from the first ring or word of the server to five seconds after its end.
// Spawned by: phone, as call:<speechId>, in the tab that owns the phone.
// Asks (ports): callLeg (lasting), stopCall, readCallInfo.
// Tells (facts): sip.refuse, waiting.stale, call.holdFailed; requests for alerts. Its mirror is `callMirror`.
import type { SnapshotFrom } from 'xstate';
import type { ServerCallStatus } from '#models/call.ts';
import { timedOut } from '#machines/port.ts';
import { errorAlert, problemAlert } from '#machines/alert-requests.ts';
import { beginning } from './call-facts.ts';
import { callSetup, farewell } from './call.setup.ts';
import { destroyed, endBy, ended, endsIt, giveBack, heldStates, storeEnd, listed, mute, take, talk, volume } from './call-steps.ts';
import { talkState } from './call-talk.ts';

const answer = { 'call.accept': { target: '#call.life.accepting' } } as const;
const connect = { 'call.connect': { guard: 'isMine', target: '#call.life.listed.connecting' } } as const;
const resume = { 'call.resume': { target: '#call.life.session.joining' } } as const;
const notConnected = { type: 'notify', params: { facts: [errorAlert('phone.connect_failed')] } } as const;
/** It is this desk that asks for the call: the person wants it now, or has wanted it until the server told that it waits. */
const joins = ({ type }: { type: string }): boolean => type === 'call.accept' || type === 'call.resume' || type === 'call.published';
const server = (status: ServerCallStatus) => ({ type: 'isServer', params: { status } }) as const;

/** One call (clauses CALL-01 to CALL-17). A state's status is its tag; states of a session hold a leg, listed ones do not. */
export const callMachine = callSetup.createMachine({
  id: 'call',
  context: ({ input }) => beginning(input),
  type: 'parallel',
  states: {
    life: {
      initial: 'deciding',
      states: {
        deciding: {
          always: [{ guard: 'isIncoming', target: 'session.ringing' }, { guard: 'isDialled', target: 'session.calling' }, { target: 'listed' }],
        },
        /** The server has it; nothing of it is at this desk. */
        listed: {
          initial: 'sorting',
          on: {
            'call.published': [
              { guard: { type: 'standsThere', params: ({ event }) => event }, actions: take },
              { target: '.sorting', actions: take },
            ],
            'call.gone': { target: 'destroyed' },
            'call.offered': { target: 'session.ringing', actions: { type: 'takeOffer', params: ({ event }) => event } },
            'call.hangUp': { target: 'stopping' },
          },
          states: {
            sorting: {
              always: [
                { guard: 'isTaken', target: destroyed },
                { guard: server('destroyed'), target: destroyed },
                { guard: server('answered'), target: 'rejoin' },
                { guard: 'isLeft', target: 'left' },
                { guard: server('answered_waiting'), target: 'processed_paused' },
                { guard: server('new'), target: 'new' },
                { guard: server('calling'), target: 'calling' },
                { target: 'paused' },
              ],
            },
            new: { tags: 'new', on: answer },
            calling: { tags: 'calling', on: answer },
            paused: { tags: 'paused', on: answer },
            processed_paused: { tags: 'processed_paused', on: { ...resume, ...connect }, ...heldStates },
            /** I was in it before this page was loaded; since then it is on hold. */
            left: { tags: ['processed_paused', 'rejoin'], on: { ...resume, ...connect }, ...heldStates },
            /** It is to go on with the one I talk with in another call: no leg of mine is in it, so the server is asked. */
            connecting: {
              tags: ['processed_paused', 'awaitsTransfer'],
              invoke: {
                id: 'connectCalls',
                src: 'connectCalls',
                input: ({ context, event }) => ({
                  speechId: context.recordId,
                  with: event.type === 'call.connect' ? (event.record ?? event.with) : '',
                }),
                onDone: { target: destroyed, actions: endBy('transferred') },
                onError: { target: 'sorting', actions: notConnected },
              },
              after: { answerTimeout: { target: 'sorting', actions: notConnected } },
              // The visitor is not sent away while that is decided.
              on: { 'call.hangUp': {} },
            },
            /** I was in it when page or connection went. */
            rejoin: { tags: ['processed_paused', 'rejoin'], on: resume },
          },
        },
        /** Answered before the server can be asked for it: it is joined as soon as it waits, or answered as soon as it rings here. */
        accepting: {
          tags: ['new', 'busy', 'awaitsOffer'],
          always: [
            { guard: 'isTaken', target: destroyed },
            { guard: server('destroyed'), target: destroyed },
            { guard: server('answered'), target: listed },
            { guard: 'mayJoin', target: 'session.joining' },
          ],
          on: {
            'call.published': { actions: take },
            'call.gone': { target: 'destroyed' },
            'call.offered': { target: 'session.answering', actions: { type: 'takeOffer', params: ({ event }) => event } },
            'call.hangUp': { target: 'listed' },
            'call.leave': { target: 'listed' },
          },
          after: { confirmTimeout: { target: listed, actions: { type: 'notify', params: { facts: [errorAlert('phone.join_failed')] } } } },
        },
        session: {
          initial: 'ringing',
          invoke: {
            id: 'callLeg',
            src: 'callLeg',
            input: ({ context: { speechId, video, callee, number, origin, sipId }, event }) => {
              if (joins(event)) return { kind: 'join', speechId, video, number: callee };
              if (origin === 'dialled') return { kind: 'dial', speechId, video, number };
              return { kind: 'incoming', speechId, video, sipId: sipId ?? '' };
            },
            onError: {
              target: 'destroyed',
              actions: [endBy('connectionLost'), { type: 'notify', params: ({ event }) => ({ facts: [problemAlert(event.error)] }) }],
            },
          },
          exit: { type: 'sayGoodbye', params: ({ event }) => ({ command: farewell(event) }) },
          on: {
            'call.published': [{ guard: endsIt, target: 'destroyed', actions: take }, { actions: take }],
            'call.offered': { actions: { type: 'notify', params: ({ event }) => ({ facts: [{ type: 'sip.refuse', sipId: event.call.sipId }] }) } },
            'leg.microphone': { actions: { type: 'noteMicrophone', params: ({ event }) => event } },
            'leg.camera': { actions: { type: 'noteCamera', params: ({ event }) => event } },
            'leg.ended': { target: 'destroyed', actions: storeEnd },
          },
          states: {
            ringing: {
              tags: ['new', 'ringing'],
              initial: 'loud',
              after: {
                ringTimeout: [
                  { guard: 'stillWaits', target: listed },
                  { target: destroyed, actions: endBy('noAnswer') },
                ],
              },
              on: {
                'call.accept': { target: 'answering' },
                'call.decline': [
                  { guard: 'isAwaiting', target: listed },
                  { target: destroyed, actions: endBy('declined') },
                ],
                'call.published': [
                  { guard: endsIt, target: destroyed, actions: take },
                  { guard: { type: 'isAnswered', params: ({ event }) => event }, target: destroyed, actions: take },
                  { actions: take },
                ],
                'leg.ended': [
                  { guard: ended('isElsewhere'), target: destroyed, actions: storeEnd },
                  { guard: 'stillWaits', target: listed, actions: storeEnd },
                  { target: destroyed, actions: storeEnd },
                ],
              },
              states: {
                loud: { on: { 'call.silence': { target: 'silenced' } } },
                silenced: { tags: 'silenced' },
              },
            },
            answering: {
              tags: ['new', 'busy', 'awaitsAnswer'],
              entry: { type: 'command', params: ({ event }) => ({ type: 'leg.answer', video: event.type === 'call.accept' && event.video }) },
              after: {
                confirmTimeout: [
                  { guard: 'stillWaits', target: listed },
                  { target: destroyed, actions: endBy('connectionLost') },
                ],
              },
              on: {
                'leg.confirmed': talk,
                'call.hangUp': giveBack,
                'call.leave': giveBack,
                'call.mute': { actions: mute },
                'leg.ended': [
                  { guard: ended('isElsewhere'), target: destroyed, actions: storeEnd },
                  { guard: 'stillWaits', target: listed, actions: storeEnd },
                  { target: destroyed, actions: storeEnd },
                ],
              },
            },
            calling: {
              tags: ['calling', 'busy'],
              after: { dialTimeout: { target: destroyed, actions: endBy('noAnswer') } },
              on: {
                'leg.progress': { actions: 'noteProgress' },
                'leg.confirmed': talk,
                'call.hangUp': { target: destroyed, actions: endBy('cancelled') },
                'call.leave': { target: destroyed, actions: endBy('cancelled') },
                'call.mute': { actions: mute },
                'call.volume': { actions: volume },
              },
            },
            joining: {
              tags: ['joining', 'busy', 'awaitsJoin'],
              after: { confirmTimeout: { target: listed, actions: { type: 'notify', params: { facts: [errorAlert('phone.join_failed')] } } } },
              on: {
                'leg.confirmed': talk,
                'call.hangUp': { target: listed },
                'call.leave': { target: listed },
                'call.mute': { actions: mute },
                'leg.ended': [
                  { guard: ended('isElsewhere'), target: destroyed, actions: storeEnd },
                  {
                    guard: ended('stillThere'),
                    target: listed,
                    actions: [storeEnd, { type: 'notify', params: { facts: [errorAlert('phone.join_failed'), { type: 'waiting.stale' }] } }],
                  },
                  { target: destroyed, actions: storeEnd },
                ],
              },
            },
            up: talkState,
            /** The leg ends, the call goes on waiting at the server (clauses CALL-08, CALL-11). */
            pausing: {
              tags: ['active', 'busy', 'awaitsPause'],
              entry: { type: 'command', params: { type: 'leg.hangUp' } },
              after: { pauseTimeout: { target: listed, actions: 'notePaused' } },
              on: {
                'call.hangUp': { target: '#call.life.stopping' },
                'leg.ended': { target: listed, actions: 'notePaused' },
              },
            },
          },
        },
        /** It is to be over for everybody: the server is asked (clause CALL-17). */
        stopping: {
          tags: ['destroyed', 'awaitsStop'],
          entry: endBy('stopped'),
          on: { 'call.published': [{ guard: endsIt, target: 'destroyed', actions: take }, { actions: take }] },
          invoke: {
            id: 'stopCall',
            src: 'stopCall',
            input: ({ context }) => ({ speechId: context.speechId }),
            onDone: { target: 'destroyed' },
            onError: {
              target: 'destroyed',
              actions: { type: 'notify', params: ({ event }) => ({ facts: [problemAlert(event.error), { type: 'waiting.stale' }] }) },
            },
          },
          after: {
            answerTimeout: {
              target: 'destroyed',
              actions: { type: 'notify', params: { facts: [problemAlert(timedOut), { type: 'waiting.stale' }] } },
            },
          },
        },
        destroyed: {
          tags: 'destroyed',
          after: { destroyedStays: 'gone' },
          on: {
            'call.dismiss': { target: 'gone' },
            'call.published': [
              { guard: { type: 'waitsAgain', params: ({ event }) => event }, target: 'listed', actions: ['forgetEnd', take] },
              { actions: take },
            ],
            'call.offered': { target: 'session.ringing', actions: { type: 'takeOffer', params: ({ event }) => event } },
          },
        },
        gone: { type: 'final' },
      },
    },
    who: {
      initial: 'deciding',
      on: { 'leg.moved': { target: '.looking', actions: { type: 'takePeer', params: ({ event }) => event } } },
      states: {
        deciding: { always: [{ guard: 'isKnown', target: 'known' }, { target: 'looking' }] },
        looking: {
          tags: 'lookingUp',
          invoke: {
            id: 'readCallInfo',
            src: 'readCallInfo',
            input: ({ context }) => ({ number: context.number }),
            onDone: { target: 'known', actions: { type: 'storeInfo', params: ({ event }) => ({ info: event.output }) } },
            onError: { target: 'unknown' },
          },
          after: { lookupTimeout: 'unknown' },
          // Nobody asks any more: the call goes with its card.
          always: { guard: 'isGone', target: 'unknown' },
        },
        known: { type: 'final' },
        unknown: { type: 'final' },
      },
    },
  },
});
export type CallSnapshot = SnapshotFrom<typeof callMachine>;

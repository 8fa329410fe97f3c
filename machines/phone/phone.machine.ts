// Keeps in order: the whole phone: which tab owns it, its calls, and that only one of them is active.
// Spawned by: console, as systemId phone, once the port loadPhone has fetched its code; while the person may have one (phone-of.ts).
// Asks (ports): notifier, mediaDevices, headset (lasting); its children ask the rest.
// Tells (facts): desk.busy, desk.quiet, phone.shown, phone.retired, session.signOut, session.signOutEverywhere, sound.hush, topics.want; requests for alerts.
import type { ActorRefFrom } from 'xstate';
import { constants } from '#models/constants.ts';
import { errorAlert, problemAlert } from '../alert-requests.ts';
import type { CallCommand, PhoneCommand } from './commands.ts';
import { emptyMirror } from './mirror.ts';
import { choiceState } from './phone-choice.ts';
import { phoneSetup } from './phone.setup.ts';
import { beginningsOf, changed, deskOf, type PhoneContext } from './phone-types.ts';

type Commanded = { event: CallCommand };
const mayDo = { type: 'mayDo', params: ({ event }: Commanded) => ({ command: event }) } as const;
/** The owner does it; any other tab asks the owner. */
const doIt = { guard: mayDo, actions: { type: 'forward', params: ({ event }: Commanded) => ({ command: event }) } } as const;
const askOwner = { type: 'passToTabs', params: ({ event }: { event: PhoneCommand }) => ({ command: event }) } as const;
const askIt = { guard: mayDo, actions: askOwner } as const;
const pass = { actions: askOwner } as const;
const usePending = { type: 'useLine', params: ({ context }: { context: PhoneContext }) => ({ command: context.pending }) } as const;
const lineTaken = { type: 'notify', params: { facts: [errorAlert('phone.line_taken')] } } as const;
const broken = { type: 'notify', params: ({ event }: { event: { error: unknown } }) => ({ facts: [problemAlert(event.error)] }) } as const;

/**
 * The phone of one number. Views draw `context.mirror`, the same in every tab, and send the phone PhoneCommands; what is enabled is what
 * `can()` allows, or a call's `may`. Keypad, contacts, recents, door, interception and self test are its children, in every tab.
 */
export const phoneMachine = phoneSetup.createMachine({
  id: 'phone',
  context: ({ input }) => ({
    person: input.person,
    isOutdated: false,
    mirror: emptyMirror,
    pending: null,
    known: [],
    recallSeconds: constants.recallSeconds,
    signsOutEverywhere: false,
  }),
  type: 'parallel',
  invoke: [
    { id: 'tabs', src: 'tabs', input: ({ context }) => ({ number: context.person.number }), onError: { actions: broken } },
    {
      id: 'interception',
      src: 'interception',
      input: ({ context }) => ({ isPermitted: context.person.mayIntercept }),
      onError: { actions: broken },
    },
    { id: 'door', src: 'door', onError: { actions: broken } },
    { id: 'contacts', src: 'contacts', onError: { actions: broken } },
    { id: 'recents', src: 'recents', input: ({ context }) => ({ number: context.person.number }), onError: { actions: broken } },
    { id: 'keypad', src: 'keypad', input: ({ context }) => ({ number: context.person.number }), onError: { actions: broken } },
    { id: 'selfTest', src: 'selfTest', onError: { actions: broken } },
  ],
  on: {
    'phone.signOut': [
      { guard: 'isLive', actions: { type: 'askToSignOut', params: ({ event }) => event } },
      { actions: { type: 'signOut', params: ({ event }) => event } },
    ],
    'dialog.answered': {
      guard: { type: 'approves', params: ({ event }) => event },
      actions: { type: 'signOut', params: ({ context }) => ({ everywhere: context.signsOutEverywhere }) },
    },
    'alert.show': { actions: { type: 'notify', params: ({ event }) => ({ facts: [event] }) } },
    'dialog.ask': { actions: { type: 'notify', params: ({ event }) => ({ facts: [event] }) } },
    'dialog.withdraw': { actions: { type: 'notify', params: ({ event }) => ({ facts: [event] }) } },
    'topics.want': { actions: { type: 'notify', params: ({ event }) => ({ facts: [event] }) } },
    'sound.hush': { actions: { type: 'notify', params: ({ event }) => ({ facts: [event] }) } },
  },
  states: {
    seat: {
      initial: 'away',
      states: {
        /** Another tab owns the phone, or it is not yet known which: this one draws what that one shows. */
        away: {
          on: {
            'seat.taken': { target: 'owner' },
            'tabs.mirrored': { actions: { type: 'follow', params: ({ event }) => event } },
            'line.granted': { actions: [{ type: 'passToTabs', params: ({ event }) => event }, 'forgetPending'] },
            'person.changed': { actions: [{ type: 'takePerson', params: ({ event }) => event }, 'permit'] },
            'call.decline': askIt,
            'call.hangUp': askIt,
            'call.hold': askIt,
            'call.dtmf': askIt,
            'call.openDoor': askIt,
            'call.mute': askIt,
            'call.volume': askIt,
            'call.camera': askIt,
            'call.transfer': askIt,
            'call.connect': askIt,
            'call.silence': askIt,
            'call.dismiss': askIt,
            'phone.register': pass,
            'phone.unregister': pass,
            'ringer.arm': pass,
            'ringer.test': pass,
            'devices.choose': pass,
            'headset.open': pass,
          },
        },
        owner: {
          tags: 'owner',
          entry: 'clearDesk',
          exit: [
            'stopCalls',
            {
              type: 'notify',
              params: {
                facts: [
                  { type: 'topics.want', owner: 'phone', topics: [] },
                  { type: 'sound.hush', on: false },
                ],
              },
            },
          ],
          invoke: [
            {
              id: 'registration',
              src: 'registration',
              input: ({ context }) => ({ number: context.person.number }),
              onSnapshot: { actions: { type: 'mirror', params: ({ context, event }) => ({ next: changed.registration(context, event.snapshot) }) } },
              onError: { actions: broken },
            },
            {
              id: 'waitingCalls',
              src: 'waitingCalls',
              input: ({ context }) => ({ number: context.person.number, isDesk: context.person.isDesk }),
              onSnapshot: {
                actions: { type: 'mirror', params: ({ context, event }) => ({ next: changed.current(context, event.snapshot.hasTag('current')) }) },
              },
              onError: { actions: broken },
            },
            {
              id: 'ringer',
              src: 'ringer',
              onSnapshot: { actions: { type: 'mirror', params: ({ context, event }) => ({ next: changed.sound(context, event.snapshot) }) } },
              onError: { actions: broken },
            },
            // Where nothing can be shown outside of the page, it is shown in it all the same; without a list of devices the system chooses.
            { id: 'notifier', src: 'notifier', onError: { actions: [] } },
            { id: 'mediaDevices', src: 'mediaDevices', onError: { actions: [] } },
            { id: 'headset', src: 'headset', onError: { actions: [] } },
          ],
          on: {
            'seat.left': { target: 'away' },
            'tabs.greeted': { actions: 'showAgain' },
            'tabs.commanded': { actions: { type: 'obey', params: ({ event }) => event } },
            'person.changed': { actions: [{ type: 'takePerson', params: ({ event }) => event }, 'permit', 'relearn'] },
            'realtime.events': { actions: { type: 'passToWaiting', params: ({ event }) => event } },
            'realtime.resynced': { actions: { type: 'passToWaiting', params: ({ event }) => event } },
            'realtime.gap': { actions: { type: 'passToWaiting', params: ({ event }) => event } },
            'sip.incoming': {
              actions: [
                { type: 'offerCall', params: ({ event }) => event },
                {
                  type: 'begin',
                  params: ({ context, event: { call } }) => ({
                    beginnings: [{ speechId: call.speechId, input: { ...deskOf(context), origin: 'incoming', call } }],
                  }),
                },
              ],
            },
            'waiting.published': {
              actions: [
                { type: 'notifyCall', params: ({ event }) => event },
                { type: 'begin', params: ({ context, event }) => ({ beginnings: beginningsOf(context, { calls: [event.call], at: null }) }) },
              ],
            },
            'waiting.read': {
              actions: [
                { type: 'storeRecall', params: ({ event }) => event },
                { type: 'notifyRead', params: ({ event }) => event },
                { type: 'begin', params: ({ context, event }) => ({ beginnings: beginningsOf(context, event) }) },
              ],
            },
            'waiting.doorOpened': { actions: { type: 'notifyDoor', params: ({ event }) => event } },
            'waiting.stale': { actions: 'rereadWaiting' },
            'sip.refuse': { actions: { type: 'passToRegistration', params: ({ event }) => event } },
            'devices.listed': { actions: { type: 'mirror', params: ({ context, event }) => ({ next: { ...context.mirror, devices: event.list } }) } },
            'headset.changed': {
              actions: { type: 'mirror', params: ({ context, event }) => ({ next: { ...context.mirror, headset: event.name } }) },
            },
            'headset.pressed': { actions: { type: 'press', params: ({ event }) => event } },
            'notifier.pressed': {
              actions: { type: 'notify', params: ({ event }) => ({ facts: [{ type: 'phone.shown', speechId: event.speechId }] }) },
            },
            'xstate.snapshot.*': {
              guard: { type: 'isKnown', params: ({ event }) => event },
              actions: { type: 'mirror', params: ({ context, event }) => ({ next: changed.call(context, event.snapshot) }) },
            },
            'xstate.done.actor.*': {
              guard: { type: 'isCall', params: ({ event }) => event },
              actions: [
                { type: 'mirror', params: ({ context, event }) => ({ next: changed.ended(context, event.actorId) }) },
                { type: 'dropCall', params: ({ event }) => event },
                'outdateRecents',
              ],
            },
            'xstate.error.actor.*': {
              guard: { type: 'isCall', params: ({ event }) => event },
              actions: [
                { type: 'mirror', params: ({ context, event }) => ({ next: changed.ended(context, event.actorId) }) },
                { type: 'dropCall', params: ({ event }) => event },
                broken,
              ],
            },
            'call.decline': doIt,
            'call.hangUp': doIt,
            'call.hold': doIt,
            'call.dtmf': doIt,
            'call.openDoor': doIt,
            'call.mute': doIt,
            'call.volume': doIt,
            'call.camera': doIt,
            'call.transfer': doIt,
            'call.connect': doIt,
            'call.silence': doIt,
            'call.dismiss': doIt,
            'phone.register': { actions: { type: 'passToRegistration', params: ({ event }) => event } },
            'phone.unregister': { actions: { type: 'passToRegistration', params: ({ event }) => event } },
            'ringer.arm': { actions: { type: 'passToRinger', params: ({ event }) => event } },
            'ringer.test': { actions: { type: 'passToRinger', params: ({ event }) => event } },
            'headset.open': { actions: { type: 'passToHeadset', params: ({ event }) => event } },
            'devices.choose': { actions: { type: 'passToDevices', params: ({ event }) => event } },
          },
          initial: 'free',
          states: {
            free: {
              on: {
                'line.granted': [
                  { guard: { type: 'isLineFree', params: ({ event }) => event }, actions: { type: 'useLine', params: ({ event }) => event } },
                  {
                    guard: { type: 'isAgreed', params: ({ event }) => event },
                    target: 'clearing',
                    actions: [
                      { type: 'storePending', params: ({ event }) => event },
                      { type: 'clearLine', params: ({ event }) => ({ over: event.command.over }) },
                    ],
                  },
                  // The line was taken by another call than the one agreed on: whoever pressed hears of it.
                  { actions: ['forgetPending', lineTaken] },
                ],
              },
            },
            /** The present call is being put aside; the other one waits for that. The newest wish counts. */
            clearing: {
              always: [
                { guard: 'isPendingGone', target: 'free', actions: 'forgetPending' },
                { guard: 'isPendingFree', target: 'free', actions: usePending },
              ],
              after: {
                lineTimeout: { target: 'free', actions: ['forgetPending', lineTaken] },
              },
              on: {
                'line.granted': { actions: { type: 'storePending', params: ({ event }) => event } },
                // Who could not be held stays; the other call changes nothing.
                'call.holdFailed': { target: 'free', actions: 'forgetPending' },
              },
            },
          },
        },
      },
    },
    choice: choiceState,
    desk: {
      initial: 'quiet',
      states: {
        quiet: { always: { guard: 'hasCalls', target: 'busy' } },
        /** Calls are drawn: ringing, live, waiting, or ended a moment ago. */
        busy: {
          entry: { type: 'notify', params: { facts: [{ type: 'desk.busy' }] } },
          exit: { type: 'notify', params: { facts: [{ type: 'desk.quiet' }] } },
          always: { guard: 'hasNoCalls', target: 'quiet' },
        },
      },
    },
    tenure: {
      initial: 'serving',
      states: {
        serving: { always: { guard: 'isForgotten', target: 'retired' } },
        retired: { entry: { type: 'notify', params: { facts: [{ type: 'phone.retired' }] } } },
      },
    },
  },
});
export type PhoneActor = ActorRefFrom<typeof phoneMachine>;

// Keeps in order: everything that belongs to the signed-in person; it ends with the session and takes all below along. What fails in it is started again.
// Spawned by: app, while somebody is signed in.
// Asks (ports): loadPhone, loadConversations, loadEmergency, reportFault; phone, conversations and emergency, whole machines, come with them.
// Tells (facts): profile.stale, token.rejected, session.signOut, session.signOutEverywhere; passes requests for alerts and dialogs up, and what the channel tells to whom it concerns.
import { assertEvent } from 'xstate';
import { constants } from '#models/constants.ts';
import { zoneOf } from '#models/zone.ts';
import { type ConsoleContext, consoleSetup, firstContext, promotionAfter } from './console.setup.ts';
import { nobody, phoneOf } from '../phone/phone-of.ts';
import type { DeskFact } from '../phone/phone-types.ts';
import { supervise } from './supervision.ts';
import { problemAlert } from '../alert-requests.ts';

export type { ConsoleFact } from './console-events.ts';

type Held = { context: ConsoleContext };
/** An offer of the app waits until nobody is on the line. */
const passDesk = { type: 'notifyPromotion', params: ({ event }: { event: DeskFact }) => ({ command: event }) } as const;

/** Stays: whoever was away must read it too. */
const restoredAlert = {
  type: 'alert.show',
  alert: { kind: 'warning', key: 'interface.project_restored', duration: constants.alertStays },
} as const;

/** The console of one signed-in person. */
export const consoleMachine = consoleSetup.createMachine({
  id: 'console',
  type: 'parallel',
  context: ({ input }) => firstContext(input.profile),
  on: {
    'profile.changed': {
      actions: [
        { type: 'rememberProfile', params: ({ event }) => event },
        { type: 'passToAlarms', params: ({ event }) => event },
        'rereadLicence',
        { type: 'notifyPhone', params: ({ event }) => event },
        { type: 'notifyPromotion', params: ({ event }) => ({ command: promotionAfter(event.profile) }) },
        { type: 'notifyPreview', params: ({ event }) => event },
        'rereadViews',
      ],
    },
    'alarm.notified': { actions: { type: 'passToAlarms', params: ({ event }) => event } },
    'inbox.read': { actions: { type: 'rememberInbox', params: ({ event }) => event } },
    'sound.play': { actions: { type: 'play', params: ({ event }) => event } },
    'sound.hush': { actions: { type: 'hush', params: ({ event }) => event } },
    'session.signOut': { actions: { type: 'notify', params: ({ event }) => event } },
    'session.signOutEverywhere': { actions: { type: 'notify', params: ({ event }) => event } },
    'drafts.store': { actions: 'saveDrafts' },
    'alert.show': { actions: { type: 'notify', params: ({ event }) => event } },
    'alert.withdraw': { actions: { type: 'notify', params: ({ event }) => event } },
    'profile.stale': { actions: { type: 'notify', params: ({ event }) => event } },
    'dialog.ask': { actions: { type: 'notify', params: ({ event }) => event } },
    'dialog.withdraw': { actions: { type: 'notify', params: ({ event }) => event } },
    'topics.want': {
      actions: [
        { type: 'rememberWanted', params: ({ event }) => event },
        { type: 'passToRealtime', params: ({ event }) => event },
      ],
    },
    'token.renewed': { actions: { type: 'passToRealtime', params: ({ event }) => event } },
    'token.rejected': { actions: { type: 'notify', params: ({ event }) => event } },
    'realtime.events': [
      {
        // What is open shows what is no more: there is nothing to read anew before one has signed in again.
        guard: { type: 'concernsRestore', params: ({ event }) => event },
        actions: { type: 'notify', params: restoredAlert },
      },
      {
        guard: { type: 'concernsRole', params: ({ event }) => event },
        actions: [
          { type: 'spread', params: ({ event }) => event },
          { type: 'notify', params: { type: 'profile.stale' } },
        ],
      },
      { actions: { type: 'spread', params: ({ event }) => event } },
    ],
    'realtime.resynced': [
      {
        guard: { type: 'missedRole', params: ({ event }) => event },
        actions: [
          { type: 'spreadResynced', params: ({ event }) => event },
          { type: 'notify', params: { type: 'profile.stale' } },
        ],
      },
      { actions: { type: 'spreadResynced', params: ({ event }) => event } },
    ],
    'realtime.gap': { actions: { type: 'spreadGap', params: ({ event }) => event } },
  },
  states: {
    workspace: { initial: 'running', states: supervise('workspace', { invoke: {} }) },
    realtime: {
      initial: 'running',
      states: supervise('realtime', {
        invoke: { input: ({ context }: Held) => ({ wanted: context.wanted, isLate: context.faults.realtime > 0 }) },
      }),
    },
    sounds: {
      initial: 'running',
      states: supervise('sounds', { invoke: { input: ({ context }: Held) => ({ person: context.profile.id, isHushed: context.isHushed }) } }),
    },
    notifications: {
      initial: 'running',
      states: supervise('notifications', { invoke: { input: ({ context }: Held) => ({ person: context.profile.id, inbox: context.inbox }) } }),
    },
    alarms: {
      initial: 'running',
      states: supervise('alarms', { invoke: { input: ({ context }: Held) => ({ profile: context.profile }) } }),
    },
    licence: {
      initial: 'running',
      states: supervise('licence', { invoke: { input: ({ context }: Held) => ({ zone: zoneOf(context.profile.profile) }) } }),
    },
    phone: {
      initial: 'absent',
      states: {
        absent: { entry: 'forgetPhone', always: { guard: 'mayPhone', target: 'fetching' } },
        fetching: {
          always: { guard: 'mayNotPhone', target: 'absent' },
          invoke: { id: 'loadPhone', src: 'loadPhone', onDone: { target: 'running' }, onError: { target: 'unreachable' } },
          after: { answerTimeout: 'unreachable' },
        },
        unreachable: { after: { retryPause: 'absent' } },
        ...supervise('phone', {
          invoke: { input: ({ context }: Held) => ({ person: phoneOf(context.profile) ?? nobody }) },
          running: {
            exit: [
              { type: 'hush', params: { type: 'sound.hush', on: false } },
              { type: 'notifyPromotion', params: { command: { type: 'desk.quiet' } } },
            ],
            on: {
              'phone.retired': { target: 'absent' },
              'desk.busy': { actions: passDesk },
              'desk.quiet': { actions: passDesk },
            },
          },
          again: 'absent',
        }),
      },
    },
    preview: {
      initial: 'none',
      states: {
        none: { on: { 'preview.start': { target: 'shown' } } },
        shown: {
          invoke: {
            id: 'preview',
            src: 'preview',
            input: ({ context, event }) => {
              assertEvent(event, 'preview.start');
              return { profile: context.profile, viewpoint: event.viewpoint };
            },
            onDone: { target: 'none' },
            onError: { target: 'none', actions: { type: 'notify', params: ({ event }) => problemAlert(event.error) } },
          },
        },
      },
    },
    savedViews: {
      initial: 'present',
      states: {
        present: { invoke: { id: 'savedViews', src: 'savedViews', onError: { target: 'present', reenter: true } } },
      },
    },
    conversations: {
      initial: 'fetching',
      states: {
        absent: { after: { retryPause: { guard: 'mayConverse', target: 'fetching' } } },
        fetching: {
          always: { guard: 'mayNotConverse', target: 'absent' },
          invoke: { id: 'loadConversations', src: 'loadConversations', onDone: { target: 'present' }, onError: { target: 'absent' } },
          after: { answerTimeout: 'absent' },
        },
        present: {
          always: { guard: 'mayNotConverse', target: 'absent' },
          invoke: { id: 'conversations', src: 'conversations', onError: { target: 'absent' } },
        },
      },
    },
    emergency: {
      initial: 'fetching',
      states: {
        absent: { after: { retryPause: 'fetching' } },
        fetching: {
          invoke: { id: 'loadEmergency', src: 'loadEmergency', onDone: { target: 'present' }, onError: { target: 'absent' } },
          after: { answerTimeout: 'absent' },
        },
        present: { invoke: { id: 'emergency', src: 'emergency', onError: { target: 'absent' } } },
      },
    },
    promotion: {
      initial: 'due',
      states: {
        due: { always: [{ guard: 'isPromoted', target: 'present' }, { target: 'absent' }] },
        absent: {},
        present: {
          invoke: {
            id: 'appPromotion',
            src: 'appPromotion',
            input: ({ context }) => ({ link: context.profile.app_url ?? '' }),
            onError: { target: 'absent', actions: { type: 'notify', params: ({ event }) => problemAlert(event.error) } },
          },
        },
      },
    },
  },
});

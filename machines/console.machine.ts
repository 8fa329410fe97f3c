// Keeps in order: everything that belongs to the signed-in person; it ends with the session and takes all below along.
// Spawned by: app, while somebody is signed in.
// Asks (ports): loadPhone; phone, a whole machine, comes with it.
// Tells (facts): profile.stale, token.rejected, session.signOut, session.signOutEverywhere; passes requests for alerts and dialogs up, and what the channel tells to whom it concerns.
import { assign, enqueueActions, sendTo, setup, stateIn } from 'xstate';
import { mayUseApp, type Profile } from '#models/profile.ts';
import { readTopic, type RealtimeEvent, topics } from '#models/realtime.ts';
import { zoneOf } from '#models/zone.ts';
import { alarmsMachine } from './alarms.machine.ts';
import type { AlertsRequest, TopicWithdrawal } from './alerts.machine.ts';
import { appPromotionMachine, type PromotionCommand } from './app-promotion.machine.ts';
import { licenceMachine } from './licence.machine.ts';
import { notificationsMachine } from './notifications.machine.ts';
import { answerTimeout, parentOf, unplugged, unpluggedMachine } from './port.ts';
import type { phoneMachine } from './phone/phone.machine.ts';
import type { PhoneFact } from './phone/phone-words.ts';
import { nobody, phoneOf } from './phone/phone-of.ts';
import { type RealtimeFact, realtimeMachine, type TopicsWanted } from './realtime.machine.ts';
import { ownTopics } from './realtime-topics.ts';
import { type SoundHush, soundsMachine, type SoundRequest } from './sounds.machine.ts';
import { problemAlert } from './tell.ts';
import { workspaceMachine } from './workspace.machine.ts';

export type ConsoleFact =
  | AlertsRequest
  | TopicWithdrawal
  /** Role, groups or licence of the person may be others by now. */
  | { type: 'profile.stale' }
  | { type: 'token.rejected' }
  /** The phone has asked where somebody was on the line. */
  | { type: 'session.signOut' }
  | { type: 'session.signOutEverywhere' };

/** Which child is told of which events, as `realtime.events`. */
const hearers = {
  workspace: ({ name }) => name === 'RowsChanged' || name === 'JobChanged',
  notifications: ({ name }) => name === 'NotificationReceived' || name === 'NotificationsRead',
  licence: ({ name }) => name === 'LicenceChanged',
  alarms: (event) => event.name === 'RowsChanged' && event.payload.area === 'device-alarms',
  phone: ({ name }) => name === 'CallUpdated' || name === 'DoorOpened',
} as const satisfies Record<string, (event: RealtimeEvent) => boolean>;

/** For `check` inside of enqueueActions, whose type knows no states. */
const hasPhone = stateIn({ phone: 'present' }) as never;
const hasPromotion = stateIn({ promotion: 'present' }) as never;

/** There is an app to offer that the person may use, and they have not switched the offer off. */
const isPromoted = (profile: Profile): boolean => mayUseApp(profile) && profile.profile.is_app_popup_active;

/** The console of one signed-in person. */
export const consoleMachine = setup({
  types: {
    input: {} as { profile: Profile },
    context: {} as { profile: Profile },
    events: {} as
      | { type: 'profile.changed'; profile: Profile }
      | { type: 'token.renewed' }
      | { type: 'drafts.keep' }
      | { type: 'profile.stale' }
      | AlertsRequest
      | TopicWithdrawal
      | RealtimeFact
      | TopicsWanted
      | SoundRequest
      | PhoneFact
      | { type: 'alarm.told' },
    emitted: {} as ConsoleFact,
    children: {} as {
      workspace: 'workspace';
      realtime: 'realtime';
      sounds: 'sounds';
      notifications: 'notifications';
      alarms: 'alarms';
      licence: 'licence';
      appPromotion: 'appPromotion';
    },
  },
  actors: {
    workspace: workspaceMachine,
    realtime: realtimeMachine,
    sounds: soundsMachine,
    notifications: notificationsMachine,
    alarms: alarmsMachine,
    licence: licenceMachine,
    /** Fetches the code of the phone. */
    loadPhone: unplugged<void>('loadPhone'),
    phone: unpluggedMachine<typeof phoneMachine>('phone'),
    appPromotion: appPromotionMachine,
  },
  actions: {
    rememberProfile: assign({ profile: (_, { profile }: { profile: Profile }) => profile }),
    keepDrafts: sendTo('workspace', { type: 'drafts.keep' }),
    tell: enqueueActions(({ enqueue, self }, fact: ConsoleFact) => {
      enqueue.emit(fact);
      const parent = parentOf(self);
      if (parent) enqueue.sendTo(parent, fact);
    }),
    passToRealtime: sendTo('realtime', (_, command: TopicsWanted | { type: 'token.renewed' }) => command),
    spreadGap: enqueueActions(({ enqueue, check }, fact: RealtimeFact & { type: 'realtime.gap' }) => {
      enqueue.sendTo('workspace', fact);
      if (check(hasPhone)) enqueue.sendTo('phone', fact);
    }),
    spread: enqueueActions(({ enqueue, check }, { events }: RealtimeFact & { type: 'realtime.events' }) => {
      for (const [child, hears] of Object.entries(hearers)) {
        if (child === 'phone' && !check(hasPhone)) continue;
        const theirs = events.filter(hears);
        if (theirs.length > 0) enqueue.sendTo(child as keyof typeof hearers, { type: 'realtime.events', events: theirs });
      }
    }),
    /** Whoever reads what a topic is about reads it anew. */
    spreadResynced: enqueueActions(({ context, enqueue, check }, fact: RealtimeFact & { type: 'realtime.resynced' }) => {
      enqueue.sendTo('workspace', fact);
      if (fact.topics.includes(topics.user(context.profile.id))) enqueue.sendTo('notifications', fact);
      if (fact.topics.includes(topics.area('device-alarms'))) enqueue.sendTo('alarms', fact);
      if (fact.topics.includes(topics.appChanges)) enqueue.sendTo('licence', fact);
      if (check(hasPhone) && fact.topics.some((topic) => readTopic(topic)?.kind === 'calls')) enqueue.sendTo('phone', fact);
    }),
    /** A phone in use never goes with a change of role or licence: it retires when nobody is on the line. */
    tellPhone: enqueueActions(({ enqueue, check }, { profile }: { profile: Profile }) => {
      if (check(hasPhone)) enqueue.sendTo('phone', { type: 'person.changed', person: phoneOf(profile) });
    }),
    passToAlarms: sendTo('alarms', (_, event: { type: 'alarm.told' } | { type: 'profile.changed'; profile: Profile }) => event),
    /** Another role or other groups mind other licences. */
    rereadLicence: sendTo('licence', { type: 'licence.reread' }),
    tellPromotion: enqueueActions(({ enqueue, check }, { command }: { command: PromotionCommand | null }) => {
      if (command && check(hasPromotion)) enqueue.sendTo('appPromotion', command);
    }),
    passToSounds: sendTo('sounds', (_, request: SoundRequest | SoundHush) => request),
  },
  guards: {
    mayPhone: ({ context }) => phoneOf(context.profile) !== null,
    mayNotPhone: ({ context }) => phoneOf(context.profile) === null,
    isPromoted: ({ context }) => isPromoted(context.profile),
    concernsRole: (_, { events }: RealtimeFact & { type: 'realtime.events' }) => events.some(({ name }) => name === 'RoleChanged'),
    missedRole: (_, fact: RealtimeFact & { type: 'realtime.resynced' }) => fact.topics.includes(topics.appChanges),
  },
  delays: { answerTimeout, retryPause: 30_000 },
}).createMachine({
  id: 'console',
  type: 'parallel',
  context: ({ input }) => ({ profile: input.profile }),
  invoke: [
    {
      id: 'workspace',
      src: 'workspace',
      systemId: 'workspace',
      onError: { actions: { type: 'tell', params: ({ event }) => problemAlert(event.error) } },
    },
    {
      id: 'realtime',
      src: 'realtime',
      systemId: 'realtime',
      input: ({ context }) => ({ wanted: { console: ownTopics(context.profile.id) } }),
      onError: { actions: { type: 'tell', params: ({ event }) => problemAlert(event.error) } },
    },
    {
      id: 'sounds',
      src: 'sounds',
      systemId: 'sounds',
      input: ({ context }) => ({ person: context.profile.id }),
      onError: { actions: { type: 'tell', params: ({ event }) => problemAlert(event.error) } },
    },
    {
      id: 'notifications',
      src: 'notifications',
      systemId: 'notifications',
      input: ({ context }) => ({ person: context.profile.id }),
      onError: { actions: { type: 'tell', params: ({ event }) => problemAlert(event.error) } },
    },
    {
      id: 'alarms',
      src: 'alarms',
      systemId: 'alarms',
      input: ({ context }) => ({ profile: context.profile }),
      onError: { actions: { type: 'tell', params: ({ event }) => problemAlert(event.error) } },
    },
    {
      id: 'licence',
      src: 'licence',
      systemId: 'licence',
      input: ({ context }) => ({ zone: zoneOf(context.profile.profile) }),
      onError: { actions: { type: 'tell', params: ({ event }) => problemAlert(event.error) } },
    },
  ],
  on: {
    'profile.changed': {
      actions: [
        { type: 'rememberProfile', params: ({ event }) => event },
        { type: 'passToAlarms', params: ({ event }) => event },
        'rereadLicence',
        { type: 'tellPhone', params: ({ event }) => event },
        { type: 'tellPromotion', params: ({ event }) => ({ command: isPromoted(event.profile) ? null : { type: 'promotion.end' } }) },
      ],
    },
    'alarm.told': { actions: { type: 'passToAlarms', params: ({ event }) => event } },
    'sound.play': { actions: { type: 'passToSounds', params: ({ event }) => event } },
    'sound.hush': { actions: { type: 'passToSounds', params: ({ event }) => event } },
    'session.signOut': { actions: { type: 'tell', params: ({ event }) => event } },
    'session.signOutEverywhere': { actions: { type: 'tell', params: ({ event }) => event } },
    'drafts.keep': { actions: 'keepDrafts' },
    'alert.show': { actions: { type: 'tell', params: ({ event }) => event } },
    'alert.withdraw': { actions: { type: 'tell', params: ({ event }) => event } },
    'profile.stale': { actions: { type: 'tell', params: ({ event }) => event } },
    'dialog.ask': { actions: { type: 'tell', params: ({ event }) => event } },
    'dialog.withdraw': { actions: { type: 'tell', params: ({ event }) => event } },
    'topics.want': { actions: { type: 'passToRealtime', params: ({ event }) => event } },
    'token.renewed': { actions: { type: 'passToRealtime', params: ({ event }) => event } },
    'token.rejected': { actions: { type: 'tell', params: ({ event }) => event } },
    'realtime.events': [
      {
        guard: { type: 'concernsRole', params: ({ event }) => event },
        actions: [
          { type: 'spread', params: ({ event }) => event },
          { type: 'tell', params: { type: 'profile.stale' } },
        ],
      },
      { actions: { type: 'spread', params: ({ event }) => event } },
    ],
    'realtime.resynced': [
      {
        guard: { type: 'missedRole', params: ({ event }) => event },
        actions: [
          { type: 'spreadResynced', params: ({ event }) => event },
          { type: 'tell', params: { type: 'profile.stale' } },
        ],
      },
      { actions: { type: 'spreadResynced', params: ({ event }) => event } },
    ],
    'realtime.gap': { actions: { type: 'spreadGap', params: ({ event }) => event } },
  },
  states: {
    phone: {
      initial: 'absent',
      states: {
        absent: { always: { guard: 'mayPhone', target: 'fetching' } },
        fetching: {
          always: { guard: 'mayNotPhone', target: 'absent' },
          invoke: { id: 'loadPhone', src: 'loadPhone', onDone: { target: 'present' }, onError: { target: 'unreachable' } },
          after: { answerTimeout: 'unreachable' },
        },
        unreachable: { after: { retryPause: 'absent' } },
        present: {
          invoke: {
            id: 'phone',
            src: 'phone',
            systemId: 'phone',
            input: ({ context }) => ({ person: phoneOf(context.profile) ?? nobody }),
            onError: { target: 'unreachable', actions: { type: 'tell', params: ({ event }) => problemAlert(event.error) } },
          },
          exit: [
            { type: 'passToSounds', params: { type: 'sound.hush', on: false } },
            { type: 'tellPromotion', params: { command: { type: 'desk.quiet' } } },
          ],
          on: {
            'phone.retired': { target: 'absent' },
            'desk.busy': { actions: { type: 'tellPromotion', params: ({ event }) => ({ command: event }) } },
            'desk.quiet': { actions: { type: 'tellPromotion', params: ({ event }) => ({ command: event }) } },
          },
        },
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
            onError: { target: 'absent', actions: { type: 'tell', params: ({ event }) => problemAlert(event.error) } },
          },
        },
      },
    },
  },
});

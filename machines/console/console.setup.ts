import { assign, enqueueActions, setup, stateIn } from 'xstate';
import type { JobRequest } from '../job-request.ts';
import type { UnreadNotifications } from '#models/notifications.ts';
import { mayUseApp, type Profile } from '#models/profile.ts';
import { hasPermission } from '#models/permissions.ts';
import { readTopic, type RealtimeEvent, topics } from '#models/realtime.ts';
import type { conversationsMachine } from '../conversations/conversations.machine.ts';
import type { emergencyMachine } from '../emergency/emergency.machine.ts';
import { alarmsMachine } from '../alarms/alarms.machine.ts';
import type { ConsoleEvent, ConsoleFact } from './console-events.ts';
import { appPromotionMachine, type PromotionCommand } from '../app-promotion.machine.ts';
import { licenceMachine } from '../licence/licence.machine.ts';
import { notificationsMachine } from '../notifications/notifications.machine.ts';
import { answerTimeout, parentOf, problemOf, unplugged, unpluggedAction, unpluggedMachine } from '../port.ts';
import type { phoneMachine } from '../phone/phone.machine.ts';
import { phoneOf } from '../phone/phone-of.ts';
import { previewMachine } from '../preview.machine.ts';
import { type RealtimeFact, realtimeMachine, type TopicsWanted } from '../realtime/realtime.machine.ts';
import { ownTopics, withOwner } from '../realtime/realtime-topics.ts';
import { savedViewsMachine } from '../saved-views.machine.ts';
import { isGrave, type SoundHush, soundsMachine, type SoundRequest } from '../sounds.machine.ts';
import {
  childOf,
  endChildrenOf,
  type Faults,
  faultIsOver,
  faultNotice,
  idsFrom,
  noFaults,
  recoveryNotices,
  restartPause,
  type Supervised,
} from './supervision.ts';
import { jobsOf, workspaceMachine } from '../workspace/workspace.machine.ts';

/** What it holds. */
export interface ConsoleContext {
  profile: Profile;
  faults: Faults;
  /** Who wants which topics, for a channel that is started again. */
  wanted: Readonly<Record<string, readonly string[]>>;
  /** A call rings, for sounds that are started again. */
  isHushed: boolean;
  /** What was to be heard while the sounds were down; of several what is grave, else the last. */
  unheard: SoundRequest | null;
  /** What one was told of so far: notifications that are started again find what came since. */
  inbox: UnreadNotifications | null;
  /** Long work that a failed workspace followed. */
  unfollowed: readonly JobRequest[];
}

/** Which child is told of which events, as `realtime.events`. */
const subscribers = {
  workspace: ({ name }) => name === 'RowsChanged' || name === 'JobChanged' || name === 'EditorsChanged',
  notifications: ({ name }) => name === 'NotificationReceived' || name === 'NotificationsRead',
  licence: ({ name }) => name === 'LicenceChanged',
  alarms: (event) => event.name === 'RowsChanged' && event.payload.area === 'device-alarms',
  phone: ({ name }) => name === 'CallUpdated' || name === 'DoorOpened',
} as const satisfies Partial<Record<Supervised, (event: RealtimeEvent) => boolean>>;

/** For `check` inside of enqueueActions, whose type knows no states. A child that rests after a fault can be told nothing. */
const runs = (child: Supervised): never => stateIn({ [child]: 'running' }) as never;
const hasPromotion = stateIn({ promotion: 'present' }) as never;
const hasConversations = stateIn({ conversations: 'present' }) as never;
const hasEmergency = stateIn({ emergency: 'present' }) as never;
const hasViews = stateIn({ savedViews: 'present' }) as never;
const isPreviewing = stateIn({ preview: 'shown' }) as never;

/** Whether somebody may read conversations, be it only their own. */
const mayConverse = ({ role }: Profile): boolean =>
  hasPermission(
    { permissions: role?.permissions ?? [] },
    'can_view_conversations',
    'can_view_descendant_conversations',
    'can_view_all_conversations',
  );
/** There is an app to offer that the person may use, and they have not switched the offer off. */
const isPromoted = (profile: Profile): boolean => mayUseApp(profile) && profile.profile.is_app_popup_active;
/** What the person's profile asks of the offer of the app. */
export const promotionAfter = (profile: Profile): PromotionCommand | null => (isPromoted(profile) ? null : { type: 'promotion.end' });

/** What the console starts with. */
export const firstContext = (profile: Profile): ConsoleContext => ({
  profile,
  faults: noFaults,
  wanted: { console: ownTopics(profile.id) },
  isHushed: false,
  unheard: null,
  inbox: null,
  unfollowed: [],
});

type Named = { child: Supervised };

/** What the chart of the console is made of: its words, children, actions, guards and delays. */
export const consoleSetup = setup({
  types: {
    input: {} as { profile: Profile },
    context: {} as ConsoleContext,
    events: {} as ConsoleEvent,
    emitted: {} as ConsoleFact,
    children: {} as {
      workspace: 'workspace';
      realtime: 'realtime';
      sounds: 'sounds';
      notifications: 'notifications';
      alarms: 'alarms';
      licence: 'licence';
      phone: 'phone';
      appPromotion: 'appPromotion';
      preview: 'preview';
      savedViews: 'savedViews';
      conversations: 'conversations';
      emergency: 'emergency';
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
    preview: previewMachine,
    savedViews: savedViewsMachine,
    /** Fetches the code of the conversations. */
    loadConversations: unplugged<void>('loadConversations'),
    conversations: unpluggedMachine<typeof conversationsMachine>('conversations'),
    /** Fetches the code of the emergency alerts. */
    loadEmergency: unplugged<void>('loadEmergency'),
    emergency: unpluggedMachine<typeof emergencyMachine>('emergency'),
  },
  actions: {
    rememberProfile: assign({ profile: (_, { profile }: { profile: Profile }) => profile }),
    rememberInbox: assign({ inbox: (_, { inbox }: { inbox: UnreadNotifications }) => inbox }),
    saveDrafts: enqueueActions(({ enqueue, check }) => {
      if (check(runs('workspace'))) enqueue.sendTo('workspace', { type: 'drafts.store' });
    }),
    notify: enqueueActions(({ enqueue, self }, fact: ConsoleFact) => {
      enqueue.emit(fact);
      const parent = parentOf(self);
      if (parent) enqueue.sendTo(parent, fact);
    }),
    /** Counts a fault, says so, and takes back the questions of those that are gone. */
    noteFault: enqueueActions(({ context, enqueue, self }, { child, error }: Named & { error: unknown }) => {
      const failed = childOf(self, child);
      const faults = context.faults[child] + 1;
      // A port that nobody plugged in is no fault to recover from: it is thrown.
      problemOf(error);
      enqueue.assign({ faults: { ...context.faults, [child]: faults } });
      // Work that may be what the workspace failed of is followed no second time.
      if (child === 'workspace') enqueue.assign({ unfollowed: faults > 1 ? [] : jobsOf(failed) });
      const facts: ConsoleFact[] = [{ type: 'dialog.withdraw', actorIds: idsFrom(child, failed) }, faultNotice(child, faults)];
      const parent = parentOf(self);
      for (const fact of facts) {
        enqueue.emit(fact);
        if (parent) enqueue.sendTo(parent, fact);
      }
      if (child === 'realtime') enqueue.raise({ type: 'realtime.gap', asOf: null });
    }),
    /** For whoever looks for the cause: what was thrown, as it was thrown. */
    reportFault: (_args, _fault: Named & { error: unknown }) => unpluggedAction('reportFault'),
    endChildren: ({ self }, { child }: Named) => endChildrenOf(childOf(self, child)),
    /** What a child that was started again must not miss, beyond what it reads and is given at its start. */
    catchUp: enqueueActions(({ context, enqueue }, { child }: Named) => {
      if (child === 'workspace') {
        for (const request of context.unfollowed) enqueue.sendTo('workspace', { type: 'job.start', request });
        enqueue.assign({ unfollowed: [] });
      }
      if (child === 'sounds' && context.unheard) {
        enqueue.sendTo('sounds', context.unheard);
        enqueue.assign({ unheard: null });
      }
    }),
    reportRecovery: enqueueActions(({ enqueue, self }, { child }: Named) => {
      const parent = parentOf(self);
      for (const fact of recoveryNotices(child)) {
        enqueue.emit(fact);
        if (parent) enqueue.sendTo(parent, fact);
      }
    }),
    /** Whoever has no phone any more is told nothing of its faults. */
    forgetPhone: enqueueActions(({ context, enqueue, self }) => {
      if (context.faults.phone === 0 || phoneOf(context.profile) !== null) return;
      const parent = parentOf(self);
      enqueue.assign({ faults: { ...context.faults, phone: 0 } });
      enqueue.emit(faultIsOver('phone'));
      if (parent) enqueue.sendTo(parent, faultIsOver('phone'));
    }),
    forgetFaults: assign({ faults: ({ context }, { child }: Named) => ({ ...context.faults, [child]: 0 }) }),
    rememberWanted: assign({ wanted: ({ context }, { owner, topics: names }: TopicsWanted) => withOwner(context.wanted, owner, names) }),
    passToRealtime: enqueueActions(({ enqueue, check }, command: TopicsWanted | { type: 'token.renewed' }) => {
      if (check(runs('realtime'))) enqueue.sendTo('realtime', command);
    }),
    spreadGap: enqueueActions(({ enqueue, check }, fact: RealtimeFact & { type: 'realtime.gap' }) => {
      for (const child of ['workspace', 'phone'] as const) if (check(runs(child))) enqueue.sendTo(child, fact);
    }),
    spread: enqueueActions(({ enqueue, check }, { events }: RealtimeFact & { type: 'realtime.events' }) => {
      for (const [name, hears] of Object.entries(subscribers)) {
        const child = name as keyof typeof subscribers;
        const theirs = check(runs(child)) ? events.filter(hears) : [];
        if (theirs.length > 0) enqueue.sendTo(child, { type: 'realtime.events', events: theirs });
      }
      const written = events.filter(({ name }) => name === 'ConversationChanged');
      if (written.length > 0 && check(hasConversations)) enqueue.sendTo('conversations', { type: 'realtime.events', events: written });
      const alerted = events.filter(({ name }) => name === 'EmergencyAlertChanged');
      if (alerted.length > 0 && check(hasEmergency)) enqueue.sendTo('emergency', { type: 'realtime.events', events: alerted });
    }),
    /** Whoever reads what a topic is about reads it anew. */
    spreadResynced: enqueueActions(({ context, enqueue, check }, fact: RealtimeFact & { type: 'realtime.resynced' }) => {
      const concerned = {
        workspace: true,
        notifications: fact.topics.includes(topics.user(context.profile.id)),
        alarms: fact.topics.includes(topics.area('device-alarms')),
        licence: fact.topics.includes(topics.appChanges),
        phone: fact.topics.some((topic) => readTopic(topic)?.kind === 'calls'),
      };
      for (const [name, isConcerned] of Object.entries(concerned)) {
        const child = name as keyof typeof concerned;
        if (isConcerned && check(runs(child))) enqueue.sendTo(child, fact);
      }
      if (concerned.notifications && check(hasConversations)) enqueue.sendTo('conversations', fact);
      if (concerned.notifications && check(hasEmergency)) enqueue.sendTo('emergency', fact);
    }),
    /** A phone in use never goes with a change of role or licence: it retires when nobody is on the line. */
    notifyPhone: enqueueActions(({ enqueue, check }, { profile }: { profile: Profile }) => {
      if (check(runs('phone'))) enqueue.sendTo('phone', { type: 'person.changed', person: phoneOf(profile) });
    }),
    passToAlarms: enqueueActions(({ enqueue, check }, event: { type: 'alarm.notified' } | { type: 'profile.changed'; profile: Profile }) => {
      if (check(runs('alarms'))) enqueue.sendTo('alarms', event);
    }),
    /** Another role or other groups mind other licences. */
    rereadLicence: enqueueActions(({ enqueue, check }) => {
      if (check(runs('licence'))) enqueue.sendTo('licence', { type: 'licence.reread' });
    }),
    notifyPromotion: enqueueActions(({ enqueue, check }, { command }: { command: PromotionCommand | null }) => {
      if (command && check(hasPromotion)) enqueue.sendTo('appPromotion', command);
    }),
    notifyPreview: enqueueActions(({ enqueue, check }, event: { type: 'profile.changed'; profile: Profile }) => {
      if (check(isPreviewing)) enqueue.sendTo('preview', event);
    }),
    /** Another role has other views. */
    rereadViews: enqueueActions(({ enqueue, check }) => {
      if (check(hasViews)) enqueue.sendTo('savedViews', { type: 'views.read' });
    }),
    play: enqueueActions(({ context, enqueue, check }, request: SoundRequest) => {
      if (check(runs('sounds'))) enqueue.sendTo('sounds', request);
      else if (!context.unheard || !isGrave(context.unheard.sound) || isGrave(request.sound)) enqueue.assign({ unheard: request });
    }),
    hush: enqueueActions(({ enqueue, check }, request: SoundHush) => {
      enqueue.assign({ isHushed: request.on });
      if (check(runs('sounds'))) enqueue.sendTo('sounds', request);
    }),
  },
  guards: {
    hasFailed: ({ context }, { child }: Named) => context.faults[child] > 0,
    mayPhone: ({ context }) => phoneOf(context.profile) !== null,
    mayNotPhone: ({ context }) => phoneOf(context.profile) === null,
    isPromoted: ({ context }) => isPromoted(context.profile),
    mayConverse: ({ context }) => mayConverse(context.profile),
    mayNotConverse: ({ context }) => !mayConverse(context.profile),
    concernsRole: (_, { events }: RealtimeFact & { type: 'realtime.events' }) => events.some(({ name }) => name === 'RoleChanged'),
    concernsRestore: (_, { events }: RealtimeFact & { type: 'realtime.events' }) => events.some(({ name }) => name === 'ProjectRestored'),
    missedRole: (_, fact: RealtimeFact & { type: 'realtime.resynced' }) => fact.topics.includes(topics.appChanges),
  },
  delays: {
    answerTimeout,
    retryPause: 30_000,
    workspaceRestart: ({ context }) => restartPause(context.faults.workspace),
    realtimeRestart: ({ context }) => restartPause(context.faults.realtime),
    soundsRestart: ({ context }) => restartPause(context.faults.sounds),
    notificationsRestart: ({ context }) => restartPause(context.faults.notifications),
    alarmsRestart: ({ context }) => restartPause(context.faults.alarms),
    licenceRestart: ({ context }) => restartPause(context.faults.licence),
    phoneRestart: ({ context }) => restartPause(context.faults.phone),
    /** A child that was started again and has worked so long counts as well again. */
    recoveryTime: 5_000,
    /** One that has worked so long since has its faults forgotten: the next pause is the shortest. */
    steadyTime: 60_000,
  },
});

import { type AnyMachineSnapshot, createActor, type EventFromLogic, fromCallback } from 'xstate';
import { describe } from 'vitest';
import { consoleMachine } from '#machines/console/console.machine.ts';
import type { ConsoleContext } from '#machines/console/console.setup.ts';
import { confirmDialog } from '#machines/alerts/dialog.ts';
import { allLicensed } from '#models/licence-info.ts';
import { topics } from '#models/realtime.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';
import { anna, uuid, withNumber } from '#tests/support/people.ts';
import { inboxOf } from '#tests/support/watch.ts';

const requester = createActor(fromCallback(() => {}));
const manager = { id: uuid(2), name: 'Manager', available_roles: [] };
const samples = {
  'profile.changed': [
    { type: 'profile.changed', profile: { ...anna, version: '2' } },
    { type: 'profile.changed', profile: { ...withNumber, version: '2' } },
  ],
  'profile.stale': { type: 'profile.stale' },
  'preview.start': { type: 'preview.start', viewpoint: { role: { ...manager, permissions: [] }, licences: allLicensed } },
  'drafts.store': { type: 'drafts.store' },
  'alert.show': { type: 'alert.show', alert: { kind: 'info', key: 'interface.done' } },
  'alert.withdraw': { type: 'alert.withdraw', topic: 'licence' },
  'dialog.ask': {
    type: 'dialog.ask',
    dialog: confirmDialog({ text: { key: 'interface.leave_question' }, approve: { key: 'interface.leave' }, about: 'leave', replyTo: requester }),
  },
  'dialog.withdraw': { type: 'dialog.withdraw', actorIds: ['requester'] },
  'topics.want': { type: 'topics.want', owner: 'workspace', topics: [topics.area('users')] },
  'token.renewed': { type: 'token.renewed' },
  'token.rejected': { type: 'token.rejected' },
  'session.signOut': { type: 'session.signOut' },
  'session.signOutEverywhere': { type: 'session.signOutEverywhere' },
  'phone.shown': { type: 'phone.shown', speechId: uuid(701) },
  'desk.busy': { type: 'desk.busy' },
  'desk.quiet': { type: 'desk.quiet' },
  'phone.retired': { type: 'phone.retired' },
  'inbox.read': { type: 'inbox.read', inbox: inboxOf() },
  'sound.hush': { type: 'sound.hush', on: true },
  'sound.play': { type: 'sound.play', sound: 'alarm' },
  'alarm.notified': { type: 'alarm.notified' },
  'realtime.events': [
    { type: 'realtime.events', events: [{ topic: topics.area('users'), name: 'RowsChanged', payload: { area: 'users', ids: [] } }] },
    {
      type: 'realtime.events',
      events: [{ topic: topics.area('device-alarms'), name: 'RowsChanged', payload: { area: 'device-alarms', ids: [] } }],
    },
    { type: 'realtime.events', events: [{ topic: topics.user(anna.id), name: 'NotificationReceived', payload: { id: uuid(9) } }] },
    { type: 'realtime.events', events: [{ topic: topics.user(anna.id), name: 'ConversationChanged', payload: { id: uuid(9) } }] },
    { type: 'realtime.events', events: [{ topic: topics.user(anna.id), name: 'EmergencyAlertChanged', payload: { id: uuid(9) } }] },
    { type: 'realtime.events', events: [{ topic: topics.appChanges, name: 'LicenceChanged', payload: {} }] },
    { type: 'realtime.events', events: [{ topic: topics.calls('1001'), name: 'CallUpdated', payload: {} }] },
    { type: 'realtime.events', events: [{ topic: topics.appChanges, name: 'ProjectRestored', payload: {} }] },
    { type: 'realtime.events', events: [{ topic: topics.appChanges, name: 'RoleChanged', payload: { roleId: uuid(2) } }] },
  ],
  'realtime.resynced': [
    { type: 'realtime.resynced', topics: [topics.area('users')] },
    { type: 'realtime.resynced', topics: [topics.area('device-alarms'), topics.user(anna.id)] },
    { type: 'realtime.resynced', topics: [topics.calls('1001')] },
    { type: 'realtime.resynced', topics: [topics.appChanges] },
  ],
  'realtime.gap': { type: 'realtime.gap', asOf: null },
} satisfies Samples<EventFromLogic<typeof consoleMachine>>;

const talker = { ...anna, role: { ...manager, permissions: ['can_view_conversations'] } };
const promoted = { ...withNumber, app_url: 'https://app.example/', profile: { ...withNumber.profile, is_app_popup_active: true } };
/** Children are supervised by themselves: at most one has failed lately. */
const atMostOneFailed = ({ context }: AnyMachineSnapshot): boolean =>
  Object.values((context as ConsoleContext).faults).filter((faults) => faults > 0).length <= 1;

/** A preview lies beside all other parts: it is walked from where all of them work. */
const previewsAlone = (snapshot: AnyMachineSnapshot): boolean =>
  !snapshot.matches({ preview: 'shown' }) || Object.values((snapshot.context as ConsoleContext).faults).every((faults) => faults === 0);

/** Emergency alerts come by themselves, beside all else: they are walked from where all other parts work and nothing is previewed. */
const emergencyAlone = (snapshot: AnyMachineSnapshot): boolean =>
  snapshot.matches({ emergency: 'fetching' }) ||
  (!snapshot.matches({ preview: 'shown' }) && Object.values((snapshot.context as ConsoleContext).faults).every((faults) => faults === 0));

describe('the console', () => {
  mapTests(consoleMachine, {
    inputs: [{ profile: anna }, { profile: talker }, { profile: withNumber }, { profile: promoted }],
    samples,
    within: (snapshot) => atMostOneFailed(snapshot) && previewsAlone(snapshot) && emergencyAlone(snapshot),
    words: ({ context }) => {
      const { faults, profile } = context as ConsoleContext;
      const said = [
        ...(faults.phone > 0 ? ['phone failed'] : []),
        ...(profile.role?.permissions.includes('can_view_conversations') ? ['conversations'] : []),
      ];
      return said.length > 0 ? `[${said.join(', ')}]` : '';
    },
    answers: {
      workspace: [],
      realtime: [],
      sounds: [],
      notifications: [],
      alarms: [],
      licence: [],
      phone: [],
      loadPhone: [undefined],
      appPromotion: [],
      preview: [undefined],
      savedViews: [],
      loadConversations: [undefined],
      conversations: [],
      loadEmergency: [undefined],
      emergency: [],
    },
  });
});

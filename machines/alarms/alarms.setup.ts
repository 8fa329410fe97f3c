import { assign, enqueueActions, setup, stateIn } from 'xstate';
import { constants } from '#models/constants.ts';
import type { DeviceAlarm } from '#models/device-alarms.ts';
import { may } from '#models/permissions.ts';
import type { Profile } from '#models/profile.ts';
import { type RealtimeEvent, topics } from '#models/realtime.ts';
import type { AlertsRequest } from '../alerts/alerts.machine.ts';
import { openAlarmMachine, type OpenAlarmFact } from './open-alarm.machine.ts';
import { answerTimeout, parentOf, unplugged } from '../port.ts';
import type { TopicsWanted } from '../realtime/realtime.machine.ts';
import type { SoundRequest } from '../sounds.machine.ts';

/** The alarms that nobody has processed, newest first, and how many there are in all. */
export interface OpenAlarms {
  alarms: readonly DeviceAlarm[];
  total: number;
}
export type AlarmsEvent =
  | { type: 'profile.changed'; profile: Profile }
  | { type: 'realtime.events'; events: readonly RealtimeEvent[] }
  | { type: 'realtime.resynced'; topics: readonly string[] }
  /** An alarm is there that was not, and nobody has taken it on. */
  | { type: 'alarm.raised' }
  /** A notification spoke of an alarm. */
  | { type: 'alarm.notified' }
  | OpenAlarmFact
  | { type: 'xstate.done.actor.*'; actorId: string }
  | { type: 'xstate.error.actor.*'; actorId: string; error: unknown };
export type AlarmsFact = AlertsRequest | SoundRequest | TopicsWanted;

/** What it holds. */
export interface AlarmsContext extends OpenAlarms {
  me: string;
  sees: boolean;
  /** Processed here: an answer that was on its way then does not bring them back. */
  closed: readonly string[];
}

const key = (id: string): string => `alarm:${id}`;
const isOpen = ({ state }: DeviceAlarm): boolean => state !== 'processed';
const isWaiting = (alarm: DeviceAlarm): boolean => isOpen(alarm) && alarm.claimed_by === null;

/** May this person see alarms at all? */
export const seesAlarms = ({ id, role, domains }: Profile): boolean =>
  may({ id, permissions: role?.permissions ?? [], domains: domains.map((group) => group.id) }, 'view', 'device-alarms');

/** One alarm as it is now among the open ones; what was processed goes. */
export function withAlarm({ alarms, total }: OpenAlarms, alarm: DeviceAlarm): OpenAlarms {
  const known = alarms.find(({ id }) => id === alarm.id);
  if (known && known.version > alarm.version) return { alarms, total };
  if (!isOpen(alarm)) return { alarms: alarms.filter(({ id }) => id !== alarm.id), total: total - (known ? 1 : 0) };
  return { alarms: alarms.map((other) => (other.id === alarm.id ? alarm : other)), total };
}

/** What was read, each alarm as it was last heard of, without those processed here meanwhile. */
const newest = ({ alarms, closed }: AlarmsContext, read: readonly DeviceAlarm[]): DeviceAlarm[] =>
  read.filter(({ id }) => !closed.includes(id)).map((alarm) => alarms.find(({ id, version }) => id === alarm.id && version > alarm.version) ?? alarm);

/** Those nobody has taken on come first, then the newest. */
export const inOrder = (alarms: readonly DeviceAlarm[]): DeviceAlarm[] =>
  alarms.toSorted((a, b) => Number(isWaiting(b)) - Number(isWaiting(a)) || b.enabled_at.localeCompare(a.enabled_at));

const areaTopic = topics.area('device-alarms');

/** What the chart of the alarms is made of: its words, ports, actions, guards and delays. */
export const alarmsSetup = setup({
  types: {
    input: {} as { profile: Profile },
    context: {} as AlarmsContext,
    events: {} as AlarmsEvent,
    emitted: {} as AlarmsFact,
    tags: {} as 'ringing',
  },
  actors: {
    openAlarm: openAlarmMachine,
    readAlarms: unplugged<OpenAlarms>('readAlarms'),
  },
  actions: {
    judge: assign((_, { profile }: { profile: Profile }) => ({ me: profile.id, sees: seesAlarms(profile) })),
    want: enqueueActions(({ enqueue, self }, { wanted }: { wanted: boolean }) => {
      const fact: TopicsWanted = { type: 'topics.want', owner: 'alarms', topics: wanted ? [areaTopic] : [] };
      enqueue.emit(fact);
      const parent = parentOf(self);
      if (parent) enqueue.sendTo(parent, fact);
    }),
    notify: enqueueActions(({ enqueue, self }, fact: AlarmsFact) => {
      enqueue.emit(fact);
      const parent = parentOf(self);
      if (parent) enqueue.sendTo(parent, fact);
    }),
    /** Keeps what was read: an actor for each alarm, none for those that are over. */
    takeAlarms: enqueueActions(({ context, enqueue }, read: OpenAlarms) => {
      const alarms = inOrder(newest(context, read.alarms));
      const [before, now] = [context.alarms, alarms].map((list) => new Set(list.map(({ id }) => id)));
      for (const { id } of context.alarms) if (!now?.has(id)) enqueue.stopChild(key(id));
      for (const alarm of alarms)
        if (before?.has(alarm.id)) enqueue.sendTo(key(alarm.id), { type: 'alarm.seen', alarm });
        else enqueue.spawnChild('openAlarm', { id: key(alarm.id), input: { alarm, me: context.me } });
      enqueue.assign({ alarms, total: read.total - (read.alarms.length - alarms.length) });
      if (alarms.some((alarm) => isWaiting(alarm) && !before?.has(alarm.id))) enqueue.raise({ type: 'alarm.raised' });
    }),
    takeChange: assign(({ context }, { alarm }: { alarm: DeviceAlarm }) => {
      const next = withAlarm(context, alarm);
      return { ...next, alarms: inOrder(next.alarms), closed: isOpen(alarm) ? context.closed : [...context.closed, alarm.id] };
    }),
    dropAll: enqueueActions(({ context, enqueue }) => {
      for (const { id } of context.alarms) enqueue.stopChild(key(id));
      enqueue.assign({ alarms: [], total: 0 });
    }),
    drop: enqueueActions(({ context, enqueue }, { actorId }: { actorId: string }) => {
      enqueue.stopChild(actorId);
      enqueue.assign({ alarms: context.alarms.filter(({ id }) => key(id) !== actorId) });
    }),
  },
  guards: {
    sees: ({ context }) => context.sees,
    isBlind: ({ context }) => !context.sees,
    noneWaiting: ({ context }) => !context.alarms.some(isWaiting),
    isOutdated: stateIn({ watch: { watching: { reading: 'outdated' } } }),
  },
  delays: { alarmRering: constants.alarmRering, retryPause: constants.realtimeRetry, answerTimeout },
});

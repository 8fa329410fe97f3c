import { lookOf, type NotificationData, type NotificationType } from '#models/notifications.ts';
import { lengthOf } from '#models/time.ts';
import type { notifications } from '../schema/index.ts';
import { demoAnnounceToken } from './announces.ts';
import type { DemoAlarm } from './alarms.ts';
import { demoId, dice } from './chance.ts';
import type { DemoDevice } from './devices.ts';
import type { UserRow } from './people.ts';

type Notice = typeof notifications.$inferInsert;
interface Noticed {
  type: NotificationType;
  data: NotificationData;
  at: number;
}
const hour = lengthOf(1, 'hour');
const day = 24 * hour;

/** What everybody hears of an alarm: that it was raised, cleared, processed. */
const ofAlarm = (
  { id, sensor, deviceId, deviceName, enabledAt, disabledAt, processedAt, processedBy, processedByName, comment }: DemoAlarm,
  group: string,
): Noticed[] => {
  const data: NotificationData = { device: { id: deviceId ?? id, name: deviceName }, group, alarm: { id, sensor } };
  const person = processedBy ? { user: { id: processedBy, name: processedByName ?? '' } } : {};
  return [
    { type: 'alarm_enabled', data, at: enabledAt.getTime() },
    ...(disabledAt ? [{ type: 'alarm_disabled', data, at: disabledAt.getTime() } as const] : []),
    { type: 'alarm_processed', data: { ...data, ...person, lines: comment ? [comment] : [] }, at: processedAt.getTime() },
  ];
};

const announces = ['Elevator service on Thursday', 'Summer party in the yard'] as const;
const topics = ['Parcel at the desk', 'Noise on floor 4', 'Guest parking on Saturday', 'Lost bike key'] as const;

interface World {
  projectId: string;
  devices: readonly DemoDevice[];
  people: readonly UserRow[];
  at: Date;
}

/** What somebody who keeps the devices hears now and then. */
function ofDevices({ devices, at }: World, seed: number): Noticed[] {
  const { below, pick, chance } = dice(seed);
  const settings = Array.from({ length: 9 }, (): Noticed => {
    const device = pick(devices);
    const failed = chance(0.2);
    const data = {
      device: { id: device.id, name: device.name },
      has_error: failed,
      ...(failed && { lines: ['The device responded: settings section “network” is not valid'] }),
    };
    return { type: 'device_broker_settings_sent', data, at: at.getTime() - hour - below(50 * day) };
  });
  const reboot = at.getTime() - 12 * day;
  return [...settings, { type: 'sip_reboot_started', data: {}, at: reboot }, { type: 'sip_reboot_completed', data: {}, at: reboot + 40_000 }];
}

/** What somebody who lives or works here hears now and then. */
function ofHouse({ devices, people, at }: World, reader: UserRow, seed: number): Noticed[] {
  const { below, pick } = dice(seed);
  const author = { id: people[0]?.id ?? reader.id, name: people[0]?.name ?? reader.name };
  const moment = (): number => at.getTime() - hour - below(45 * day);
  return [
    ...announces.map((title): Noticed => ({
      type: 'announce_received',
      data: { title, token: demoAnnounceToken(title), user: author },
      at: moment(),
    })),
    ...topics.map((title): Noticed => ({ type: 'conversation_message_received', data: { title, user: author }, at: moment() })),
    ...Array.from({ length: 6 }, (): Noticed => {
      const device = pick(devices);
      return {
        type: 'user_used_identifier_on_device',
        data: { user: { id: reader.id, name: reader.name }, device: { id: device.id, name: device.name }, identifier: String(1_000 + below(9_000)) },
        at: moment(),
      };
    }),
  ];
}

/** Some weeks of notifications for the people behind the demo logins; the newest few are unread, none of the important ones. */
export function demoNotices(
  world: World,
  readers: readonly { user: UserRow; sees: (alarm: DemoAlarm) => boolean; managesDevices: boolean }[],
  alarms: readonly { alarm: DemoAlarm; group: string }[],
): Notice[] {
  return readers.flatMap(({ user, sees, managesDevices }, person) => {
    const notices = [
      ...ofHouse(world, user, 40 + person),
      ...(managesDevices ? ofDevices(world, 60 + person) : []),
      ...alarms.filter(({ alarm }) => sees(alarm)).flatMap(({ alarm, group }) => ofAlarm(alarm, group)),
    ].toSorted((one, other) => other.at - one.at);
    let unread = 4;
    return notices.map(({ type, data, at }, index): Notice => {
      const { significance } = lookOf(type, data);
      const isUnread = significance === 'normal' && unread > 0;
      if (isUnread) unread -= 1;
      return {
        id: demoId(`${user.id} notice ${index}`),
        projectId: world.projectId,
        userId: user.id,
        type,
        data,
        significance,
        createdAt: new Date(at),
        readAt: isUnread ? null : new Date(at + 5 * 60_000),
      };
    });
  });
}

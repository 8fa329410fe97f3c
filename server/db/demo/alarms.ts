import type { AlarmSensor } from '#models/device-alarms.ts';
import { lengthOf } from '#models/time.ts';
import type { alarmCalls, deviceAlarms } from '../schema/index.ts';
import { demoId, dice } from './chance.ts';
import type { DemoDevice } from './devices.ts';
import type { UserRow } from './people.ts';

export type DemoAlarm = typeof deviceAlarms.$inferInsert & { id: string; processedAt: Date };
type DemoCall = typeof alarmCalls.$inferInsert;

const day = lengthOf(1, 'day');
const minute = 60_000;
/** What trips in a house like this, the frequent more than once, each with what the desk wrote about it. */
const stories: readonly [AlarmSensor, readonly string[]][] = [
  ['door', ['Held open by movers, now closed.', 'Delivery, wedge removed.', 'Weak door closer, reported to maintenance.']],
  ['door', ['Left open after the cleaning round.', 'Checked, no one there, closed.']],
  ['pir', ['Night cleaning, on the list.', 'A cat.', 'Checked on patrol, nobody found.']],
  ['smoke', ['Burnt toast in the kitchen, aired out.', 'Dust from drilling on the floor above, detector cleaned.']],
  ['window', ['Wind; window closed and latched.', 'Open for airing, tenant informed.']],
  ['flood', ['Washing machine hose, water turned off, plumber called.', 'Condensate of the air conditioning, wiped up.']],
  ['pull_cord', ['Pulled by a visiting child. Spoke with the parents.', 'Resident had slipped, was helped up, no ambulance needed.']],
  ['bed_mat', ['Resident was in the bathroom, all well.']],
  ['panic', ['Pressed by mistake while cleaning the desk.', 'Drill, announced beforehand.']],
  ['gas', ['Sensor due for its annual check, replaced.']],
];

interface World {
  projectId: string;
  devices: readonly DemoDevice[];
  /** Who at the desk sees a device. */
  deskOf: (device: DemoDevice) => readonly UserRow[];
  at: Date;
  seed: number;
}

/** Alarms of the last sixty days, every one seen to by somebody at the desk. */
export function demoAlarms({ projectId, devices, deskOf, at, seed }: World, count: number): DemoAlarm[] {
  const { below, pick, chance } = dice(seed);
  return Array.from({ length: count }, (_, index): DemoAlarm => {
    const device = pick(devices);
    const [sensor, comments] = pick(stories);
    const person = pick(deskOf(device));
    const tripped = at.getTime() - lengthOf(3, 'hour') - below(60 * day);
    const claimed = tripped + 6_000 + below(3 * minute);
    const processed = claimed + 2 * minute + below(40 * minute);
    return {
      id: demoId(`${projectId} alarm ${index}`),
      projectId,
      version: 4,
      createdBy: null,
      createdAt: new Date(tripped),
      updatedAt: new Date(processed),
      deviceId: device.id,
      deviceName: device.name,
      domainId: device.domainId,
      sensor,
      state: 'processed',
      enabledAt: new Date(tripped),
      disabledAt: chance(0.8) ? new Date(tripped + 1_000 + below(processed - tripped - 2_000)) : null,
      claimedBy: person.id,
      claimedByName: person.name,
      claimedAt: new Date(claimed),
      processedBy: person.id,
      processedByName: person.name,
      processedAt: new Date(processed),
      comment: chance(0.92) ? pick(comments) : null,
    };
  });
}

/** Presses of SOS buttons in the last sixty days. */
export function demoAlarmCalls({ projectId, devices, at, seed }: World, count: number): DemoCall[] {
  const { below, pick } = dice(seed + 1);
  return Array.from({ length: count }, (_, index): DemoCall => {
    const device = pick(devices);
    const calledAt = new Date(at.getTime() - lengthOf(1, 'hour') - below(60 * day));
    return {
      id: demoId(`${projectId} alarm call ${index}`),
      projectId,
      deviceId: device.id,
      deviceName: device.name,
      domainId: device.domainId,
      calledAt,
      createdAt: calledAt,
    };
  });
}

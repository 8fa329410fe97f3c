import { z } from 'zod';
import { defineModel, named, type RowOf } from './define-model.ts';
import { personThen } from './hidden-name.ts';
import { optionalText } from './rules.ts';

/** What a device can be alarmed by (spec A4.1). */
export const alarmSensors = ['smoke', 'gas', 'pir', 'door', 'window', 'panic', 'flood', 'pull_cord', 'bed_mat'] as const;
export type AlarmSensor = (typeof alarmSensors)[number];
/** Enabled while the sensor is tripped, disabled once it has cleared, processed when somebody has seen to it. */
export const alarmStates = ['enabled', 'disabled', 'processed'] as const;
export type AlarmState = (typeof alarmStates)[number];

/** What somebody writes when an alarm is processed. */
export const alarmComment = optionalText(1_000);

/** Which alarm a call of the desk is about. */
export const byAlarm = z.strictObject({ alarm_id: z.uuid() });

/** Alarms of devices. They come about by themselves; the comment is all that is written later, by the person who processed it. */
export const deviceAlarms = defineModel({
  name: 'device-alarms',
  fields: { comment: alarmComment },
  shown: {
    /** The row's id under the name the contract has for it: claiming and processing take it. */
    alarm_id: z.uuid(),
    /** Null once the device is gone or hidden. */
    device: named.nullable(),
    /** What it was called when the sensor tripped. */
    device_name: z.string(),
    group: named.nullable(),
    /** Names from the highest group down to the device's. */
    path: z.array(z.string()),
    sensor: z.enum(alarmSensors),
    state: z.enum(alarmStates),
    enabled_at: z.iso.datetime(),
    disabled_at: z.iso.datetime().nullable(),
    claimed_by: personThen.nullable(),
    claimed_at: z.iso.datetime().nullable(),
    processed_by: personThen.nullable(),
    processed_at: z.iso.datetime().nullable(),
  },
  initial: { comment: '' },
  filters: {
    state: 'choice',
    sensor: 'choice',
    device: 'ref',
    group: 'ref',
    device_name: 'text',
    enabled_at: 'time',
    claimed_by: 'ref',
    processed_by: 'ref',
    comment: 'text',
  },
  sorts: ['enabled_at', 'device_name', 'sensor', 'state', 'processed_at'],
});
export type DeviceAlarm = RowOf<typeof deviceAlarms>;

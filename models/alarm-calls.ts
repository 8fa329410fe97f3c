import { z } from 'zod';
import { defineModel, named, type RowOf } from './define-model.ts';

/** Presses of the SOS button: which device, where, when. */
export const alarmCalls = defineModel({
  name: 'alarm-calls',
  fields: {},
  shown: {
    /** Null once the device is gone or hidden. */
    device: named.nullable(),
    /** What it was called at the time. */
    device_name: z.string(),
    group: named.nullable(),
    /** Names from the highest group down to the device's. */
    path: z.array(z.string()),
    called_at: z.iso.datetime(),
  },
  initial: {},
  filters: { device: 'ref', group: 'ref', device_name: 'text', called_at: 'time' },
  sorts: ['called_at', 'device_name'],
});
export type AlarmCall = RowOf<typeof alarmCalls>;

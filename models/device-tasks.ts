import { z } from 'zod';
import { defineModel, named, type RowOf } from './define-model.ts';

/** What a device is asked to do. */
export const deviceTaskKinds = [
  'apply_settings',
  'init',
  'synchronise',
  'reinit',
  'restart',
  'open_door',
  'set_protocol',
  'remote_control',
  'call_elevator',
  'enrol_card',
  'play_alert',
  'stop_alert',
  'show_message',
  'hide_message',
] as const;
export type DeviceTaskKind = (typeof deviceTaskKinds)[number];
/** The life of a task (spec A4.1); which goes into which is `machines/lifecycles/device-task.machine.ts`. */
export const deviceTaskStatuses = ['new', 'queued', 'started', 'waiting', 'completed', 'error', 'stopped'] as const;
export type DeviceTaskStatus = (typeof deviceTaskStatuses)[number];

/** The queue of every device: what it is to do, what it did, and what went wrong. */
export const deviceTasks = defineModel({
  name: 'device-tasks',
  fields: {},
  shown: {
    kind: z.enum(deviceTaskKinds),
    device: named.nullable(),
    status: z.enum(deviceTaskStatuses),
    /** How often it was tried. */
    attempts: z.int(),
    error: z.string().nullable(),
    user: named.nullable(),
    queued_at: z.iso.datetime().nullable(),
    started_at: z.iso.datetime().nullable(),
    finished_at: z.iso.datetime().nullable(),
  },
  label: 'kind',
  initial: {},
  filters: { status: 'choice', kind: 'choice', device: 'ref', user: 'ref', error: 'text', created_at: 'time', finished_at: 'time' },
  sorts: ['created_at', 'kind', 'status', 'device', 'started_at', 'finished_at'],
  defaultSort: ['-created_at'],
  search: ['error'],
  readOnly: true,
});
export type DeviceTask = RowOf<typeof deviceTasks>;

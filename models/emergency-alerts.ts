import { z } from 'zod';
import { constants } from './constants.ts';
import { defineModel, placedGroup, type RowOf } from './define-model.ts';
import { choice, flag, name, refs, requiredText, wholeNumber } from './rules.ts';

/** Devices that can speak to people. */
export const alertDeviceTypes = ['monitor', 'panel'] as const;
/** new: has never been started; started: shown and played now; stopped: over, may be started again. */
export const emergencyAlertStatuses = ['new', 'started', 'stopped'] as const;
export type EmergencyAlertStatus = (typeof emergencyAlertStatuses)[number];

/** What people are told in an emergency, prepared beforehand (FIELD-41, DATA-58 to DATA-60). */
export const emergencyAlerts = defineModel({
  name: 'emergency-alerts',
  fields: {
    name: name(),
    /** What people read, and what is spoken where speech is generated. */
    message: requiredText(500),
    domains: refs('groups', 1, 'alert_needs_recipients'),
    device_type: choice(alertDeviceTypes),
    /** So many seconds devices play it; on screens it stays until it is stopped. */
    playback_duration: wholeNumber(1, 3_600),
    /** Opens the doors of the groups; never in a drill. */
    open_locks: flag(),
  },
  shown: {
    domains: z.array(placedGroup),
    /** Of the recording that devices play. */
    filename: z.string().nullable(),
    status: z.enum(emergencyAlertStatuses),
    is_drill: z.boolean(),
    started_at: z.iso.datetime().nullable(),
    ended_at: z.iso.datetime().nullable(),
    /** Of the last start: to whom it went, who has seen it, who says that they are safe. */
    recipients_count: z.int(),
    seen_count: z.int(),
    safe_count: z.int(),
    created_by: z.uuid().nullable(),
  },
  initial: {
    name: '',
    message: '',
    domains: [],
    device_type: 'monitor',
    playback_duration: constants.playbackDurationSeconds,
    open_locks: false,
  },
  filters: {
    name: 'text',
    message: 'text',
    status: 'choice',
    device_type: 'choice',
    domains: 'refs',
    open_locks: 'flag',
    started_at: 'time',
    created_at: 'time',
  },
  sorts: ['name', 'status', 'started_at', 'created_at', 'updated_at'],
});
export type EmergencyAlert = RowOf<typeof emergencyAlerts>;

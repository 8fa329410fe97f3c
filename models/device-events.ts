import { z } from 'zod';
import { defineModel, named, picture, type RowOf } from './define-model.ts';
import { personThen } from './hidden-name.ts';

/** What devices tell of themselves. */
export const deviceEventTypes = [
  'access_granted',
  'access_denied',
  'door_opened',
  'door_closed',
  'door_held',
  'door_forced',
  'opened_remotely',
  'exit_button',
  'call_started',
  'call_answered',
  'call_missed',
  'call_ended',
  'online',
  'offline',
  'rebooted',
  'settings_applied',
  'synchronised',
  'tampered',
  'sos',
  'alarm',
  'elevator_called',
  'elevator_arrived',
] as const;
export type DeviceEventType = (typeof deviceEventTypes)[number];
export const eventPriorities = ['low', 'medium', 'high', 'critical'] as const;
/** Types of identifiers (spec A4.1). */
export const identifierTypes = ['card', 'ukey', 'ukey2', 'access_code', 'url', 'license_plate', 'qr', 'face'] as const;
export type IdentifierType = (typeof identifierTypes)[number];
/** Why a reader said no. */
export const denialReasons = [
  'unknown_identifier',
  'no_rule',
  'outside_schedule',
  'expired',
  'not_yet_valid',
  'revoked',
  'blocked',
  'passes_used',
  'prohibited',
  'anti_passback',
  'not_licensed',
] as const;
export type DenialReason = (typeof denialReasons)[number];

/** The log of all devices: who opened what with which identifier, who was refused and why, what happened to the device itself. */
export const deviceEvents = defineModel({
  name: 'device-events',
  fields: {},
  shown: {
    type: z.enum(deviceEventTypes),
    priority: z.enum(eventPriorities),
    device: named.nullable(),
    /** What the device was called at the time. */
    device_name: z.string(),
    /** Names from the highest group one may see down to the device's; empty once the device is gone. */
    path: z.array(z.string()),
    user: personThen.nullable(),
    identifier_type: z.enum(identifierTypes).nullable(),
    /** The end of the identifier, never the whole. */
    identifier_mask: z.string().nullable(),
    reason: z.enum(denialReasons).nullable(),
    data: z.record(z.string(), z.unknown()),
    image_url: picture.nullable(),
    occurred_at: z.iso.datetime(),
  },
  initial: {},
  filters: {
    type: 'choice',
    priority: 'choice',
    device: 'ref',
    device_name: 'text',
    user: 'ref',
    identifier_type: 'choice',
    reason: 'choice',
    occurred_at: 'time',
  },
  sorts: ['occurred_at', 'type', 'priority', 'device_name'],
});
export type DeviceEvent = RowOf<typeof deviceEvents>;

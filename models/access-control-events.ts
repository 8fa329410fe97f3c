import { z } from 'zod';
import { defineModel, named, picture, type RowOf } from './define-model.ts';
import { denialReasons, identifierTypes } from './device-events.ts';
import { personThen } from './hidden-name.ts';

/** What of a device's events is passing a door: by an identifier, let in or refused; by hand from afar; by the button inside. */
export const accessEventTypes = ['access_granted', 'access_denied', 'opened_remotely', 'exit_button'] as const;

/** The access log: who passed which door with what, who was refused and why. Names are those of the time. */
export const accessControlEvents = defineModel({
  name: 'access-control-events',
  fields: {},
  shown: {
    type: z.enum(accessEventTypes),
    device: named.nullable(),
    device_name: z.string(),
    /** Names from the highest group one may see down to the device's; empty once the device is gone. */
    path: z.array(z.string()),
    user: personThen.nullable(),
    /** The guest whose key it was, for whoever may see the key; once it is deleted, for those who may see all identifiers. */
    guest: z.string().nullable(),
    /** The identifier itself, if it is still there and in sight. */
    identifier: z.uuid().nullable(),
    identifier_type: z.enum(identifierTypes).nullable(),
    /** The end of the identifier, never the whole. */
    identifier_mask: z.string().nullable(),
    reason: z.enum(denialReasons).nullable(),
    /** What the rule and the schedule that decided were called. */
    rule: z.string().nullable(),
    schedule: z.string().nullable(),
    /** It was an unknown card that the reader of the log may add: `GET /access-control/events/{id}/card` tells its number. */
    has_card: z.boolean(),
    image_url: picture.nullable(),
    occurred_at: z.iso.datetime(),
  },
  initial: {},
  filters: {
    type: 'choice',
    device: 'ref',
    device_name: 'text',
    user: 'ref',
    identifier_type: 'choice',
    reason: 'choice',
    occurred_at: 'time',
  },
  sorts: ['occurred_at', 'type', 'device_name'],
});
export type AccessControlEvent = RowOf<typeof accessControlEvents>;

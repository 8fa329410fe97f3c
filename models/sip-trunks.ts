import { z } from 'zod';
import { defineModel, placedGroup, type RowOf } from './define-model.ts';
import { storedPassword, unlessStored } from './stored-password.ts';
import { choice, flag, name, optionalText, refs, requiredText, rule, secret } from './rules.ts';
import { dialable } from './sip.ts';
import { isSipAddress } from './sip-address.ts';

/** How a call that comes in by a trunk is known to be the provider's: by login and password, or by IP address and port alone. */
export const trunkAuthentications = ['digest', 'address'] as const;
export type TrunkAuthentication = (typeof trunkAuthentications)[number];

/** Lines to the telephone network: by which server, with which number, and for whose calls. */
export const sipTrunks = defineModel({
  name: 'sip-trunks',
  feature: 'sipTrunks',
  fields: {
    name: name(),
    /** The provider's server. */
    termination_uri: requiredText(255).refine((value) => value === '' || isSipAddress(value), rule('sip_address')),
    /** The number those called see. */
    outgoing_number: z
      .preprocess(
        (value) => (typeof value === 'string' ? value.replaceAll(/[\s()-]/g, '') : value),
        z.string().refine((value) => dialable.test(value), rule('dialable')),
      )
      .nullable()
      .meta({ kind: 'phone' }),
    login: optionalText(64),
    /** Write-only; null keeps the one that is stored. */
    password: secret(64).nullable(),
    groups: refs('groups', 1, 'trunk_needs_group'),
    incoming_authentication: choice(trunkAuthentications).optional(),
    /** Outside calls may reach door panels of the trunk's groups. */
    allow_panel_calls: flag().optional(),
    /** Keys pressed outside are passed to door panels of the trunk's groups. */
    allow_panel_keys: flag().optional(),
  },
  shown: {
    groups: z.array(placedGroup),
    has_password: z.boolean(),
    created_by: z.uuid().nullable(),
    incoming_authentication: z.enum(trunkAuthentications),
    allow_panel_calls: z.boolean(),
    allow_panel_keys: z.boolean(),
  },
  initial: {
    name: '',
    termination_uri: '',
    outgoing_number: '',
    login: '',
    password: '',
    groups: [],
    incoming_authentication: 'digest',
    allow_panel_calls: false,
    allow_panel_keys: false,
  },
  filters: {
    name: 'text',
    termination_uri: 'text',
    outgoing_number: 'text',
    groups: 'refs',
    incoming_authentication: 'choice',
    allow_panel_calls: 'flag',
    allow_panel_keys: 'flag',
    created_at: 'time',
  },
  sorts: ['name', 'termination_uri', 'outgoing_number', 'created_at', 'updated_at'],
  secretFields: ['password'],
  encode: (wire) => ({ ...wire, ...('password' in wire && { password: unlessStored(wire['password']) }) }),
  decode: (draft, row) => ({ ...draft, password: row['has_password'] ? storedPassword : '' }),
});
export type SipTrunk = RowOf<typeof sipTrunks>;

import { z } from 'zod';
import { defineModel, named } from './define-model.ts';
import { keptPassword, unkept } from './kept-password.ts';
import { name, optionalText, refs, requiredText, rule, secret } from './rules.ts';
import { dialable } from './sip.ts';

/** `sip:host`, `host:port`, an IPv6 address in brackets; `;transport=udp` or `tcp` behind it. */
const SIP_ADDRESS = /^(?:sips?:)?(?:[a-z\d](?:[a-z\d.-]{0,251}[a-z\d])?|\[[\da-f:]{2,39}\])(?::\d{1,5})?(?:;transport=(?:udp|tcp|tls))?$/i;

/** Lines to the telephone network: by which server, with which number, and for whose calls. */
export const sipTrunks = defineModel({
  name: 'sip-trunks',
  feature: 'sipTrunks',
  fields: {
    name: name(),
    /** The provider's server. */
    termination_uri: requiredText(255).refine((value) => value === '' || SIP_ADDRESS.test(value), rule('sip_address')),
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
  },
  shown: { groups: z.array(named), has_password: z.boolean(), created_by: z.uuid().nullable() },
  label: 'name',
  initial: { name: '', termination_uri: '', outgoing_number: '', login: '', password: '', groups: [] },
  filters: { name: 'text', termination_uri: 'text', outgoing_number: 'text', groups: 'refs', created_at: 'time' },
  sorts: ['name', 'termination_uri', 'outgoing_number', 'created_at', 'updated_at'],
  defaultSort: ['name'],
  search: ['name', 'termination_uri'],
  encode: (wire) => ({ ...wire, ...('password' in wire && { password: unkept(wire['password']) }) }),
  decode: (draft, row) => ({ ...draft, password: row['has_password'] ? keptPassword : '' }),
});

import { z } from 'zod';
import { defineModel, named, placedGroup, type RowOf } from './define-model.ts';
import { flag, name, optionalText, refs } from './rules.ts';

/** Which people, identifiers and groups may pass which devices on which schedules; a prohibition bars them instead. */
export const accessRules = defineModel({
  name: 'access-rules',
  fields: {
    name: name(),
    description: optionalText(),
    devices: refs('devices', 1, 'access_rule_needs_device'),
    /** One of them must hold; a rule without any always holds. */
    time_rules: refs('schedules'),
    /** A group stands for its people and those of all groups below it. */
    domains: refs('groups'),
    users: refs('users'),
    identifiers: refs('identifiers'),
    prohibition: flag(),
    /** May be given to somebody by people who may not change it. */
    is_shareable: flag(),
  },
  shown: {
    devices: z.array(named),
    time_rules: z.array(named),
    domains: z.array(placedGroup),
    /** In a list only when asked for. */
    users: z.array(named),
    identifiers: z.array(named),
    users_count: z.int(),
    identifiers_count: z.int(),
    created_by: z.uuid().nullable(),
  },
  initial: {
    name: '',
    description: '',
    devices: [],
    time_rules: [],
    domains: [],
    users: [],
    identifiers: [],
    prohibition: false,
    is_shareable: false,
  },
  filters: {
    name: 'text',
    description: 'text',
    devices: 'refs',
    time_rules: 'refs',
    domains: 'refs',
    users: 'refs',
    prohibition: 'flag',
    is_shareable: 'flag',
    created_at: 'time',
  },
  sorts: ['name', 'prohibition', 'created_at', 'updated_at'],
  relations: ['users', 'identifiers'],
});
export type AccessRule = RowOf<typeof accessRules>;

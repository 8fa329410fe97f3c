import { z } from 'zod';
import { defineModel } from './define-model.ts';
import { flag, name, optionalText } from './rules.ts';

/** Group types (domain types): what a group stands for, such as a house, an entrance, a floor, a flat. */
export const groupTypes = defineModel({
  name: 'group-types',
  fields: { name: name(), description: optionalText(), has_logic_address: flag() },
  shown: { groups_count: z.int() },
  initial: { name: '', description: '', has_logic_address: true },
  filters: { name: 'text', description: 'text', has_logic_address: 'flag', created_at: 'time' },
  sorts: ['name', 'created_at', 'updated_at'],
});

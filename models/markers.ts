import { defineModel } from './define-model.ts';
import { color, name } from './rules.ts';

/** Coloured labels that people put on users. */
export const markers = defineModel({
  name: 'markers',
  fields: { name: name(), color: color() },
  shown: {},
  initial: { name: '', color: '#2b5bd7' },
  filters: { name: 'text', color: 'text', created_at: 'time' },
  sorts: ['name', 'color', 'created_at', 'updated_at'],
});

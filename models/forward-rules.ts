import { z } from 'zod';
import { constants } from './constants.ts';
import { defineModel, type RowOf } from './define-model.ts';
import { flag, name, wholeNumber } from './rules.ts';

/** Seconds a queue rings. */
export const ringSeconds = () => wholeNumber(1, 600);

/** When a call to a group goes on from one queue of numbers to the next. */
export const forwardRules = defineModel({
  name: 'forward-rules',
  feature: 'sip',
  fields: {
    name: name(),
    /** `is_immediately`: the queues ring all at once; otherwise the next one after so many seconds without an answer. */
    redirect_if_no_answer: z.strictObject({ is_immediately: flag(), timeout: ringSeconds() }),
    /** Also where a number is busy, declines or cannot be reached. */
    redirect_if_error: flag(),
  },
  shown: { groups_count: z.int() },
  initial: {
    name: '',
    redirect_if_no_answer: { is_immediately: false, timeout: constants.forwardTimeoutSeconds },
    redirect_if_error: true,
  },
  filters: { name: 'text', redirect_if_error: 'flag', created_at: 'time' },
  sorts: ['name', 'created_at', 'updated_at'],
});
export type ForwardRule = RowOf<typeof forwardRules>;

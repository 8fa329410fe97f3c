import { defineForm } from '../define-form.ts';
import { toIssues } from '../issues.ts';
import { numberCalls } from '../sip-numbers.ts';
import { countTyped } from './typed.ts';

interface NumberRangeDraft {
  from: string;
  count: string;
  name: string;
  is_reserved: boolean;
}

/** A range of numbers as the contract wants it. */
export const rangeOf = ({ from, count, name, is_reserved }: NumberRangeDraft) => ({
  from: from.trim(),
  count: countTyped(count),
  name: name.trim() || null,
  is_reserved,
});

/** A range of numbers to be made; saving it asks what it comes to. */
export const numberRangeForm = defineForm({
  name: 'number-range',
  call: 'previewNumbers',
  start: (): NumberRangeDraft => ({ from: '', count: '10', name: '', is_reserved: false }),
  read: (draft) => {
    const wanted = rangeOf(draft);
    const read = numberCalls.generateNumbers.body.safeParse(wanted);
    return read.success ? { input: { body: { from: wanted.from, count: wanted.count } } } : { issues: toIssues(read.error) };
  },
});

import { utc } from '#models/time.ts';
import { DayInput } from '../day-input.tsx';
import type { FieldProps } from './field-props.ts';

/** A day of the calendar, the same wherever one is; on the wire YYYY-MM-DD. */
export function DateField({ id, path, label, value, onChange, invalid, describedBy }: FieldProps) {
  return (
    <DayInput
      id={id}
      name={path}
      label={label}
      describedBy={describedBy}
      invalid={invalid}
      value={typeof value === 'string' && value !== '' ? utc(value).valueOf() : null}
      onChange={(local) => onChange(local === null ? '' : utc(local).format('YYYY-MM-DD'))}
    />
  );
}

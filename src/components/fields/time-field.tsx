import { lengthOf, secondsIn } from '#models/time.ts';
import { utc } from '#models/time.ts';
import { TextInput } from '../text-input.tsx';
import type { FieldProps } from './field-props.ts';

const day = secondsIn(1, 'day');
/** Seconds since midnight as hours and minutes; the midnight at the end of a day as the one it begins with. */
export const clockText = (seconds: number): string => utc(lengthOf(seconds % day, 'second')).format('HH:mm');

/** A time of day, on the wire in seconds since midnight; the browser's own control, which phones show well. */
export function TimeField({ id, path, value, onChange, invalid, describedBy }: FieldProps) {
  return (
    <TextInput
      id={id}
      name={path}
      type="time"
      className="time-input"
      invalid={invalid}
      aria-describedby={describedBy}
      value={typeof value === 'number' ? clockText(value) : ''}
      onChange={({ target }) => onChange(target.value === '' ? null : utc(`1970-01-01T${target.value}`).valueOf() / lengthOf(1, 'second'))}
    />
  );
}

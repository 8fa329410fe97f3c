import { useState } from 'react';
import { readText } from '#models/time-text.ts';
import { lengthOf, secondsIn, utc } from '#models/time.ts';
import { TextInput } from '../text-input.tsx';
import { useText } from '../text.ts';
import type { FieldProps } from './field-props.ts';

const day = secondsIn(1, 'day');
/** Seconds since midnight as hours and minutes; the midnight at the end of a day as the one it begins with. */
export const clockText = (seconds: number): string => utc(lengthOf(seconds % day, 'second')).format('HH:mm');

const formats = ['HH:mm', 'H:mm', 'HHmm', 'HH', 'H'];
/** What somebody typed, in seconds since midnight: 18:30, 1830 or 18; null for what is no time. */
function readClock(typed: string): number | null {
  const text = typed.trim().replace('.', ':');
  const moment = readText(text, formats);
  return moment === null ? null : (moment - utc(moment).startOf('day').valueOf()) / lengthOf(1, 'second');
}

/** A time of day, on the wire in seconds since midnight; typed by 24 hours, as all times are shown. What cannot be read is refused, not lost. */
export function TimeField({ id, path, value, onChange, invalid, describedBy }: FieldProps) {
  const { t } = useText();
  const [typed, setTyped] = useState<string>();
  const unreadable = typed !== undefined && readClock(typed) === null;
  return (
    <TextInput
      id={id}
      name={path}
      className="time-input"
      inputMode="numeric"
      autoComplete="off"
      maxLength={5}
      placeholder={t('list.fields.clock')}
      invalid={invalid || unreadable}
      aria-describedby={describedBy}
      value={typed ?? (typeof value === 'number' ? clockText(value) : '')}
      onChange={({ target }) => {
        setTyped(target.value);
        onChange(readClock(target.value));
      }}
      onBlur={() => !unreadable && setTyped(undefined)}
    />
  );
}

import { useContext } from 'react';
import { localTime, momentAt } from '#models/zone.ts';
import { DayInput } from '../day-input.tsx';
import { ClockworkContext } from '../when.tsx';
import type { FieldProps } from './field-props.ts';

/** Day and time by the person's own clock. */
export function MomentField({ id, path, value, onChange, label, invalid, describedBy }: FieldProps) {
  const zone = useContext(ClockworkContext);
  const moment = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return (
    <DayInput
      id={id}
      name={path}
      withTime
      label={label}
      invalid={invalid}
      describedBy={describedBy}
      value={Number.isNaN(moment) ? null : localTime(zone, moment)}
      onChange={(local) => onChange(local === null ? null : new Date(momentAt(zone, local)).toISOString())}
    />
  );
}

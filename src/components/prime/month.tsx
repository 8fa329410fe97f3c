import { Calendar } from 'primereact/calendar';
import { dayAsUtc, dayHere, utc } from '#models/time.ts';
import 'primereact/resources/themes/lara-light-blue/theme.css?only=calendar';
import { Prime } from './prime.tsx';
import './month.css';

export interface MonthProps {
  /** The day and time chosen, as a clock there shows it: milliseconds since 1970 as if that were UTC. */
  value: number | null;
  label: string;
  onChange: (local: number) => void;
}

/** What is chosen and walked to is the label in a day's cell, so that is the cell of the grid. */
const inGrid = { day: { role: 'none', 'aria-label': undefined }, dayLabel: { role: 'gridcell' } } as const;

/** A month to choose a day from; the time of day stays. */
export default function Month({ value, label, onChange }: MonthProps) {
  return (
    <Prime>
      <Calendar
        inline
        className="month"
        aria-label={label}
        pt={inGrid}
        // PrimeReact reads a date by the browser's zone; the fields of ours are those of the person's.
        value={value === null ? null : dayHere(value)}
        onChange={({ value: chosen }) => {
          if (!chosen) return;
          const time = value === null ? 0 : value - utc(value).startOf('day').valueOf();
          onChange(dayAsUtc(chosen) + time);
        }}
      />
    </Prime>
  );
}

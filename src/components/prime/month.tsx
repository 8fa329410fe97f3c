import { Calendar } from 'primereact/calendar';
import 'primereact/resources/themes/lara-light-blue/theme.css?only=calendar';
import { Prime } from './prime.tsx';
import './month.css';

export interface MonthProps {
  /** The day and time chosen, as a clock there shows it: milliseconds since 1970 as if that were UTC. */
  value: number | null;
  label: string;
  onChange: (local: number) => void;
}

/** PrimeReact reads a date by the browser's zone; the fields of ours are those of the person's. */
const toDate = (local: number): Date => {
  const at = new Date(local);
  return new Date(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate());
};
const day = 86_400_000;
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
        value={value === null ? null : toDate(value)}
        onChange={({ value: chosen }) => {
          if (!chosen) return;
          const time = value === null ? 0 : ((value % day) + day) % day;
          onChange(Date.UTC(chosen.getFullYear(), chosen.getMonth(), chosen.getDate()) + time);
        }}
      />
    </Prime>
  );
}

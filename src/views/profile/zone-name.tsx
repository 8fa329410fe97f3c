import { useContext, useState } from 'react';
import { ClockworkContext } from '#src/components/when.tsx';
import { ZoneSheet } from './zone-field.tsx';
import { zoneText } from './zones.ts';
import './zone-name.css';

interface ZoneNameProps {
  id: string;
  label: string;
  value: unknown;
  /** What is said where no zone is chosen, and of the way back to that. */
  words: { none: string; clear: string };
  describedBy: string | undefined;
  onChange: (name: string | null) => void;
}

/** A time zone by its name, or none. */
export function ZoneName({ id, label, value, words, describedBy, onChange }: ZoneNameProps) {
  const { now } = useContext(ClockworkContext);
  const [choosing, setChoosing] = useState(false);
  const zone = { zoneHours: 0, zoneName: typeof value === 'string' ? value : null };
  const text = zone.zoneName === null ? words.none : zoneText(zone, now());
  return (
    <div className="zone-name">
      <button
        id={id}
        type="button"
        className="native-select zone-choice"
        aria-haspopup="dialog"
        aria-label={`${label}: ${text}`}
        aria-describedby={describedBy}
        onClick={() => setChoosing(true)}
      >
        {text}
      </button>
      {zone.zoneName !== null && (
        <button type="button" className="icon-button" aria-label={words.clear} onClick={() => onChange(null)}>
          <i className="pi pi-times" aria-hidden="true" />
        </button>
      )}
      {choosing && <ZoneSheet named zone={zone} onChange={({ zoneName }) => onChange(zoneName)} onClose={() => setChoosing(false)} />}
    </div>
  );
}

import { useContext, useState } from 'react';
import type { FieldProps } from '#src/components/fields/field-props.ts';
import { useText } from '#src/components/text.ts';
import { ClockworkContext } from '#src/components/when.tsx';
import { ZoneSheet } from '#src/views/profile/zone-field.tsx';
import { zoneText } from '#src/views/profile/zones.ts';
import './groups.css';

/** The zone whose clocks a group's schedules follow, or that of the group above. */
export function ZoneNameField({ id, label, value, onChange, describedBy }: FieldProps) {
  const { t } = useText();
  const { now } = useContext(ClockworkContext);
  const [choosing, setChoosing] = useState(false);
  const zone = { zoneHours: 0, zoneName: typeof value === 'string' ? value : null };
  const text = zone.zoneName === null ? t('areas.groups.zone_as_above') : zoneText(zone, now());
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
        <button type="button" className="icon-button" aria-label={t('areas.groups.zone_as_above')} onClick={() => onChange(null)}>
          <i className="pi pi-times" aria-hidden="true" />
        </button>
      )}
      {choosing && <ZoneSheet named zone={zone} onChange={({ zoneName }) => onChange(zoneName)} onClose={() => setChoosing(false)} />}
    </div>
  );
}

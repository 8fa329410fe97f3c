import { useContext, useMemo, useState } from 'react';
import type { Zone } from '#models/zone.ts';
import { describedBy, FieldFrame } from '#src/components/fields/field-frame.tsx';
import { PickerSheet } from '#src/components/picker-sheet.tsx';
import { useText } from '#src/components/text.ts';
import { ClockworkContext } from '#src/components/when.tsx';
import { isChosen, zoneChoices, zonesFound, zoneText } from './zones.ts';

interface ZoneFieldProps {
  zone: Zone;
  issue: string | undefined;
  onChange: (zone: Zone) => void;
}

/** So many zones are drawn at once. */
const step = 100;

interface ZoneSheetProps extends Omit<ZoneFieldProps, 'issue'> {
  /** Only zones with a name, no plain hours. */
  named?: boolean;
  onClose: () => void;
}

/** All zones, looked for by city, country or offset. */
export function ZoneSheet({ zone, named = false, onChange, onClose }: ZoneSheetProps) {
  const { t, locale } = useText();
  const { now } = useContext(ClockworkContext);
  const [search, setSearch] = useState('');
  const [shown, setShown] = useState(step);
  const [opened] = useState(now);
  const all = useMemo(() => zoneChoices(locale, opened, t('interface.profile.plain_hours')), [locale, opened, t]);
  const choices = named ? all.filter(({ zoneName }) => zoneName !== null) : all;
  const found = zonesFound(choices, search);
  const chosen = choices.filter((choice) => isChosen(choice, zone));
  return (
    <PickerSheet
      title={t('interface.profile.time_zone')}
      multiple={false}
      search={search}
      rows={found.slice(0, shown)}
      chosen={chosen}
      total={found.length}
      state="ready"
      problem={undefined}
      onSearch={(text) => {
        setSearch(text);
        setShown(step);
      }}
      onToggle={({ id }) => {
        const choice = choices.find((one) => one.id === id);
        if (choice) onChange({ zoneHours: choice.zoneHours, zoneName: choice.zoneName });
        onClose();
      }}
      onMore={() => setShown(shown + step)}
      onRetry={onClose}
      onDone={onClose}
      onClose={onClose}
    />
  );
}

/** The zone a person reads time in, looked for by city, country or offset. */
export function ZoneField({ zone, issue, onChange }: ZoneFieldProps) {
  const { t } = useText();
  const { now } = useContext(ClockworkContext);
  const [choosing, setChoosing] = useState(false);
  const id = 'profile-time_zone';
  const label = t('interface.profile.time_zone');
  const value = zoneText(zone, now());
  return (
    <FieldFrame id={id} path="time_zone" label={label} issue={issue} required={false}>
      <button
        id={id}
        type="button"
        className="native-select zone-choice"
        aria-haspopup="dialog"
        aria-label={`${label}: ${value}`}
        aria-describedby={describedBy(id, undefined, issue)}
        onClick={() => setChoosing(true)}
      >
        {value}
      </button>
      {choosing && <ZoneSheet zone={zone} onChange={onChange} onClose={() => setChoosing(false)} />}
    </FieldFrame>
  );
}

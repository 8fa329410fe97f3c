import type { FieldProps } from '#src/components/fields/field-props.ts';
import { useText } from '#src/components/text.ts';
import { ZoneName } from '#src/views/profile/zone-name.tsx';

/** The zone whose clocks a group's schedules follow, or that of the group above. */
export function ZoneNameField({ id, label, value, onChange, describedBy }: FieldProps) {
  const { t } = useText();
  const above = t('areas.groups.zone_as_above');
  return <ZoneName id={id} label={label} value={value} words={{ none: above, clear: above }} describedBy={describedBy} onChange={onChange} />;
}

import type { DeviceSettings } from '#models/device-settings.ts';
import type { FieldProps } from '#src/components/fields/field-props.ts';
import { useText } from '#src/components/text.ts';
import { useReading } from '#src/views/area/use-reading.ts';

const idOf = (value: unknown): string | null => {
  if (typeof value === 'string') return value || null;
  return value !== null && typeof value === 'object' && 'id' in value ? String(value.id) : null;
};

/** One of the cameras of the chosen integration. */
export function CameraField({ id, path, value, onChange, invalid, describedBy, draft }: FieldProps) {
  const { t } = useText();
  const integration = idOf((draft['device_settings'] as Partial<DeviceSettings> | undefined)?.integration_axxon?.integration);
  const { answer } = useReading('integrationCameras', integration === null ? null : { params: { id: integration } });
  const cameras = answer ?? [];
  const chosen = typeof value === 'string' ? value : '';
  return (
    <select
      id={id}
      name={path}
      className="plain-select"
      value={chosen}
      disabled={integration === null}
      aria-invalid={invalid}
      aria-describedby={describedBy}
      onChange={({ target }) => onChange(target.value || null)}
    >
      <option value="">{t(integration === null ? 'areas.devices.camera.none' : 'list.none')}</option>
      {chosen !== '' && !cameras.some((camera) => camera.access_point === chosen) && <option value={chosen}>{chosen}</option>}
      {cameras.map((camera) => (
        <option key={camera.access_point} value={camera.access_point}>
          {camera.display_name}
        </option>
      ))}
    </select>
  );
}

import { deviceModel, deviceModels, isDeviceType } from '#models/device-models.ts';
import { useText } from '#src/components/text.ts';
import type { FieldProps } from '#src/components/fields/field-props.ts';

/** The models of the chosen type, and what the chosen one can do. */
export function ModelField({ id, path, value, onChange, draft, invalid, describedBy, required }: FieldProps) {
  const { t } = useText();
  const { type } = draft;
  const name = typeof value === 'string' ? value : '';
  const { relays, buttons, can } = deviceModel(type, name);
  const known = isDeviceType(type) ? deviceModels[type] : [];
  const abilities = [
    ...(relays > 0 ? [t('areas.devices.can.relays', { count: relays })] : []),
    ...(buttons > 0 ? [t('areas.devices.can.buttons', { count: buttons })] : []),
    ...can.map((ability) => t(`areas.devices.can.${ability}`)),
  ];
  return (
    <>
      <select
        id={id}
        name={path}
        className="plain-select"
        value={name}
        aria-invalid={invalid}
        aria-describedby={[describedBy, abilities.length > 0 && `${id}-can`].filter(Boolean).join(' ') || undefined}
        aria-required={required}
        onChange={(event) => onChange(event.target.value)}
      >
        {name === '' && <option value="">{t('list.none')}</option>}
        {name !== '' && !known.some((model) => model.name === name) && <option value={name}>{name}</option>}
        {known.map((model) => (
          <option key={model.name} value={model.name}>
            {model.name}
          </option>
        ))}
      </select>
      {abilities.length > 0 && (
        <p id={`${id}-can`} className="field-hint">
          {abilities.join(' · ')}
        </p>
      )}
    </>
  );
}

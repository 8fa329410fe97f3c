import { useText } from '../text.ts';
import type { FieldProps } from './field-props.ts';

interface Drawn {
  type: string;
  is_active: boolean;
}

/** The types of licences a group draws on, one box each. */
export function LicenceTypesField({ id, value, onChange, label, readOnly }: FieldProps) {
  const { t } = useText();
  const types = Array.isArray(value) ? (value as Drawn[]) : [];
  return (
    <fieldset className="field-block field-types">
      <legend>{label}</legend>
      {types.map(({ type, is_active }) => (
        <label key={type} className="field-flag">
          <input
            type="checkbox"
            className="check"
            id={`${id}-${type}`}
            checked={is_active}
            disabled={readOnly}
            onChange={(event) => onChange(types.map((one) => (one.type === type ? { ...one, is_active: event.target.checked } : one)))}
          />
          <span>{t(`list.licences.types.${type}`)}</span>
        </label>
      ))}
    </fieldset>
  );
}

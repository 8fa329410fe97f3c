import type { FieldProps } from './field-props.ts';

/** Yes or no, with its words beside the box. */
export function FlagField({ id, path, value, onChange, label, readOnly, invalid, describedBy }: FieldProps) {
  return (
    <label className="field-flag">
      <input
        type="checkbox"
        className="check"
        id={id}
        name={path}
        checked={value === true}
        disabled={readOnly}
        aria-invalid={invalid}
        aria-describedby={describedBy}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>{label}</span>
    </label>
  );
}

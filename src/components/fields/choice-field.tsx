import { Dropdown } from 'primereact/dropdown';
import { useText } from '#src/components/text.ts';
import type { FieldProps } from './field-props.ts';

/** One of a closed set of words. */
export function ChoiceField({ id, path, area, value, onChange, meta, label, invalid, describedBy }: FieldProps) {
  const { t } = useText();
  const options = (meta.words ?? []).map((word) => ({ value: word, label: t(`areas.${area}.options.${path}.${word}`) }));
  return (
    <Dropdown
      inputId={id}
      name={path}
      value={value}
      options={options}
      invalid={invalid}
      aria-label={label}
      aria-describedby={describedBy}
      showClear={meta.nullable}
      onChange={(event) => onChange(event.value ?? null)}
    />
  );
}

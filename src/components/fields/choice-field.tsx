import { useText } from '#src/components/text.ts';
import type { FieldProps } from './field-props.ts';

/** One of a closed set of words; the browser's own list, which phones show well and dialogs never cover. */
export function ChoiceField({ id, path, area, value, onChange, meta, invalid, describedBy }: FieldProps) {
  const { t } = useText();
  return (
    <select
      id={id}
      name={path}
      className="plain-select"
      value={typeof value === 'string' ? value : ''}
      aria-invalid={invalid}
      aria-describedby={describedBy}
      onChange={(event) => onChange(event.target.value || null)}
    >
      {(meta.nullable || !value) && <option value="">{t('list.none')}</option>}
      {(meta.words ?? []).map((word) => (
        <option key={word} value={word}>
          {t(`areas.${area}.options.${path}.${word}`)}
        </option>
      ))}
    </select>
  );
}

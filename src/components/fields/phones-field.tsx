import { useText } from '#src/components/text.ts';
import { TextInput } from '#src/components/text-input.tsx';
import { AddChip } from '#src/components/chips.tsx';
import type { FieldProps } from './field-props.ts';
import './numbers.css';

/** Numbers typed by hand, one a line. */
export function PhonesField({
  id,
  value,
  onChange,
  label,
  describedBy,
  invalid,
}: Pick<FieldProps, 'id' | 'value' | 'onChange' | 'label' | 'describedBy' | 'invalid'>) {
  const { t } = useText();
  const numbers = Array.isArray(value) ? value.map(String) : [];
  return (
    <div className="phone-lines" role="group" aria-label={label} aria-describedby={describedBy}>
      {numbers.map((number, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- a line is known by its place
        <div key={at} className="phone-line">
          <TextInput
            id={`${id}-${at}`}
            inputMode="tel"
            autoComplete="off"
            value={number}
            invalid={invalid}
            aria-label={t('list.fields.number_at', { number: at + 1 })}
            onChange={(event) => onChange(numbers.map((other, index) => (index === at ? event.target.value : other)))}
          />
          <button
            type="button"
            className="icon-button"
            aria-label={t('list.fields.remove', { name: number || t('list.fields.number_at', { number: at + 1 }) })}
            onClick={() => onChange(numbers.filter((_, index) => index !== at))}
          >
            <i className="pi pi-times" aria-hidden="true" />
          </button>
        </div>
      ))}
      <AddChip id={id} label={t('list.fields.add_number')} onClick={() => onChange([...numbers, ''])} />
    </div>
  );
}

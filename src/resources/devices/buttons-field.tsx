import { deviceModel } from '#models/device-models.ts';
import { asText } from '#src/components/as-text.ts';
import { TextInput } from '#src/components/text-input.tsx';
import { useText } from '#src/components/text.ts';
import type { FieldProps } from '#src/components/fields/field-props.ts';

/** What each call button rings; as many as the model has. */
export function ButtonsField({ id, value, onChange, draft, readOnly, invalid, describedBy, label }: FieldProps) {
  const { t } = useText();
  const numbers = Array.isArray(value) ? value : [];
  const { buttons } = deviceModel(draft['type'], draft['model']);
  const set = (at: number, next: string) => onChange(numbers.map((number: unknown, index) => (index === at ? next : number)));
  return (
    <div className="button-numbers" role="group" aria-label={label} aria-describedby={describedBy}>
      {numbers.slice(0, Math.max(buttons, 1)).map((number: unknown, at) => {
        const inputId = at === 0 ? id : `${id}-${at}`;
        return (
          // oxlint-disable-next-line react/no-array-index-key -- a button is known by its place
          <label key={at} htmlFor={inputId} className="button-number">
            <span className="quiet small">{t('areas.devices.button', { number: at + 1 })}</span>
            <TextInput
              id={inputId}
              inputMode="tel"
              autoComplete="off"
              value={asText(number)}
              readOnly={readOnly}
              invalid={invalid}
              onChange={(event) => set(at, event.target.value)}
            />
          </label>
        );
      })}
    </div>
  );
}

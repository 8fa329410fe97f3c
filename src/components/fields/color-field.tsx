import { TextInput } from '#src/components/text-input.tsx';
import type { FieldProps } from './field-props.ts';

/** Colours that differ in lightness too, so that labels can be told apart without seeing hue. */
const swatches = ['#c62f3c', '#e8590c', '#f0c14b', '#12805c', '#1098ad', '#2b5bd7', '#7048e8', '#c2255c', '#5c6878', '#1b2430'];

/** A colour: swatches, the system's picker, and the code for those who have one. */
export function ColorField({ id, path, value, onChange, label, invalid, describedBy }: FieldProps) {
  const code = typeof value === 'string' ? value : '';
  return (
    <div className="field-color">
      <TextInput
        id={id}
        name={path}
        value={code}
        maxLength={7}
        invalid={invalid}
        aria-invalid={invalid}
        aria-describedby={describedBy}
        onChange={(event) => onChange(event.target.value)}
      />
      <input
        type="color"
        aria-label={label}
        value={/^#[\da-f]{6}$/i.test(code) ? code : '#000000'}
        onChange={(event) => onChange(event.target.value)}
      />
      <span className="swatches" role="group" aria-label={label}>
        {swatches.map((swatch) => (
          <button
            type="button"
            key={swatch}
            className="swatch"
            style={{ background: swatch }}
            aria-label={swatch}
            aria-pressed={code.toLowerCase() === swatch}
            onClick={() => onChange(swatch)}
          />
        ))}
      </span>
    </div>
  );
}

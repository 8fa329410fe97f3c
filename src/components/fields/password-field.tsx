import { InputText } from 'primereact/inputtext';
import { useState } from 'react';
import { useText } from '#src/components/text.ts';
import type { FieldProps } from './field-props.ts';

/** A secret that is typed and never read back; it may be looked at while it is typed. */
export function PasswordField({ id, path, value, onChange, invalid, describedBy, required }: FieldProps) {
  const { t } = useText();
  const [shown, setShown] = useState(false);
  return (
    <div className="field-with-button">
      <InputText
        id={id}
        name={path}
        type={shown ? 'text' : 'password'}
        autoComplete="new-password"
        spellCheck={false}
        value={typeof value === 'string' ? value : ''}
        invalid={invalid}
        aria-invalid={invalid}
        aria-describedby={describedBy}
        aria-required={required}
        onChange={(event) => onChange(event.target.value)}
      />
      <button
        type="button"
        className="icon-button field-inside"
        aria-pressed={shown}
        aria-label={t(shown ? 'list.fields.hide_password' : 'list.fields.show_password')}
        onClick={() => setShown(!shown)}
      >
        <i className={`pi ${shown ? 'pi-eye-slash' : 'pi-eye'}`} aria-hidden="true" />
      </button>
    </div>
  );
}

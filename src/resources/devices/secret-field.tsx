import { useState } from 'react';
import { storedPassword } from '#models/stored-password.ts';
import { PasswordInput } from '#src/components/password-input.tsx';
import { useText } from '#src/components/text.ts';
import type { FieldProps } from '#src/components/fields/field-props.ts';

/** A password that is stored and never told: left empty it stays as it is, whatever is typed takes its place. */
export function SecretField({ id, value, onChange, invalid, describedBy }: FieldProps) {
  const { t } = useText();
  const [stored] = useState(value === storedPassword);
  return (
    <>
      <PasswordInput
        id={id}
        value={value === storedPassword || typeof value !== 'string' ? '' : value}
        autoComplete="new-password"
        invalid={invalid}
        describedBy={[describedBy, stored && `${id}-stored`].filter(Boolean).join(' ')}
        placeholder={stored ? storedPassword : undefined}
        onChange={(typed) => onChange(typed === '' && stored ? storedPassword : typed)}
      />
      {stored && (
        <p id={`${id}-stored`} className="field-hint">
          {t('list.fields.password_kept')}
        </p>
      )}
    </>
  );
}

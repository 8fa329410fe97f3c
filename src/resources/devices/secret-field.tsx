import { useState } from 'react';
import { keptPassword } from '#models/kept-password.ts';
import { PasswordInput } from '#src/components/password-input.tsx';
import { useText } from '#src/components/text.ts';
import type { FieldProps } from '#src/components/fields/field-props.ts';

/** A password that is stored and never told: left empty it stays as it is, whatever is typed takes its place. */
export function SecretField({ id, value, onChange, invalid, describedBy }: FieldProps) {
  const { t } = useText();
  const [stored] = useState(value === keptPassword);
  return (
    <>
      <PasswordInput
        id={id}
        value={value === keptPassword || typeof value !== 'string' ? '' : value}
        autoComplete="new-password"
        invalid={invalid}
        describedBy={[describedBy, stored && `${id}-stored`].filter(Boolean).join(' ')}
        placeholder={stored ? keptPassword : undefined}
        onChange={(typed) => onChange(typed === '' && stored ? keptPassword : typed)}
      />
      {stored && (
        <p id={`${id}-stored`} className="field-hint">
          {t('list.fields.password_kept')}
        </p>
      )}
    </>
  );
}

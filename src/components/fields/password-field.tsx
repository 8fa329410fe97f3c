import { PasswordInput } from '#src/components/password-input.tsx';
import type { FieldProps } from './field-props.ts';

/** A secret that is typed and never read back; it may be looked at while it is typed. */
export function PasswordField({ id, value, onChange, invalid, describedBy }: FieldProps) {
  return (
    <PasswordInput
      id={id}
      value={typeof value === 'string' ? value : ''}
      autoComplete="new-password"
      invalid={invalid}
      describedBy={describedBy}
      onChange={onChange}
    />
  );
}

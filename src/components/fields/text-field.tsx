import { TextArea, TextInput } from '#src/components/text-input.tsx';
import { asText } from '../as-text.ts';
import type { FieldProps } from './field-props.ts';

const types: Record<string, { type: string; autoComplete: string; inputMode?: 'email' | 'tel' | 'numeric' }> = {
  email: { type: 'email', autoComplete: 'off', inputMode: 'email' },
  phone: { type: 'tel', autoComplete: 'off', inputMode: 'tel' },
  // Numbers stay text while they are typed: the codec accepts what people type, and says what it cannot read.
  number: { type: 'text', autoComplete: 'off', inputMode: 'numeric' },
};
const plain = { type: 'text', autoComplete: 'off' };

/** Text that may be this long is likely to have several lines. */
export const LONG_TEXT = 256;

/** A line of text, an e-mail address, a phone number or a number; long text in several lines. */
export function TextField({ id, path, value, onChange, meta, invalid, describedBy, required, children }: FieldProps) {
  const shared = {
    id,
    name: path,
    value: asText(value),
    invalid,
    'aria-invalid': invalid,
    'aria-describedby': describedBy,
    'aria-required': required,
  } as const;
  if (meta.kind === 'text' && (meta.max ?? 0) >= LONG_TEXT) {
    return <TextArea {...shared} rows={4} onChange={(event) => onChange(event.target.value)} />;
  }
  return (
    <>
      <TextInput {...shared} {...(types[meta.kind] ?? plain)} onChange={(event) => onChange(event.target.value)} />
      {children}
    </>
  );
}

import type { ComponentPropsWithRef } from 'react';

/** `invalid` marks the frame and is read out. */
interface Checked {
  invalid?: boolean | undefined;
}
const look = (base: string, invalid: boolean, className: string): string => `${base} p-component ${invalid ? 'p-invalid' : ''} ${className}`;

/** A line of text to type, in PrimeReact's look without its code. */
export const TextInput = ({ className = '', type = 'text', invalid = false, ...rest }: ComponentPropsWithRef<'input'> & Checked) => (
  <input aria-invalid={invalid} {...rest} type={type} className={look('p-inputtext', invalid, className)} />
);

/** Several lines of text to type. */
export const TextArea = ({ className = '', invalid = false, ...rest }: ComponentPropsWithRef<'textarea'> & Checked) => (
  <textarea aria-invalid={invalid} {...rest} className={look('p-inputtextarea p-inputtext', invalid, className)} />
);

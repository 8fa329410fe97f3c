import type { ButtonHTMLAttributes } from 'react';

interface PlainButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> {
  label: string;
  icon?: `pi-${string}` | undefined;
  tone?: keyof typeof looks | undefined;
  /** What was asked for is on its way; the button waits. */
  loading?: boolean | undefined;
  small?: boolean;
}

const looks = {
  primary: '',
  plain: 'p-button-outlined',
  danger: 'p-button-danger',
  'danger-plain': 'p-button-outlined p-button-danger',
  'danger-quiet': 'p-button-text p-button-danger',
} as const;

/** A button in PrimeReact's look without its code, which is 27 kB that nobody needs to sign in. */
export function PlainButton({
  label,
  icon,
  tone = 'primary',
  loading = false,
  small = false,
  disabled = false,
  type = 'button',
  ...rest
}: PlainButtonProps) {
  const shownIcon = loading ? 'pi-spin pi-spinner' : icon;
  return (
    // oxlint-disable-next-line react/button-has-type -- the type has a default above
    <button
      {...rest}
      type={type}
      disabled={disabled || loading}
      aria-busy={loading}
      className={`p-button p-component ${looks[tone]} ${small ? 'p-button-sm' : ''}`}
    >
      {shownIcon && <i className={`pi ${shownIcon}`} aria-hidden="true" />}
      <span className="p-button-label">{label}</span>
    </button>
  );
}

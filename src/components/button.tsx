import type { ButtonHTMLAttributes } from 'react';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  label: string;
  icon?: `pi-${string}` | undefined;
  /** The icon stands behind the label. */
  iconEnd?: boolean;
  tone?: keyof typeof looks | undefined;
  /** What was asked for is on its way; the button waits. */
  loading?: boolean | undefined;
  small?: boolean;
  /** It has the focus when the dialog it stands in is shown. */
  'data-focus'?: boolean;
}

const looks = {
  primary: '',
  plain: 'p-button-outlined',
  quiet: 'p-button-text',
  danger: 'p-button-danger',
  'danger-plain': 'p-button-outlined p-button-danger',
  'danger-quiet': 'p-button-text p-button-danger',
} as const;

/** The house's button: PrimeReact's look without its code, whose tooltip and pass-through options weigh 27 kB. */
export function Button({
  label,
  icon,
  iconEnd = false,
  tone = 'primary',
  loading = false,
  small = false,
  disabled = false,
  type = 'button',
  className = '',
  ...rest
}: ButtonProps) {
  const shown = loading ? 'pi-spin pi-spinner' : icon;
  const sign = shown && <i className={`pi ${shown}`} aria-hidden="true" />;
  return (
    // oxlint-disable-next-line react/button-has-type -- the type has a default above
    <button
      {...rest}
      type={type}
      disabled={disabled || loading}
      aria-busy={loading}
      className={`p-button p-component ${looks[tone]} ${small ? 'p-button-sm' : ''} ${className}`}
    >
      {!iconEnd && sign}
      <span className="p-button-label">{label}</span>
      {iconEnd && sign}
    </button>
  );
}

import type { Locale } from '#models/constants.ts';

const steps = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** A size in the unit in which it is short to read. */
export function sizeText(bytes: number, locale: Locale): string {
  const step = Math.min(steps.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(bytes, 1)) / 10)));
  return new Intl.NumberFormat(locale, { style: 'unit', unit: steps[step] ?? 'byte', maximumFractionDigits: step > 1 ? 1 : 0 }).format(
    bytes / 1024 ** step,
  );
}

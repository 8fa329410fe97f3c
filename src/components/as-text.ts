/** A value as text where it is one, or a number or a flag; empty for everything that has no words of its own. */
export const asText = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

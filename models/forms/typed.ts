/** A number as somebody typed it; what is none is left to the contract to refuse. */
export const countTyped = (text: string): number => (/^\d+$/.test(text.trim()) ? Number(text) : Number.NaN);

/** A limit as somebody typed it: an empty input is none; what is no number is left to the contract to refuse. */
export const limitTyped = (text: string): number | null => (text.trim() === '' ? null : countTyped(text));
/** A text as somebody typed it: an empty input is none. */
export const textTyped = (text: string): string | null => text.trim() || null;
/** A number as it stands in an input. */
export const asTyped = (count: number | null | undefined): string => (count === null || count === undefined ? '' : String(count));

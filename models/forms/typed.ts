/** A number as somebody typed it; what is none is left to the contract to refuse. */
export const countTyped = (text: string): number => (/^\d+$/.test(text.trim()) ? Number(text) : Number.NaN);

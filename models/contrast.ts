/** The least contrast of text on its ground (WCAG 2.2, 1.4.3). */
export const leastContrast = 4.5;

const channel = (hex: string): number => {
  const part = Number.parseInt(hex, 16) / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
};
const luminance = (color: string): number =>
  0.2126 * channel(color.slice(1, 3)) + 0.7152 * channel(color.slice(3, 5)) + 0.0722 * channel(color.slice(5, 7));

/** The contrast of two colours, each #rrggbb: 1 for the same, 21 for black and white; 0 for what is no colour. */
export function contrast(one: string, other: string): number {
  const [dark = Number.NaN, light = Number.NaN] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return Number.isNaN(dark) ? 0 : (light + 0.05) / (dark + 0.05);
}

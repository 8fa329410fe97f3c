import type { Issue } from './issues.ts';

/** A photo as it can be judged without knowing a face: its size in pixels and how sharp it is. */
export interface PhotoFacts {
  width: number;
  height: number;
  /** How much neighbouring pixels differ, in a picture of `judgedSide` pixels; see `sharpnessOf`. */
  sharpness: number;
}

/** Recognition needs so many pixels; panels cut a face out of what is nearly upright. */
const leastSide = 240;
const mostOutOfSquare = 2;
/** Out of focus or moved: the measure of a sharp portrait is ten times this. */
const leastSharpness = 12;
/** The side of the small picture in which sharpness is measured. */
export const judgedSide = 256;

/** The variance of the Laplacian of a grey picture (one byte a pixel): near nought where all edges are soft. */
export function sharpnessOf(grey: Uint8Array, width: number, height: number): number {
  let [sum, squares, count] = [0, 0, 0];
  const at = (x: number, y: number): number => grey[y * width + x] ?? 0;
  for (let y = 1; y < height - 1; y += 1)
    for (let x = 1; x < width - 1; x += 1) {
      const edge = at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1) - 4 * at(x, y);
      sum += edge;
      squares += edge * edge;
      count += 1;
    }
  return count === 0 ? 0 : squares / count - (sum / count) ** 2;
}

/** Grey values of a picture of so many bytes a pixel: grey alone, or red, green, blue and perhaps more. */
export const greyOf = (pixels: Uint8Array | Uint8ClampedArray, bytes: number): Uint8Array =>
  Uint8Array.from({ length: Math.floor(pixels.length / bytes) }, (_, pixel) => {
    const [red = 0, green = red, blue = red] = pixels.subarray(pixel * bytes, pixel * bytes + (bytes < 3 ? 1 : 3));
    return Math.round(0.299 * red + 0.587 * green + 0.114 * blue);
  });

/** How large a picture is drawn to be judged. */
export function judgedSize(width: number, height: number): { width: number; height: number } {
  const factor = Math.min(1, judgedSide / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) };
}

/** What is wrong with a photo of a face, as far as that can be told without recognising one; null where nothing is. */
export function photoIssue({ width, height, sharpness }: PhotoFacts): Pick<Issue, 'rule' | 'params'> | null {
  if (Math.min(width, height) < leastSide) return { rule: 'photo_too_small', params: { side: leastSide, width, height } };
  if (Math.max(width, height) / Math.min(width, height) > mostOutOfSquare) return { rule: 'photo_shape', params: {} };
  if (sharpness < leastSharpness) return { rule: 'photo_blurred', params: {} };
  return null;
}

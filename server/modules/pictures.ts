import { Transformer } from '@napi-rs/image';
import { imageSize } from 'image-size';
import { Refusal } from '../refusal.ts';

const mostPixels = 40_000_000;
const longestSide = 12_000;
const fewestBytes = 32;

/** A square part of a picture, in the pixels of the picture as it is shown (turned upright). */
export interface Crop {
  x: number;
  y: number;
  size: number;
}
/** A picture as it is kept: newly drawn, whatever came with the upload left behind. */
export interface Picture {
  bytes: Buffer;
  contentType: string;
}

const startsWith = (bytes: Buffer, at: number, text: string): boolean => bytes.toString('latin1', at, at + text.length) === text;

/** PNG that ends where its last chunk does. */
const isPng = (bytes: Buffer): boolean => startsWith(bytes, 0, '\x89PNG\r\n\x1a\n') && startsWith(bytes, bytes.length - 8, 'IEND');
const isJpeg = (bytes: Buffer): boolean => startsWith(bytes, 0, '\xff\xd8\xff') && bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) > bytes.length / 2;
/** Plain WebP that ends where it says; the extended kind may hold a larger picture than it tells of. */
const isWebp = (bytes: Buffer): boolean =>
  startsWith(bytes, 0, 'RIFF') &&
  (startsWith(bytes, 8, 'WEBPVP8 ') || startsWith(bytes, 8, 'WEBPVP8L')) &&
  bytes.readUInt32LE(4) + 8 === bytes.length;

/** What else some reader might take the bytes for. */
const foreign = /<(?:script|html|svg|\?php|iframe|body|img|!doctype)|%PDF-|#!\/|javascript:/i;

/** @throws Refusal `invalid_file` for whatever is not a picture of a kind and size that is taken; nothing is decoded before. */
function demandPicture(bytes: Buffer): { width: number; height: number } {
  if (bytes.length < fewestBytes || !(isPng(bytes) || isJpeg(bytes) || isWebp(bytes))) throw new Refusal('invalid_file');
  if (foreign.test(bytes.toString('latin1', 0, 4_096)) || foreign.test(bytes.toString('latin1', Math.max(0, bytes.length - 4_096))))
    throw new Refusal('invalid_file');
  try {
    const { width, height, orientation = 1 } = imageSize(bytes);
    if (!width || !height || width > longestSide || height > longestSide || width * height > mostPixels) throw new Refusal('invalid_file');
    return orientation > 4 ? { width: height, height: width } : { width, height };
  } catch {
    throw new Refusal('invalid_file');
  }
}

async function draw(work: () => Promise<Buffer>): Promise<Picture> {
  try {
    return { bytes: await work(), contentType: 'image/webp' };
  } catch {
    throw new Refusal('invalid_file');
  }
}

/** Cuts a square out of an uploaded picture and draws it anew, `side` pixels wide. */
export async function cropSquare(bytes: Buffer, { x, y, size }: Crop, side: number): Promise<Picture> {
  const { width, height } = demandPicture(bytes);
  const [left, top, wide] = [x, y, size].map(Math.round) as [number, number, number];
  const fits = left >= 0 && top >= 0 && wide >= 1 && left + wide <= width && top + wide <= height;
  if (!fits) throw new Refusal('invalid_data', { issues: [{ path: ['size'], rule: 'invalid', params: {} }] });
  return draw(async () => {
    // Cut first and scale in a second go: within one, the library scales before it cuts.
    const square = await new Transformer(bytes).rotate().crop(left, top, wide, wide).png();
    return new Transformer(square).resize(side, side).webp(88);
  });
}

/** Draws an uploaded picture anew, no side longer than `longest` pixels. */
export async function scaleDown(bytes: Buffer, longest: number): Promise<Picture> {
  const { width, height } = demandPicture(bytes);
  const factor = Math.min(1, longest / Math.max(width, height));
  const [wide, high] = [width, height].map((pixels) => Math.max(1, Math.round(pixels * factor))) as [number, number];
  return draw(() => new Transformer(bytes).rotate().resize(wide, high).webp(90));
}

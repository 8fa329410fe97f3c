import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { imageSize } from 'image-size';
import { greyOf, judgedSize, type PhotoFacts, sharpnessOf } from '#models/photo-check.ts';
import { HttpError } from '../http-error.ts';

const mostPixels = 25_000_000;
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

/** @throws HttpError `invalid_file` for whatever is not a picture of a kind and size that is taken; nothing is decoded before. */
function requirePicture(bytes: Buffer): { width: number; height: number } {
  if (bytes.length < fewestBytes || !(isPng(bytes) || isJpeg(bytes) || isWebp(bytes))) throw new HttpError('invalid_file');
  if (foreign.test(bytes.toString('latin1', 0, 4_096)) || foreign.test(bytes.toString('latin1', Math.max(0, bytes.length - 4_096))))
    throw new HttpError('invalid_file');
  try {
    const { width, height, orientation = 1 } = imageSize(bytes);
    if (!width || !height || width > longestSide || height > longestSide || width * height > mostPixels) throw new HttpError('invalid_file');
    return orientation > 4 ? { width: height, height: width } : { width, height };
  } catch {
    throw new HttpError('invalid_file');
  }
}

/**
 * The type of a picture that is kept as it came.
 * @throws HttpError `invalid_file` for whatever is not a picture of a kind and size that is taken
 */
export function pictureType(bytes: Buffer): string {
  requirePicture(bytes);
  if (isPng(bytes)) return 'image/png';
  return isJpeg(bytes) ? 'image/jpeg' : 'image/webp';
}

/** How a picture is drawn anew: scaled as a whole, then perhaps a square cut out of it, `[left, top, wide, high]`. */
interface Plan {
  width: number;
  height: number;
  cut?: readonly [number, number, number, number];
  /** Of WebP, 0 to 100. */
  quality: number;
}

const run = promisify(execFile);
const library = createRequire(import.meta.url).resolve('@napi-rs/image');
const timeout = 20_000;
const mostDrawn = 4 * 1024 * 1024;
const isolated = { encoding: 'buffer', timeout, maxBuffer: mostDrawn, env: {} } as const;
/** Turned upright, scaled and cut in one pass, so that it is decoded once. */
const drawScript = `
  const [library, path, plan] = process.argv.slice(1);
  const { Transformer } = require(library);
  const { width, height, cut, quality } = JSON.parse(plan);
  const picture = new Transformer(require('node:fs').readFileSync(path)).rotate().resize(width, height);
  (cut ? picture.crop(...cut) : picture).webp(quality).then((bytes) => process.stdout.write(bytes));
`;

/**
 * Draws a picture in a process of its own: decoded it takes ten times its bytes, which are given back when the process
 * ends, and a decoder that falls over takes nothing along.
 */
async function draw(path: string, plan: Plan): Promise<Picture> {
  try {
    const { stdout } = await run(process.execPath, ['-e', drawScript, library, path, JSON.stringify(plan)], isolated);
    return { bytes: stdout, contentType: 'image/webp' };
  } catch (error) {
    throw asHttpError(error);
  }
}

/** The process ended badly; otherwise it never began, which is no fault of the picture. */
function asHttpError(error: unknown): unknown {
  const { code, killed } = error as { code?: unknown; killed?: boolean };
  return typeof code === 'number' || killed ? new HttpError('invalid_file') : error;
}

/** Writes the bare pixels of a small picture. */
const measurer = `
  const [library, path, plan] = process.argv.slice(1);
  const { Transformer } = require(library);
  const { width, height } = JSON.parse(plan);
  new Transformer(require('node:fs').readFileSync(path)).rotate().resize(width, height).rawPixels().then((bytes) => process.stdout.write(bytes));
`;

async function sharpness(path: string, size: { width: number; height: number }): Promise<number> {
  try {
    const { stdout } = await run(process.execPath, ['-e', measurer, library, path, JSON.stringify(size)], isolated);
    return sharpnessOf(greyOf(stdout, stdout.length / (size.width * size.height)), size.width, size.height);
  } catch (error) {
    throw asHttpError(error);
  }
}

let drawing: Promise<unknown> = Promise.resolve();
/** One picture is looked at and drawn at a time, however many are sent at once. */
function alone<T>(work: () => Promise<T>): Promise<T> {
  const done = drawing.then(work);
  drawing = done.catch(() => undefined);
  return done;
}

/** Cuts a square out of the picture in a file and draws it anew, at most `side` pixels wide. */
export const cropSquare = (path: string, { x, y, size }: Crop, side: number): Promise<Picture> =>
  alone(async () => {
    const { width, height } = requirePicture(await readFile(path));
    const [left, top, wide] = [x, y, size].map(Math.round) as [number, number, number];
    const fits = left >= 0 && top >= 0 && wide >= 1 && left + wide <= width && top + wide <= height;
    if (!fits) throw new HttpError('invalid_data', { issues: [{ path: ['size'], rule: 'invalid', params: {} }] });
    const factor = Math.min(1, side / wide);
    const [right, low, square] = [width, height, wide].map((pixels) => Math.max(1, Math.round(pixels * factor))) as [number, number, number];
    const from = (start: number, end: number): number => Math.max(0, Math.min(Math.round(start * factor), end - square));
    return draw(path, { width: right, height: low, cut: [from(left, right), from(top, low), square, square], quality: 88 });
  });

/** Draws the picture in a file anew, no side longer than `longest` pixels. */
export const scaleDown = (path: string, longest: number): Promise<Picture> =>
  alone(async () => {
    const { width, height } = requirePicture(await readFile(path));
    const factor = Math.min(1, longest / Math.max(width, height));
    const [wide, high] = [width, height].map((pixels) => Math.max(1, Math.round(pixels * factor))) as [number, number];
    return draw(path, { width: wide, height: high, quality: 90 });
  });

/** Size and sharpness of the picture in a file. */
export const judgePicture = (path: string): Promise<PhotoFacts> =>
  alone(async () => {
    const size = requirePicture(await readFile(path));
    return { ...size, sharpness: await sharpness(path, judgedSize(size.width, size.height)) };
  });

import { type FileHandle, open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createInflateRaw } from 'node:zlib';

/** No archive of ours, or a broken one; the part where that shows, where it is one. */
export class DamagedArchive extends Error {
  readonly part: string;
  constructor(part = '') {
    super('damaged archive');
    this.part = part;
  }
}
interface Entry {
  packed: number;
  plain: number;
  at: number;
}
const endLength = 22;
const longestComment = 65_535;
const localLength = 30;
const mostEntries = 300;
const mostDirectory = 256 * 1024;
/** Deflate cannot do more; rows that repeat each other come nowhere near. */
const mostRatio = 250;
const smallPart = 4 * 1_048_576;

async function bytesAt(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, from);
  if (bytesRead < length) throw new DamagedArchive();
  return bytes;
}

async function readEnd(file: FileHandle, size: number): Promise<Buffer> {
  const length = Math.min(size, endLength + longestComment);
  const tail = await bytesAt(file, size - length, length);
  for (let at = tail.length - endLength; at >= 0; at -= 1) if (tail.readUInt32LE(at) === 0x06054b50) return tail.subarray(at, at + endLength);
  throw new DamagedArchive();
}

function readEntries(directory: Buffer, count: number, isKnown: (name: string) => boolean): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  for (let at = 0, index = 0; index < count; index += 1) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== 0x02014b50) throw new DamagedArchive();
    const [method, nameLength, extra, comment] = [10, 28, 30, 32].map((offset) => directory.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
      number,
    ];
    const name = directory.toString('utf8', at + 46, at + 46 + nameLength);
    const entry = { packed: directory.readUInt32LE(at + 20), plain: directory.readUInt32LE(at + 24), at: directory.readUInt32LE(at + 42) };
    // Names are compared with those that we write and lead nowhere; a part with another name is none of ours.
    if (method !== 8 || entries.has(name) || !isKnown(name)) throw new DamagedArchive(name.slice(0, 64));
    if (entry.plain > Math.max(smallPart, entry.packed * mostRatio)) throw new DamagedArchive(name);
    entries.set(name, entry);
    at += 46 + nameLength + extra + comment;
  }
  return entries;
}

/** The parts of an archive in a file, each unpacked as a stream and never beyond what the directory says of it. */
export class ZipReader {
  readonly #file: FileHandle;
  readonly #entries: Map<string, Entry>;

  private constructor(file: FileHandle, entries: Map<string, Entry>) {
    this.#file = file;
    this.#entries = entries;
  }

  /** @throws DamagedArchive */
  static async open(path: string, isKnown: (name: string) => boolean): Promise<ZipReader> {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      if (size < endLength) throw new DamagedArchive();
      const end = await readEnd(file, size);
      const [count, length, from] = [end.readUInt16LE(10), end.readUInt32LE(12), end.readUInt32LE(16)];
      if (count > mostEntries || length > mostDirectory || from + length > size) throw new DamagedArchive();
      const entries = readEntries(await bytesAt(file, from, length), count, isKnown);
      // Parts that share their bytes are how a small file becomes a large one.
      const packed = [...entries.values()].reduce((sum, entry) => sum + entry.packed, 0);
      if (packed > size) throw new DamagedArchive();
      return new ZipReader(file, entries);
    } catch (error) {
      await file.close();
      throw error instanceof RangeError ? new DamagedArchive() : error;
    }
  }

  get names(): string[] {
    return [...this.#entries.keys()];
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  /** A part, chunk by chunk. @throws DamagedArchive where it is not there, broken, or longer or shorter than it says */
  async *stream(name: string): AsyncGenerator<Buffer> {
    const entry = this.#entries.get(name);
    if (!entry) throw new DamagedArchive(name);
    const head = await bytesAt(this.#file, entry.at, localLength);
    if (head.readUInt32LE(0) !== 0x04034b50) throw new DamagedArchive(name);
    const from = entry.at + localLength + head.readUInt16LE(26) + head.readUInt16LE(28);
    let left = entry.plain;
    try {
      for await (const chunk of this.#packed(from, entry.packed).pipe(createInflateRaw())) {
        left -= (chunk as Buffer).byteLength;
        if (left < 0) throw new DamagedArchive(name);
        yield chunk as Buffer;
      }
    } catch (error) {
      if (error instanceof DamagedArchive || !(error as NodeJS.ErrnoException).code?.startsWith('Z_')) throw error;
      throw new DamagedArchive(name);
    }
    if (left !== 0) throw new DamagedArchive(name);
  }

  #packed(from: number, length: number): Readable {
    return this.#file.createReadStream({ start: from, end: from + length - 1, autoClose: false });
  }
}

const longestLine = 16 * 1_048_576;

/** The lines of a part. @throws DamagedArchive at a line that nobody would have written */
export async function* linesOf(part: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of part) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let from = 0;
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, from)) {
      yield bytes.toString('utf8', from, at);
      from = at + 1;
    }
    rest = bytes.subarray(from);
    if (rest.length > longestLine) throw new DamagedArchive();
  }
  if (rest.length > 0) throw new DamagedArchive();
}

import type { Readable } from 'node:stream';
import { type Entry, open, type ZipFile } from 'yauzl';

/** No archive of ours, or a broken one; the part where that shows, where it is one. */
export class DamagedArchive extends Error {
  readonly part: string;
  constructor(part = '') {
    super('damaged archive');
    this.part = part;
  }
}
const deflated = 8;
const mostEntries = 300;
/** Deflate cannot do more; rows that repeat each other come nowhere near. */
const mostRatio = 250;
const smallPart = 4 * 1_048_576;

/** Whether the disk or the process failed, and not the archive. */
const isOurs = (error: unknown): boolean => {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return /^E[A-Z]+$/.test(code);
};
const openZip = (path: string): Promise<ZipFile> =>
  new Promise((resolve, reject) => {
    open(path, { lazyEntries: true, autoClose: false, validateEntrySizes: true }, (error, zip) => (error ? reject(error) : resolve(zip)));
  });

/** Names are compared with those that we write and lead nowhere; a part with another name is none of ours. */
function readEntries(zip: ZipFile, isKnown: (name: string) => boolean): Promise<Map<string, Entry>> {
  if (zip.entryCount > mostEntries) throw new DamagedArchive();
  const entries = new Map<string, Entry>();
  let packed = 0;
  return new Promise((resolve, reject) => {
    zip.on('entry', (entry: Entry) => {
      const { fileName: name, compressedSize, uncompressedSize, compressionMethod } = entry;
      packed += compressedSize;
      const isSound =
        compressionMethod === deflated &&
        !entries.has(name) &&
        isKnown(name) &&
        uncompressedSize <= Math.max(smallPart, compressedSize * mostRatio) &&
        // Parts that share their bytes are how a small file becomes a large one.
        packed <= zip.fileSize;
      if (!isSound) reject(new DamagedArchive(name.slice(0, 64)));
      entries.set(name, entry);
      zip.readEntry();
    });
    zip.once('end', () => resolve(entries));
    zip.once('error', reject);
    zip.readEntry();
  });
}

/** The parts of an archive in a file, each unpacked as a stream and never beyond what the directory says of it. */
export class ZipReader {
  readonly #zip: ZipFile;
  readonly #entries: Map<string, Entry>;

  private constructor(zip: ZipFile, entries: Map<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  /** @throws DamagedArchive */
  static async open(path: string, isKnown: (name: string) => boolean): Promise<ZipReader> {
    let zip: ZipFile | null = null;
    try {
      zip = await openZip(path);
      return new ZipReader(zip, await readEntries(zip, isKnown));
    } catch (error) {
      zip?.close();
      throw error instanceof DamagedArchive || isOurs(error) ? error : new DamagedArchive();
    }
  }

  get names(): string[] {
    return [...this.#entries.keys()];
  }

  async close(): Promise<void> {
    if (this.#zip.isOpen) this.#zip.close();
  }

  /** A part, chunk by chunk. @throws DamagedArchive where it is not there, broken, or longer or shorter than it says */
  async *stream(name: string): AsyncGenerator<Buffer> {
    const entry = this.#entries.get(name);
    if (!entry) throw new DamagedArchive(name);
    try {
      for await (const chunk of await this.#unpacked(entry)) yield chunk as Buffer;
    } catch (error) {
      throw error instanceof DamagedArchive || isOurs(error) ? error : new DamagedArchive(name);
    }
  }

  #unpacked(entry: Entry): Promise<Readable> {
    return new Promise((resolve, reject) => {
      this.#zip.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(stream)));
    });
  }
}

const longestLine = 16 * 1_048_576;

/** Short enough for the young part of the heap: longer texts stay in memory until the old part is collected, which is seldom. */
const pieceLength = 60_000;
const newline = 10;

/** Some rows of a part as the array that the database reads, and how many. */
export interface Piece {
  rows: string;
  count: number;
}

/** Whole lines, each a row as JSON, put together as they are: a text for each of a million rows would be as much rubbish again. */
function pieceOf(lines: Buffer): Piece {
  const text = lines.toString('utf8', 0, lines.length - 1);
  const rows = text.replaceAll('\n', ',');
  let count = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return { rows: `[${rows}]`, count };
}

/** The rows of a part, which are lines, in pieces of about 60 kB. @throws DamagedArchive at a line that nobody would have written */
export async function* piecesOf(part: AsyncIterable<Buffer>): AsyncGenerator<Piece> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of part) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    if (rest.length < pieceLength) continue;
    const end = rest.lastIndexOf(newline) + 1;
    if (end > 0) yield pieceOf(rest.subarray(0, end));
    rest = rest.subarray(end);
    if (rest.length > longestLine) throw new DamagedArchive();
  }
  const end = rest.lastIndexOf(newline) + 1;
  if (end < rest.length) throw new DamagedArchive();
  if (end > 0) yield pieceOf(rest);
}

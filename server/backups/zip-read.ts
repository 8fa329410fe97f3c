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

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** What is said of a part once it is written. */
export interface WrittenPart {
  bytes: number;
  sha256: string;
}
/** The dates of parts say nothing, the manifest does. */
const mtime = new Date('1980-01-01T00:00:00Z');
const compressionLevel = 4;

/** Writes a ZIP archive to a file, one part after the other, each streamed: what is in memory is a chunk. */
export class ZipWriter {
  readonly #zip = new ZipFile();
  readonly #file: WriteStream;
  /** All of it is on the disk; rejected where the disk takes no more. */
  readonly #stored: Promise<void>;

  private constructor(file: WriteStream) {
    this.#file = file;
    this.#stored = finished(file);
    // Whoever adds or finishes is told; nobody else waits.
    this.#stored.catch(() => {});
    this.#zip.on('error', () => {});
    this.#zip.outputStream.pipe(file);
  }

  /** @throws Error where the file is there already, or cannot be made */
  static async create(path: string): Promise<ZipWriter> {
    const file = createWriteStream(path, { flags: 'wx', flush: true });
    await once(file, 'open');
    return new ZipWriter(file);
  }

  async add(name: string, content: AsyncIterable<string | Uint8Array>): Promise<WrittenPart> {
    const digest = createHash('sha256');
    let bytes = 0;
    const plain = async function* () {
      for await (const chunk of content) {
        const data = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
        digest.update(data);
        bytes += data.byteLength;
        yield data;
      }
    };
    const source = Readable.from(plain());
    this.#zip.addReadStream(source, name, { mtime, compressionLevel, forceDosTimestamp: true });
    await Promise.race([finished(source), this.#stored]);
    return { bytes, sha256: digest.digest('hex') };
  }

  /** Writes the directory and makes sure that all of it is on the disk. */
  async finish(): Promise<void> {
    this.#zip.end();
    await this.#stored;
  }

  /** Lets go of the file, finished or not. */
  async close(): Promise<void> {
    if (this.#file.closed) return;
    this.#file.destroy();
    await once(this.#file, 'close');
  }
}

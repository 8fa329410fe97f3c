import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createDeflateRaw, crc32 } from 'node:zlib';
import { HttpError } from '../http-error.ts';

/** What is said of a part once it is written. */
export interface WrittenPart {
  bytes: number;
  sha256: string;
}
interface Entry {
  name: string;
  crc: number;
  packed: number;
  plain: number;
  at: number;
}
/** Archives of this kind count in 32 bits. */
const mostBytes = 0xffff_ffff;
const localLength = 30;

/** Version 2.0, deflated, names in UTF-8; the dates say nothing, the manifest does. */
function fieldsOf({ crc, packed, plain, name }: Entry): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(0x0800, 2);
  fields.writeUInt16LE(8, 4);
  fields.writeUInt16LE(0x21, 8);
  fields.writeUInt32LE(crc, 10);
  fields.writeUInt32LE(packed, 14);
  fields.writeUInt32LE(plain, 18);
  fields.writeUInt16LE(Buffer.byteLength(name), 22);
  return fields;
}
const signature = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const localHead = (entry: Entry): Buffer => Buffer.concat([signature(0x04034b50), fieldsOf(entry)]);

function directoryHead(entry: Entry): Buffer {
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(entry.at, 10);
  const madeBy = Buffer.from([20, 0]);
  return Buffer.concat([signature(0x02014b50), madeBy, fieldsOf(entry), rest, Buffer.from(entry.name)]);
}

/** Writes a ZIP archive to a file, one part after the other, each streamed: what is in memory is a chunk. */
export class ZipWriter {
  readonly #file: FileHandle;
  readonly #entries: Entry[] = [];
  #at = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async create(path: string): Promise<ZipWriter> {
    return new ZipWriter(await open(path, 'wx'));
  }

  /** @throws HttpError `too_large` beyond 4 GiB */
  async add(name: string, content: AsyncIterable<string | Uint8Array>): Promise<WrittenPart> {
    const entry: Entry = { name, crc: 0, packed: 0, plain: 0, at: this.#at };
    const digest = createHash('sha256');
    await this.#write(Buffer.concat([localHead(entry), Buffer.from(name)]));
    const plain = async function* () {
      for await (const chunk of content) {
        const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
        entry.crc = crc32(bytes, entry.crc);
        entry.plain += bytes.byteLength;
        digest.update(bytes);
        yield bytes;
      }
    };
    const source = Readable.from(plain());
    const packing = createDeflateRaw({ level: 4 });
    source.once('error', (error) => packing.destroy(error));
    for await (const chunk of source.pipe(packing)) {
      entry.packed += (chunk as Buffer).byteLength;
      await this.#write(chunk as Buffer);
    }
    if (entry.plain > mostBytes) throw new HttpError('too_large');
    await this.#file.write(localHead(entry), 0, localLength, entry.at);
    this.#entries.push(entry);
    return { bytes: entry.plain, sha256: digest.digest('hex') };
  }

  /** Writes the directory and makes sure that all of it is on the disk. */
  async finish(): Promise<void> {
    const from = this.#at;
    for (const entry of this.#entries) await this.#write(directoryHead(entry));
    const end = Buffer.alloc(22);
    end.writeUInt32LE(0x06054b50, 0);
    end.writeUInt16LE(this.#entries.length, 8);
    end.writeUInt16LE(this.#entries.length, 10);
    end.writeUInt32LE(this.#at - from, 12);
    end.writeUInt32LE(from, 16);
    await this.#write(end);
    await this.#file.sync();
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async #write(bytes: Buffer): Promise<void> {
    if (this.#at + bytes.byteLength > mostBytes) throw new HttpError('too_large');
    await this.#file.write(bytes, 0, bytes.byteLength, this.#at);
    this.#at += bytes.byteLength;
  }
}

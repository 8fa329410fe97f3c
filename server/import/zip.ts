import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';

const inflate = promisify(inflateRaw);
const endSignature = 0x06054b50;
const directorySignature = 0x02014b50;
const localSignature = 0x04034b50;
const endLength = 22;
const longestComment = 65_535;
const mostEntries = 1_000;

interface Entry {
  /** 0 stored, 8 deflated. */
  method: number;
  packed: number;
  at: number;
}
/** A file that is no archive of the kind we read, or a broken one. */
export class BrokenArchive extends Error {}
/** What is in it is larger than anybody should unpack. */
export class TooLarge extends Error {}

function endOf(bytes: Buffer): number {
  for (let at = bytes.length - endLength; at >= Math.max(0, bytes.length - endLength - longestComment); at -= 1)
    if (bytes.readUInt32LE(at) === endSignature) return at;
  throw new BrokenArchive();
}

function readDirectory(bytes: Buffer): Map<string, Entry> {
  const end = endOf(bytes);
  const count = bytes.readUInt16LE(end + 10);
  if (count > mostEntries) throw new TooLarge();
  const entries = new Map<string, Entry>();
  for (let at = bytes.readUInt32LE(end + 16), index = 0; index < count; index += 1) {
    if (bytes.readUInt32LE(at) !== directorySignature) throw new BrokenArchive();
    const [nameLength, extraLength, commentLength] = [bytes.readUInt16LE(at + 28), bytes.readUInt16LE(at + 30), bytes.readUInt16LE(at + 32)];
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    entries.set(name, { method: bytes.readUInt16LE(at + 10), packed: bytes.readUInt32LE(at + 20), at: bytes.readUInt32LE(at + 42) });
    at += 46 + nameLength + extraLength + commentLength;
  }
  return entries;
}

/** The parts of a ZIP archive, unpacked one at a time and never beyond what the reader allows: what a part says of its own size is not believed. */
export class Archive {
  readonly #bytes: Buffer;
  readonly #entries: Map<string, Entry>;
  #left: number;

  /** @throws BrokenArchive, TooLarge */
  constructor(bytes: Buffer, mostBytes: number) {
    this.#bytes = bytes;
    this.#left = mostBytes;
    this.#entries = guarded(() => readDirectory(bytes));
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** A part as text. @throws BrokenArchive where it is not there or damaged, TooLarge */
  async text(name: string): Promise<string> {
    const entry = this.#entries.get(name);
    if (!entry) throw new BrokenArchive();
    const packed = guarded(() => {
      if (this.#bytes.readUInt32LE(entry.at) !== localSignature) throw new BrokenArchive();
      const from = entry.at + 30 + this.#bytes.readUInt16LE(entry.at + 26) + this.#bytes.readUInt16LE(entry.at + 28);
      return this.#bytes.subarray(from, from + entry.packed);
    });
    const plain = await this.#unpack(entry.method, packed);
    if (plain.length > this.#left) throw new TooLarge();
    this.#left -= plain.length;
    return plain.toString('utf8');
  }

  async #unpack(method: number, packed: Buffer): Promise<Buffer> {
    if (method === 0) return packed;
    if (method !== 8) throw new BrokenArchive();
    try {
      return await inflate(packed, { maxOutputLength: this.#left + 1 });
    } catch (error) {
      throw (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? new TooLarge() : new BrokenArchive();
    }
  }
}

/** Reading beyond the end is a broken archive, no mistake of ours. */
function guarded<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof RangeError ? new BrokenArchive() : error;
  }
}

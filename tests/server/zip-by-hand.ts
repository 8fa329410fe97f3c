import { deflateRawSync } from 'node:zlib';

export interface ZipPart {
  name: string;
  bytes: Buffer;
  /** What lies in the archive, where that is not the bytes deflated. */
  packed?: Buffer;
  /** How large the directory says it is unpacked; 1 without it. */
  says?: number;
  /** Where the directory says it begins, where that is not so. */
  at?: number;
}

/** Deflating anew takes a compressor of its own each time, which tens of thousands of empty parts need not have. */
const nothing = deflateRawSync(Buffer.alloc(0));

/** A ZIP archive put together by hand, so that it can say what is not so. */
export function zip(parts: readonly ZipPart[]): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, bytes, packed = bytes.length > 0 ? deflateRawSync(bytes) : nothing, says = 1, at: begins = at } of parts) {
    const local = Buffer.alloc(30 + name.length);
    local.writeUInt32LE(0x04034b50);
    local.writeUInt16LE(8, 8);
    local.writeUInt16LE(name.length, 26);
    local.write(name, 30);
    const entry = Buffer.alloc(46 + name.length);
    entry.writeUInt32LE(0x02014b50);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(says, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(begins, 42);
    entry.write(name, 46);
    if (begins === at) bodies.push(local, packed);
    directory.push(entry);
    if (begins === at) at += local.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(
    directory.reduce((length, entry) => length + entry.length, 0),
    12,
  );
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...bodies, ...directory, end]);
}

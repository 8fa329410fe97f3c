import { beginsPicture, type Packet, vp8Part } from './rtp.ts';

/** A whole picture of VP8 as a file: WebP's simple format is nothing but that (RFC 9649 section 2.5). */
export function asWebp(picture: Buffer): Buffer {
  const padding = picture.length % 2;
  const head = Buffer.alloc(20);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(12 + picture.length + padding, 4);
  head.write('WEBPVP8 ', 8, 'latin1');
  head.writeUInt32LE(picture.length, 16);
  return Buffer.concat([head, picture, Buffer.alloc(padding)]);
}

/** Puts the packets of the next whole picture together. */
export class StillMaker {
  #parts: Buffer[] = [];
  #last = 0;

  /** @returns the picture as a WebP file with its last packet; null until then */
  take({ payload, sequence, marker }: Packet): Buffer | null {
    if (beginsPicture('vp8', payload)) this.#parts = [];
    else if (this.#parts.length === 0) return null;
    else if (sequence !== ((this.#last + 1) & 0xffff)) {
      this.#parts = [];
      return null;
    }
    this.#last = sequence;
    // A datagram's memory is used again after it.
    this.#parts.push(Buffer.from(vp8Part(payload)));
    return marker ? asWebp(Buffer.concat(this.#parts)) : null;
  }
}

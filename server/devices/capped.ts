import { Duplex } from 'node:stream';
import type { Socket } from 'node:net';

/**
 * A connection that counts: MQTT says the length of every packet in its first bytes, and one that announces more than
 * the limit ends the connection before any of it is kept. The broker itself would gather whatever is sent.
 */
export class CappedConnection extends Duplex {
  readonly remoteAddress: string | undefined;
  readonly #socket: Socket;
  readonly #limit: () => number;
  readonly #tooLarge: (bytes: number) => void;
  /** Bytes left of the packet that is under way. */
  #left = 0;
  /** Bytes of the header seen so far, and the length they say. */
  #header = 0;
  #length = 0;

  constructor(socket: Socket, limit: () => number, tooLarge: (bytes: number) => void) {
    super({ allowHalfOpen: false });
    this.#socket = socket;
    this.#limit = limit;
    this.#tooLarge = tooLarge;
    this.remoteAddress = socket.remoteAddress;
    socket.on('data', (bytes: Buffer) => {
      if (!this.#fits(bytes)) {
        this.#tooLarge(this.#length);
        this.destroy();
      } else if (!this.push(bytes)) socket.pause();
    });
    socket.on('end', () => this.push(null));
    socket.on('close', () => this.destroy());
    socket.on('error', (error) => this.destroy(error));
  }

  /** Walks over the packets in a piece of the stream; false as soon as one says that it is too large or is none. */
  #fits(bytes: Buffer): boolean {
    let at = 0;
    while (at < bytes.length) {
      if (this.#left > 0) {
        const taken = Math.min(this.#left, bytes.length - at);
        this.#left -= taken;
        at += taken;
        continue;
      }
      const byte = bytes[at] ?? 0;
      at += 1;
      if (this.#header === 0) {
        this.#header = 1;
        this.#length = 0;
        continue;
      }
      this.#length += (byte & 0x7f) * 128 ** (this.#header - 1);
      this.#header += 1;
      if (this.#length > this.#limit() || (this.#header > 5 && byte >= 0x80)) return false;
      if (byte < 0x80) {
        this.#left = this.#length;
        this.#header = 0;
      }
    }
    return true;
  }

  override _read(): void {
    this.#socket.resume();
  }
  override _write(bytes: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(bytes, done);
  }
  override _final(done: (error?: Error | null) => void): void {
    this.#socket.end(done);
  }
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }
}

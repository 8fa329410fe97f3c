import type { OpenSession } from '../access/principal.ts';
import type { Principal } from '../context.ts';

/** Why the server ends a connection, as WebSocket close codes. */
export const closeCodes = { goingAway: 1001, policy: 1008, tooBig: 1009, tryLater: 1013, signedOut: 4401 } as const;

/** What a connection does to the world; a WebSocket, or a stand-in. */
export interface Line {
  /** Sends a frame, already in bytes so that many readers share it. */
  send: (frame: Buffer) => void;
  close: (code: number) => void;
}

/** One open channel: who reads it, what they subscribed to, and until when they may. */
export class Connection {
  readonly topics = new Set<string>();
  readonly #line: Line;
  #session: OpenSession;
  /** Under way while the reader's rights are looked at again; what is to be told waits for it. */
  checking: Promise<void> | null = null;
  /** Something happened since the last look began. */
  checkWanted = false;
  checkedAt: number;
  isOpen = true;

  constructor(line: Line, session: OpenSession, at: number) {
    this.#line = line;
    this.#session = session;
    this.checkedAt = at;
  }

  get principal(): Principal {
    return this.#session.principal;
  }

  /** The session as it was found again. */
  renew(session: OpenSession, at: number): void {
    this.#session = session;
    this.checkedAt = at;
  }

  /** Closes the channel of somebody whose token has run out. */
  isSpent(at: number): boolean {
    if (at < this.#session.expiresAt) return false;
    this.close(closeCodes.signedOut);
    return true;
  }

  send(frame: Buffer): void {
    if (this.isOpen) this.#line.send(frame);
  }

  close(code: number): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.#line.close(code);
  }
}

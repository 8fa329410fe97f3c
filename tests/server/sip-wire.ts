import type { WebSocket } from 'ws';
import { type Heard, readHeard } from './sip-heard.ts';
import { longestWait } from '#tests/support/in-time.ts';

/** A WebSocket with SIP on it: everything heard is kept, and can be waited for. */
export class SipWire {
  readonly heard: Heard[] = [];
  readonly #ws: WebSocket;
  readonly #name: string;
  readonly #waiting = new Set<{ look: () => void; giveUp: (why: string) => void }>();
  #taken = new Set<Heard>();

  /** `name` stands in what is thrown. */
  protected constructor(ws: WebSocket, name: string) {
    this.#ws = ws;
    this.#name = name;
    ws.on('message', (data) => {
      this.heard.push(readHeard((data as Buffer).toString()));
      for (const { look } of this.#waiting) look();
    });
    ws.on('close', () => {
      for (const { giveUp } of this.#waiting) giveUp('until it was closed');
    });
  }

  get isOpen(): boolean {
    return this.#ws.readyState === this.#ws.OPEN;
  }

  /** Resolves with the code when the socket is closed. */
  closed(): Promise<number> {
    return new Promise((resolve) => (this.#ws.readyState === this.#ws.CLOSED ? resolve(1006) : this.#ws.once('close', resolve)));
  }

  close(): void {
    this.#ws.close();
  }

  /** Ends the socket as a crash does: nobody is told. */
  kill(): void {
    this.#ws.terminate();
  }

  /** Reads no more: for the server the socket is open and nobody is there. */
  freeze(): void {
    this.#ws.pause();
  }

  /** Sends any text. */
  send(text: string): void {
    this.#ws.send(text);
  }

  /** The first message of those that nobody has taken yet, or will come, for which this holds. */
  async next(holds: (heard: Heard) => boolean, ms = longestWait): Promise<Heard> {
    const found = (): Heard | undefined => this.heard.find((one) => !this.#taken.has(one) && holds(one));
    const first = found();
    if (first) return this.#take(first);
    if (this.#ws.readyState === this.#ws.CLOSED) throw new Error(`${this.#name} is closed`);
    return new Promise((resolve, reject) => {
      const over = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(waiting);
      };
      const look = (): void => {
        const one = found();
        if (!one) return;
        over();
        resolve(this.#take(one));
      };
      const giveUp = (why: string): void => {
        over();
        const lines = this.heard.slice(-8).map(({ text }) => text.split('\r\n', 1)[0]);
        reject(new Error(`${this.#name} waited in vain ${why}; it last heard: ${lines.join(' | ')}`));
      };
      const timer = setTimeout(() => giveUp(`for ${ms} ms`), ms);
      const waiting = { look, giveUp };
      this.#waiting.add(waiting);
    });
  }

  #take(one: Heard): Heard {
    this.#taken.add(one);
    return one;
  }

  /** The next request with this method. */
  request(method: string, ms?: number): Promise<Heard> {
    return this.next((one) => one.method === method, ms);
  }

  /** The next final response to a request of ours; with `least` 100 any. */
  response(method: string, callId: string, least = 200, ms?: number): Promise<Heard> {
    return this.next((one) => one.status !== null && one.status >= least && one.cseq.method === method && one.of('call-id') === callId, ms);
  }
}

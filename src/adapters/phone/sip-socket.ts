import type { Socket } from 'jssip';

/** What JsSIP calls on its socket, and what it sets there to be told. */
export interface SipSocket extends Socket {
  /** Milliseconds on the page's clock at which something was heard last. */
  lastHeard: () => number;
  /** Gives the connection up as lost, as if it had broken by itself. */
  drop: () => void;
}

interface Deps {
  open: (url: string) => WebSocket;
  now: () => number;
  /** Told of messages that JsSIP could not read; the connection goes on. */
  warn: (what: string, error: unknown) => void;
}

const lost = 4000;

/** The shape JsSIP wants of a socket, over whatever WebSocket there is at the moment. */
class JsSipSocket implements SipSocket {
  readonly via_transport: string;
  readonly url: string;
  readonly sip_uri: string;
  readonly #deps: Deps;
  /** Where it is tried in turn. */
  readonly #places: readonly string[];
  #place = 0;
  #socket: WebSocket | null = null;
  #heardAt: number;

  constructor(url: string, deps: Deps, others: readonly string[]) {
    const { host, protocol } = new URL(url);
    this.#places = [url, ...others];
    this.url = url;
    this.via_transport = protocol === 'wss:' ? 'WSS' : 'WS';
    this.sip_uri = `sip:${host};transport=ws`;
    this.#deps = deps;
    this.#heardAt = deps.now();
  }

  // Set by JsSIP.
  onconnect = (): void => {};
  ondisconnect: SipSocket['ondisconnect'] = () => {};
  ondata: SipSocket['ondata'] = () => {};

  connect(): void {
    this.#forget();
    const opening = this.#deps.open(this.#places[this.#place % this.#places.length] ?? this.url);
    let isOpened = false;
    opening.binaryType = 'arraybuffer';
    opening.onopen = () => {
      isOpened = true;
      this.#heardAt = this.#deps.now();
      this.onconnect();
    };
    opening.onclose = ({ wasClean, code, reason }) => {
      this.#forget();
      // Nobody there: the next try is at the next place.
      if (!isOpened) this.#place += 1;
      this.ondisconnect(!wasClean, code, reason);
    };
    opening.onmessage = ({ data }) => this.#heard(data);
    // What an error means is told by the close that follows it.
    opening.onerror = null;
    this.#socket = opening;
  }
  disconnect(): void {
    this.#forget();
  }
  send(message: Parameters<SipSocket['send']>[0]): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(message as string);
    return true;
  }
  isConnected(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }
  isConnecting(): boolean {
    return this.#socket?.readyState === WebSocket.CONNECTING;
  }
  lastHeard(): number {
    return this.#heardAt;
  }
  drop(): void {
    if (!this.#socket) return;
    this.#forget();
    this.ondisconnect(true, lost, 'no answer');
  }

  #forget(): void {
    const socket = this.#socket;
    if (!socket) return;
    socket.onopen = socket.onclose = socket.onmessage = socket.onerror = null;
    socket.close();
    this.#socket = null;
  }
  #heard(data: Parameters<SipSocket['ondata']>[0]): void {
    this.#heardAt = this.#deps.now();
    try {
      this.ondata(data);
    } catch (error) {
      this.#deps.warn('a SIP message could not be read', error);
    }
  }
}

/**
 * SIP over one WebSocket (RFC 7118) in the shape JsSIP wants. JsSIP's own throws out of the message handler on some malformed
 * messages and cannot be given up from outside while half open; this one survives the first and offers the second.
 * `others`: where it is tried while nobody answers at the first.
 */
export const openSipSocket = (url: string, deps: Deps, others: readonly string[] = []): SipSocket => new JsSipSocket(url, deps, others);

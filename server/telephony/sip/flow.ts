/** A way to one far side: a WebSocket, or an address and port of UDP (RFC 5626: a flow). */
export interface Flow {
  readonly id: string;
  readonly transport: 'WS' | 'WSS' | 'UDP';
  /** What is sent arrives in order, or the flow breaks: nothing is sent twice. */
  readonly reliable: boolean;
  /** Host and port at which the far side finds us, for Via and Contact. */
  readonly local: string;
  /** The far side's address, as failures are counted by it. */
  readonly address: string;
  /** The far side's port, where it cannot know by itself how it is seen from here: UDP. */
  readonly port: number | null;
  /** Numbers that registered over it; only a reliable flow can be trusted by that. */
  readonly accounts: Set<string>;
  readonly isOpen: boolean;
  /** A page of the console was at the far side and has closed it in order, as one does that goes or is loaded anew; it was not torn. */
  readonly hasLeft?: boolean;
  /** The flow that took the place of this one after it broke. */
  next: Flow | null;
  send(text: string): void;
  close(): void;
}

/** The flow on which the far side can be reached now: the last that took the place of this one. */
export function currentOf(flow: Flow): Flow {
  let current = flow;
  while (current.next) current = current.next;
  return current;
}

/** Times of signalling in ms (RFC 3261 table 4); tests shorten them. */
export interface SipTimes {
  t1: number;
  t2: number;
  t4: number;
  /** Without a socket for so long, a call that nobody has answered is over. */
  reattach: number;
  /** The same of one that rang at a page which went, unless a page is being loaded there. */
  vanish: number;
  /** An offer within a call that nobody answers is refused after it. */
  offer: number;
}
export const usualTimes: SipTimes = { t1: 500, t2: 4_000, t4: 5_000, reattach: 10_000, vanish: 2_500, offer: 20_000 };

/** Calls again and again, waiting longer each time: `first`, twice that …, `most`. @returns how to stop */
export function repeat(first: number, most: number, run: () => void): () => void {
  let wait = first;
  let timer: NodeJS.Timeout;
  const again = () => {
    timer = setTimeout(() => {
      run();
      wait = Math.min(wait * 2, most);
      again();
    }, wait).unref();
  };
  again();
  return () => clearTimeout(timer);
}

/** What is played to a leg: what the server says by itself, and what a panel of the demo shows and says. */
export type Tone = 'ringback' | 'waiting' | 'busy' | 'sos' | 'clip';

/** How a leg's media stand. `heard` and `silent`: packets come again, or have not come for 4 s though they should. */
export type MediaStanding = 'connected' | 'disconnected' | 'failed' | 'heard' | 'silent';
/**
 * What happens to a leg's media. `gone`: the media process has ended and the leg with it.
 * `late`: so many packets of its voice came too late through our fault since this was told last, and were left out.
 * Keys pass between joined legs by themselves; `dtmf` tells of those heard. `unpassed`: there is no other leg yet, or it did not agree on telephone-event.
 */
export type MediaEvent =
  | { type: MediaStanding | 'gone'; leg: string }
  | { type: 'late'; leg: string; packets: number }
  | { type: 'dtmf'; leg: string; digit: string; duration: number; unpassed?: true };

/**
 * Media of the legs of calls, anchored at the server in a process of its own. Every method rejects with `MediaFailure`
 * where it cannot be done; all but `answer` and `offer` of a leg that is not there do nothing.
 */
export interface MediaPort {
  /**
   * Takes an offer (a first, a hold, a restart of ICE) and answers it.
   * @param toward the leg it will be joined to (of one that is joined, that one): what both speak is agreed and passed on as it is; only
   * where there is nothing, what G.711 and G.722 can be turned into, or what the other can change over to
   */
  answer(leg: string, sdp: string, toward?: string): Promise<string>;
  /**
   * Makes an offer, or a new one, to send to the far side; of a leg whose media was lost it begins ICE anew. `kind`: to whom, plain RTP for
   * phones without ICE. `video`: of a leg that is joined only where the other has a picture. `checks`: we look for the path ourselves, as a client of a server that does not (a lite agent). `toward`: what gets
   * to that leg stands first; without it a new offer says what was agreed. `far`: the address of its signalling, by which plain phones are told ours.
   */
  offer(leg: string, wants: { video: boolean; kind: 'webrtc' | 'rtp'; checks?: boolean; far?: string | null }, toward?: string): Promise<string>;
  /** Takes the far side's answer to the last offer. */
  accept(leg: string, sdp: string): Promise<void>;
  /**
   * Joins two legs, ending what either was joined to; the tone playing to them stops. `unheard`: of the two those whose keys the other does not get.
   * @returns the leg that has to be offered anew toward the other before they hear each other; none mostly
   */
  bridge(one: string, other: string, unheard?: readonly string[]): Promise<string[]>;
  /** Parts a leg from the one it is joined to; both stay. */
  unbridge(leg: string): Promise<void>;
  /** Plays a tone to a leg until it is bridged, closed or told `null`. */
  play(leg: string, tone: Tone | null): Promise<void>;
  /** Sends a key to a leg (RFC 4733), `duration` in ms. @returns whether telephone-event was agreed */
  sendDtmf(leg: string, digit: string, duration: number): Promise<boolean>;
  /** The next whole picture of a leg's far side as a WebP file; null where none (of VP8) comes within 2 s. */
  still(leg: string): Promise<Uint8Array | null>;
  /** Ends a leg's media. */
  close(leg: string): Promise<void>;
  /** @returns how to stop listening */
  listen(listener: (event: MediaEvent) => void): () => void;
  /** Ends all. */
  shut(): Promise<void>;
}

/** Why media could not be done; `incompatible` is answered 488. */
export class MediaFailure extends Error {
  readonly code: 'incompatible' | 'unavailable';
  constructor(code: 'incompatible' | 'unavailable', message: string) {
    super(message);
    this.code = code;
  }
}

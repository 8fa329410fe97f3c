import type { MediaLeg } from './leg.ts';
import type { MediaStanding } from './port.ts';

/** Times of a leg's media, in ms. A far side that does ICE is heard of every 2.5 s, also when it says nothing. */
export const usualTimes = { silent: 4_000, disconnected: 6_000, failed: 30_000, connecting: 20_000 };
export type MediaTimes = typeof usualTimes;
type State = 'new' | 'connecting' | 'connected' | 'disconnected' | 'failed';

/** Keeps in mind how a leg's media stand and tells every change once. */
export class LegWatch {
  readonly #notify: (type: MediaStanding) => void;
  readonly #times: MediaTimes;
  #state: State = 'new';
  #since = performance.now();
  #isSilent = false;
  /** From when on something should have been heard. */
  #listeningSince = 0;
  #wasListening = false;

  constructor(notify: (type: MediaStanding) => void, times: MediaTimes) {
    this.#notify = notify;
    this.#times = times;
  }
  get isLost(): boolean {
    return this.#state === 'disconnected' || this.#state === 'failed';
  }
  agreed(): void {
    if (this.#state === 'new') this.#enter('connecting');
  }
  connected(): void {
    if (this.#state === 'connected') return;
    this.#enter('connected');
    this.#listeningSince = performance.now();
    this.#notify('connected');
  }
  lost(how: 'disconnected' | 'failed'): void {
    if (this.#state === how || this.#state === 'failed') return;
    this.#enter(how);
    this.#notify(how);
  }
  #enter(state: State): void {
    this.#state = state;
    this.#since = performance.now();
  }

  look(leg: MediaLeg): void {
    const now = performance.now();
    const lasted = (): number => now - this.#since;
    // Plain RTP says nothing of its being there but by talking.
    const heardAt = Math.min(...leg.carriers.map((carrier) => (carrier.protocol === 'RTP/AVP' ? now : carrier.heardAt)));
    if (this.#state === 'connecting' && lasted() > this.#times.connecting) this.lost('failed');
    if (this.#state === 'connected' && now - heardAt > this.#times.disconnected) this.lost('disconnected');
    if (this.#state === 'disconnected' && lasted() > this.#times.failed - this.#times.disconnected) this.lost('failed');
    if (this.isLost && heardAt > this.#since && leg.carriers.every(({ isConnected }) => isConnected)) this.connected();
    if (this.#state === 'connected') this.#lookForVoice(leg, now);
  }
  #lookForVoice(leg: MediaLeg, now: number): void {
    const audio = leg.stream('audio');
    const listening = audio?.hears === true;
    if (listening && !this.#wasListening) this.#listeningSince = now;
    this.#wasListening = listening;
    const quiet = !listening || !audio ? 0 : now - Math.max(audio.meter.heardAt, this.#listeningSince);
    if (quiet > this.#times.silent && !this.#isSilent) {
      this.#isSilent = true;
      this.#notify('silent');
    }
    if (this.#isSilent && audio && now - audio.meter.heardAt < this.#times.silent) {
      this.#isSilent = false;
      this.#notify('heard');
    }
  }
}

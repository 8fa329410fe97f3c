import type { MediaLeg } from './leg.ts';
import type { Tone } from './port.ts';
import { clipPictures, framesOf } from './recorded.ts';

const tick = 20;
/** What a busy moment kept from being sent is left out beyond this many frames. */
const mostAtOnce = 5;
const playing = new Set<Player>();
let ticker: NodeJS.Timeout | undefined;

/** Everything that plays does so in step, and nothing ticks when nothing plays. */
function keepTicking(): void {
  if (playing.size === 0) {
    clearInterval(ticker);
    ticker = undefined;
  } else
    ticker ??= setInterval(() => {
      for (const player of playing) player.step();
    }, tick);
}

/** Plays what the server sounds by itself to one leg. */
export class Player {
  readonly #leg: () => MediaLeg;
  #tone: Tone | null = null;
  #begun = 0;
  #frames = 0;
  #pictures = 0;
  /** The picture of the clip that its count began with. */
  #from = 0;

  constructor(leg: () => MediaLeg) {
    this.#leg = leg;
  }
  play(tone: Tone | null): void {
    if (tone === this.#tone) return;
    this.#tone = tone;
    this.#begun = performance.now();
    this.#frames = 0;
    this.#pictures = 0;
    this.#from = 0;
    if (tone) playing.add(this);
    else playing.delete(this);
    keepTicking();
  }
  /** Goes to where a decoder can begin. */
  showFromStart(): void {
    this.#from = -this.#pictures;
  }

  /** Sends what is due by now. */
  step(): void {
    if (!this.#tone) return;
    const passed = performance.now() - this.#begun;
    this.#sound(this.#tone, Math.floor(passed / tick));
    if (this.#tone === 'clip') this.#show(Math.floor(passed / clipPictures().every));
  }
  #sound(tone: Tone, due: number): void {
    const audio = this.#leg().stream('audio');
    const key = audio?.keys.find((one) => framesOf(tone, one));
    const frames = key && framesOf(tone, key);
    const samples = key === 'opus' ? 960 : 160;
    for (this.#frames = Math.max(this.#frames, due - mostAtOnce); this.#frames < due; this.#frames += 1) {
      const payload = frames && frames[this.#frames % frames.length];
      if (!audio || !key || !payload) continue;
      const count = this.#frames;
      audio.pass(
        `tone ${this.#begun}`,
        { type: 0, marker: count === 0, sequence: count % 65_536, timestamp: (count * samples) % 2 ** 32, ssrc: 0, payload },
        key,
      );
    }
  }
  #sequence = 0;
  #show(due: number): void {
    const video = this.#leg().stream('video');
    const { every, pictures } = clipPictures();
    for (this.#pictures = Math.max(this.#pictures, due - 1); this.#pictures < due; this.#pictures += 1) {
      const picture = pictures[(this.#pictures + this.#from) % pictures.length];
      const timestamp = Math.round(this.#pictures * every * 90) % 2 ** 32;
      picture?.packets.forEach((payload, at) => {
        this.#sequence = (this.#sequence + 1) % 65_536;
        video?.pass(
          `clip ${this.#begun}`,
          { type: 0, marker: at === picture.packets.length - 1, sequence: this.#sequence, timestamp, ssrc: 0, payload },
          'vp8',
        );
      });
    }
  }
}

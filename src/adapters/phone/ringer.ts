import type { RingerCommand, RingerReport } from '#machines/phone/ports.ts';
import type { RingTone } from '#machines/phone/types.ts';
import type { Remembered } from '../followed.ts';
import type { SoundVolumes } from '../sound-volumes.ts';
import { touches } from '../touches.ts';
import { sendTo } from './loudspeaker.ts';
import type { Media } from './media.ts';
import { samplesOf } from './ring-tones.ts';

interface Deps {
  /** Makes the page's source of ringing, null where there is none; it stays suspended until the person has touched the page. */
  context: () => AudioContext | null;
  page: Pick<Document, 'addEventListener' | 'removeEventListener'>;
  media: Pick<Media, 'chosen' | 'follow'>;
  volumes: Pick<Remembered<SoundVolumes>, 'get' | 'follow'>;
  /** Whether the person has touched the page before; a source of sound made earlier only makes the browser complain. */
  touched: boolean;
}

/** A browser that has not begun to sound after so many ms waits for a touch. */
const timeout = 300;

/** The bell of one page. */
class Bell {
  readonly #deps: Deps;
  readonly #report: (fact: RingerReport) => void;
  readonly #unfollow: readonly (() => void)[];
  #context: AudioContext | undefined;
  #ringing: { tone: RingTone; source: AudioBufferSourceNode; gain: GainNode } | null = null;
  #wanted: RingTone | null = null;
  #isOver = false;
  #isArmed = false;
  #isTouched: boolean;

  constructor(deps: Deps, report: (fact: RingerReport) => void) {
    this.#deps = deps;
    this.#report = report;
    this.#isTouched = deps.touched;
    const { page, media, volumes } = deps;
    touches.forEach((touch) => page.addEventListener(touch, this.#touched, true));
    this.#unfollow = [
      media.follow(() => this.#aim()),
      volumes.follow(() => void (this.#ringing && (this.#ringing.gain.gain.value = volumes.get()[this.#ringing.tone]))),
    ];
    // Signing in was a touch: then all is ready at once.
    void this.#arm();
  }

  send(command: RingerCommand): void {
    switch (command.type) {
      case 'ringer.arm':
        return void this.#arm();
      case 'ringer.ring':
        this.#wanted = command.tone;
        return void this.#play(command.tone, true);
      case 'ringer.silence':
        this.#wanted = null;
        return this.#silence();
      case 'ringer.test':
        return void this.#play(command.tone, false);
    }
  }
  close(): void {
    this.#isOver = true;
    this.#wanted = null;
    this.#forgetTouches();
    this.#unfollow.forEach((stop) => stop());
    this.#silence();
    void this.#context?.close().catch(() => {});
  }

  #aim(): void {
    if (this.#context) sendTo(this.#context as AudioContext & { setSinkId?: (id: string) => Promise<void> }, this.#deps.media.chosen().ringer);
  }
  async #arm(): Promise<boolean> {
    if (!this.#isTouched) return false;
    if (!this.#context) {
      this.#context = this.#deps.context() ?? undefined;
      this.#aim();
    }
    const context = this.#context;
    if (!context || this.#isOver) return false;
    // A refusal of resume() is told by the state it leaves; some browsers never answer at all.
    if (context.state !== 'running') await Promise.race([context.resume().catch(() => {}), new Promise((resolve) => setTimeout(resolve, timeout))]);
    if (this.#isOver || context.state !== 'running') return false;
    if (!this.#isArmed) {
      this.#isArmed = true;
      this.#forgetTouches();
      this.#report({ type: 'ringer.armed' });
    }
    return true;
  }
  readonly #touched = (): void => {
    this.#isTouched = true;
    void this.#arm();
  };
  #forgetTouches(): void {
    touches.forEach((touch) => this.#deps.page.removeEventListener(touch, this.#touched, true));
  }

  async #play(tone: RingTone, isLoop: boolean): Promise<void> {
    if (!(await this.#arm()) || !this.#context) return this.#report({ type: 'ringer.refused' });
    if (!isLoop || this.#wanted === tone) this.#sound(this.#context, tone, isLoop);
  }
  #sound(loud: AudioContext, tone: RingTone, isLoop: boolean): void {
    this.#silence();
    const samples = samplesOf(tone, loud.sampleRate);
    const buffer = loud.createBuffer(1, samples.length, loud.sampleRate);
    buffer.copyToChannel(samples, 0);
    const [source, gain] = [loud.createBufferSource(), loud.createGain()];
    source.buffer = buffer;
    source.loop = isLoop;
    gain.gain.value = this.#deps.volumes.get()[tone];
    source.connect(gain).connect(loud.destination);
    source.start();
    this.#ringing = { tone, source, gain };
  }
  #silence(): void {
    this.#ringing?.source.stop();
    this.#ringing?.gain.disconnect();
    this.#ringing = null;
  }
}

/** Opens the bell of this page: it rings at the chosen output until it is silenced, and says when it was not heard. */
export function openRinger(deps: Deps, report: (fact: RingerReport) => void) {
  const bell = new Bell(deps, report);
  return { send: (command: RingerCommand): void => bell.send(command), close: (): void => bell.close() };
}

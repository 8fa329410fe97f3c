import type { RingerCommand, RingerReport } from '#machines/phone/ports.ts';
import type { RingTone } from '#machines/phone/words.ts';
import type { Remembered } from '../followed.ts';
import type { SoundVolumes } from '../sound-volumes.ts';
import { sendTo } from './loudspeaker.ts';
import type { Media } from './media.ts';
import { samplesOf } from './ring-tones.ts';

interface Around {
  /** Makes the page's source of ringing, null where there is none; it stays suspended until the person has touched the page. */
  context: () => AudioContext | null;
  page: Pick<Document, 'addEventListener' | 'removeEventListener'>;
  media: Pick<Media, 'chosen' | 'follow'>;
  volumes: Pick<Remembered<SoundVolumes>, 'get' | 'follow'>;
  /** Whether the person has touched the page before; a source of sound made earlier only makes the browser complain. */
  touched: boolean;
}

const touches = ['pointerdown', 'keydown'] as const;
/** A browser that has not begun to sound after so many ms waits for a touch. */
const patience = 300;
/** The bell of this page: rings at the chosen output until it is silenced, and says when it was not heard. */
export function openRinger({ context: make, page, media, volumes, touched: before }: Around, report: (fact: RingerReport) => void) {
  let context: AudioContext | undefined;
  let ringing: { tone: RingTone; source: AudioBufferSourceNode; gain: GainNode } | null = null;
  let isOver = false;
  let isArmed = false;
  let isTouched = before;

  const aim = (): void => {
    if (context) sendTo(context as AudioContext & { setSinkId?: (id: string) => Promise<void> }, media.chosen().ringer);
  };
  const arm = async (): Promise<boolean> => {
    if (!isTouched) return false;
    if (!context) {
      context = make() ?? undefined;
      aim();
    }
    if (!context || isOver) return false;
    // A refusal of resume() is told by the state it leaves; some browsers never answer at all.
    if (context.state !== 'running') await Promise.race([context.resume().catch(() => {}), new Promise((resolve) => setTimeout(resolve, patience))]);
    if (isOver || context.state !== 'running') return false;
    if (!isArmed) {
      isArmed = true;
      forgetTouches();
      report({ type: 'ringer.armed' });
    }
    return true;
  };
  const touched = (): void => {
    isTouched = true;
    void arm();
  };
  const forgetTouches = (): void => touches.forEach((touch) => page.removeEventListener(touch, touched, true));
  touches.forEach((touch) => page.addEventListener(touch, touched, true));

  const silence = (): void => {
    ringing?.source.stop();
    ringing?.gain.disconnect();
    ringing = null;
  };
  const sound = (loud: AudioContext, tone: RingTone, isLoop: boolean): void => {
    silence();
    const samples = samplesOf(tone, loud.sampleRate);
    const buffer = loud.createBuffer(1, samples.length, loud.sampleRate);
    buffer.copyToChannel(samples, 0);
    const [source, gain] = [loud.createBufferSource(), loud.createGain()];
    source.buffer = buffer;
    source.loop = isLoop;
    gain.gain.value = volumes.get()[tone];
    source.connect(gain).connect(loud.destination);
    source.start();
    ringing = { tone, source, gain };
  };
  let wanted: RingTone | null = null;
  const play = async (tone: RingTone, isLoop: boolean): Promise<void> => {
    if (!(await arm()) || !context) return report({ type: 'ringer.refused' });
    if (!isLoop || wanted === tone) sound(context, tone, isLoop);
  };
  const unfollow = [media.follow(aim), volumes.follow(() => void (ringing && (ringing.gain.gain.value = volumes.get()[ringing.tone])))];
  // Signing in was a touch: then all is ready at once.
  void arm();

  return {
    tell: (command: RingerCommand): void => {
      switch (command.type) {
        case 'ringer.arm':
          return void arm();
        case 'ringer.ring':
          wanted = command.tone;
          return void play(command.tone, true);
        case 'ringer.silence':
          wanted = null;
          return silence();
        case 'ringer.test':
          return void play(command.tone, false);
      }
    },
    close: (): void => {
      isOver = true;
      wanted = null;
      forgetTouches();
      unfollow.forEach((stop) => stop());
      silence();
      void context?.close().catch(() => {});
    },
  };
}

import { isGrave, type SoundName, type SpeakerCommand, type SpeakerReport } from '#machines/sounds.machine.ts';
import { isLed, type Leader, standForLeader } from './leader.ts';
import { melodies, type Tone } from './melodies.ts';
import { touches } from './touches.ts';

interface Deps {
  /** Makes the page's one source of sound, null where there is none; it stays suspended until the person has touched the page. */
  context: () => AudioContext | null;
  page: Pick<Document, 'addEventListener' | 'removeEventListener'>;
  locks: LockManager | undefined;
  /** How loud it is, 0 to 1; alarms and emergency alerts do not ask. */
  volume: () => number;
  /** Whether the person has touched the page before, by signing in: then it is armed as soon as it is told so or has to sound. */
  touched: boolean;
}

function sound(context: AudioContext, { pitch, at, lasts, loud: full, shape }: Tone, level: number): void {
  const loud = full * level;
  const [start, end] = [context.currentTime + at, context.currentTime + at + lasts];
  const [source, volume] = [context.createOscillator(), context.createGain()];
  source.type = shape;
  source.frequency.setValueAtTime(pitch, start);
  // Tones that begin or end abruptly click.
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(loud, start + 0.015);
  volume.gain.setValueAtTime(loud, end - 0.04);
  volume.gain.linearRampToValueAtTime(0, end);
  source.connect(volume).connect(context.destination);
  source.start(start);
  source.stop(end);
}

/** Alarms and emergency alerts do not ask how loud notices are. */
function playMelody(context: AudioContext, what: SoundName, level: number): void {
  for (const part of melodies[what]) sound(context, part, isGrave(what) ? 1 : level);
}

/** So long, in ms, a source of sound is given to start: one that the browser holds back says nothing at all. */
const startTime = 1_000;
const resumed = (context: AudioContext): Promise<void> =>
  Promise.race([context.resume().catch(() => {}), new Promise<void>((resolve) => void setTimeout(resolve, startTime))]);

/** The loudspeaker of one person's tabs: ready once any of them was touched; one of those that are ready sounds. */
export function openSpeaker({ context: make, page, locks, volume, touched: before }: Deps, person: string, report: (fact: SpeakerReport) => void) {
  const name = `doorward-speaker-${person}`;
  let context: AudioContext | undefined;
  let leader: Leader | undefined;
  let closed = false;

  let arming: Promise<void> | undefined;

  const stand = async (): Promise<void> => {
    context ??= make() ?? undefined;
    if (!context) return;
    if (context.state !== 'running') await resumed(context);
    if (closed || context.state !== 'running' || leader) return;
    leader = standForLeader(locks, name);
    forgetTouches();
    report({ type: 'speaker.ready' });
    await leader.decided;
  };
  const arm = (): Promise<void> =>
    (arming ??= stand().finally(() => {
      arming = undefined;
    }));
  const touched = (): void => void arm();
  const forgetTouches = (): void => touches.forEach((touch) => page.removeEventListener(touch, touched, true));
  touches.forEach((touch) => page.addEventListener(touch, touched, true));

  const play = async (what: SoundName): Promise<void> => {
    // What is to sound while the page is being armed sounds as soon as it is.
    if (arming || (before && !leader)) await arm();
    if (context?.state === 'running' && leader) {
      if (leader.leads()) playMelody(context, what, volume());
    } else if (!(await isLed(locks, name))) report({ type: 'speaker.refused' });
  };
  return {
    send: (command: SpeakerCommand): void => void (command.type === 'sound.play' ? play(command.sound) : arm()),
    close: (): void => {
      closed = true;
      forgetTouches();
      leader?.resign();
      void context?.close().catch(() => {});
    },
  };
}

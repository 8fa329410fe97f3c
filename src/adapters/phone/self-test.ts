import type { CheckResult } from '#machines/phone/ports.ts';
import { cutGathering } from './ice.ts';
import type { Line } from './leg-session.ts';
import type { Media } from './media.ts';
import { rings, samplesOf } from './ring-tones.ts';

type Outcome = CheckResult['outcome'];
type Found = Pick<CheckResult, 'outcome' | 'detail'>;

interface Deps {
  isSecure: boolean;
  media: Pick<Media, 'support' | 'takeOne'>;
  /** Makes a source of sound, null where there is none. */
  context: () => AudioContext | null;
  permission: () => NotificationPermission | 'missing';
  /** The line; null before it was told to register, and in a tab that follows another one's phone. */
  line: () => Pick<Line, 'agent' | 'own' | 'iceServers'> | null;
  /** The server's time in ms since 1970, null when it does not answer. */
  serverTime: () => Promise<number | null>;
  now: () => number;
}

const listening = 1_200;
const silent = -70;
/** Clocks further apart than so many ms are told, and further than the second are a fault: times in lists would mislead. */
const apart = { warned: 5_000, failed: 60_000 };
const slow = 500;
const found = (outcome: Outcome, detail: Found['detail'] = null): Found => ({ outcome, detail });
function ringOnce(context: AudioContext): void {
  const samples = samplesOf('call', context.sampleRate);
  const buffer = context.createBuffer(1, samples.length, context.sampleRate);
  buffer.copyToChannel(samples, 0);
  const source = context.createBufferSource();
  source.buffer = buffer;
  source.connect(context.destination);
  source.start();
}
const pause = (time: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, time));
const within = <T>(work: Promise<T>, time: number, otherwise: T): Promise<T> => Promise.race([work, pause(time).then(() => otherwise)]);

/** The loudest a microphone gets while it is listened to, in dB below full. */
async function levelOf(track: MediaStreamTrack, context: AudioContext): Promise<number> {
  const analyser = context.createAnalyser();
  const source = context.createMediaStreamSource(new MediaStream([track]));
  source.connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  let loudest = 0;
  for (let heard = 0; heard < listening; heard += 50) {
    await pause(50);
    analyser.getFloatTimeDomainData(samples);
    loudest = Math.max(loudest, Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length));
  }
  source.disconnect();
  return 20 * Math.log10(Math.max(loudest, 1e-6));
}

async function checkMicrophone({ media, context: make }: Deps): Promise<Found> {
  const track = await media.takeOne('microphone');
  if (typeof track === 'string') return found('failed');
  const context = make();
  try {
    if (!context) return found('warned', track.label || null);
    await context.resume().catch(() => {});
    const level = await levelOf(track, context);
    return found(level > silent ? 'passed' : 'warned', { value: Math.round(level), unit: 'dB' });
  } finally {
    track.stop();
    await context?.close().catch(() => {});
  }
}

/** One round of the ring, for the person to hear. */
async function checkRinger({ context: make }: Deps): Promise<Found> {
  const context = make();
  if (!context) return found('failed');
  await Promise.race([context.resume().catch(() => {}), pause(300)]);
  const isHeard = context.state === 'running';
  if (isHeard) ringOnce(context);
  setTimeout(() => void context.close().catch(() => {}), rings.call.round * 1_000);
  return found(isHeard ? 'passed' : 'failed');
}

async function checkCandidates({ line }: Deps): Promise<Found> {
  const iceServers = line()?.iceServers() ?? [];
  const connection = new RTCPeerConnection({ iceServers });
  try {
    connection.addTransceiver('audio', { direction: 'recvonly' });
    const kinds = await new Promise<readonly string[]>((resolve) => {
      const cut = cutGathering(resolve);
      connection.addEventListener('icecandidate', ({ candidate }) => void (candidate && cut.found(candidate)));
      connection.setLocalDescription().catch(() => resolve([]));
    });
    if (kinds.length === 0) return found('failed');
    // With servers to ask, an address seen from outside was to be expected.
    return found(iceServers.length > 0 && kinds.every((kind) => kind === 'host') ? 'warned' : 'passed', kinds.join(', '));
  } finally {
    connection.close();
  }
}

async function checkSocket({ line: current }: Deps): Promise<Found> {
  const line = current();
  if (!line?.agent.isConnected()) return found('failed');
  const asked = performance.now();
  const took = await new Promise<number>((resolve) => {
    const heard = (): void => resolve(performance.now() - asked);
    line.agent.sendOptions(line.own, null, { eventHandlers: { succeeded: heard, failed: heard } });
  });
  return found(took < slow ? 'passed' : 'warned', { value: Math.round(took), unit: 'ms' });
}

async function checkClock({ serverTime, now }: Deps): Promise<Found> {
  const theirs = await serverTime();
  if (theirs === null) return found('failed');
  const skew = Math.round((now() - theirs) / 1_000);
  const distance = Math.abs(skew) * 1_000;
  return found(distance > apart.failed ? 'failed' : distance > apart.warned ? 'warned' : 'passed', { value: skew, unit: 's' });
}

const checks: Readonly<Record<CheckResult['check'], (deps: Deps) => Found | Promise<Found>>> = {
  secure: ({ isSecure }) => found(isSecure ? 'passed' : 'failed'),
  support: ({ media }) => found(media.support() === null ? 'passed' : 'failed'),
  microphone: checkMicrophone,
  ringer: checkRinger,
  notifications: ({ permission }) => found(permission() === 'granted' ? 'passed' : 'warned'),
  registration: ({ line }) => found(line()?.agent.isRegistered() ? 'passed' : 'failed'),
  candidates: checkCandidates,
  socket: checkSocket,
  clock: checkClock,
};

/** Opens the check before a shift (experience 11): what a call needs, one by one; each check answers within 5 s and none throws. */
export function openSelfTest(deps: Deps) {
  /** What only the tab that has the line can tell; in another one its head says how registration stands. */
  const isHere = (check: CheckResult['check']): boolean => deps.line() !== null || (check !== 'registration' && check !== 'socket');
  const run = (check: CheckResult['check']): Promise<Found> =>
    Promise.resolve()
      .then(() => checks[check](deps))
      .catch(() => found('failed'));
  /** Beside each other, so that the whole takes as long as the slowest. */
  return (): Promise<readonly CheckResult[]> =>
    Promise.all(
      (Object.keys(checks) as CheckResult['check'][])
        .filter(isHere)
        .map(async (check) => ({ check, ...(await within(run(check), 5_000, found('failed'))) })),
    );
}

import type { DeviceKind, DeviceList, MediaTrouble } from '#machines/phone/types.ts';
import type { KeyValueStore } from '../storage.ts';

type Chosen = DeviceList['chosen'];
type Kind = 'microphone' | 'camera';

/** The browser as far as sound and picture go; undefined is what it does not have. */
export interface MediaWorld {
  devices: MediaDevices | undefined;
  isSecure: boolean;
  hasWebRtc: boolean;
  storage: KeyValueStore;
  /** What may be used without a question; undefined where the browser does not say. */
  permissions: Permissions | undefined;
}
/** What was got of what was asked for, and why the rest was not. */
export interface Taken {
  microphone: MediaStreamTrack | null;
  camera: MediaStreamTrack | null;
  trouble: MediaTrouble | null;
}
/** Microphones, cameras and loudspeakers of this browser, and which of them a person has chosen. */
export interface Media {
  /** Never rejects: without a microphone one may still listen. */
  take: (wish: { camera: boolean }) => Promise<Taken>;
  /** Whether a microphone was given before or the browser says that it will be: then it is given without a question. */
  isAllowed: () => boolean;
  takeOne: (kind: Kind) => Promise<MediaStreamTrack | MediaTrouble>;
  chosen: () => Chosen;
  choose: (kind: DeviceKind, id: string | null) => void;
  list: () => Promise<DeviceList>;
  /** Told after a choice (`chosen`) and when something was plugged in or out (`plugged`). @returns how to stop */
  follow: (heard: (what: 'chosen' | 'plugged') => void) => () => void;
  /** Whether this browser can make calls at all; looked at until it could, then remembered (clause SIP-16). */
  support: () => 'unsupported' | null;
}

const nothingChosen: Chosen = { microphone: null, speaker: null, ringer: null, camera: null };
const kinds: Readonly<Record<MediaDeviceKind, DeviceList['devices'][number]['kind']>> = {
  audioinput: 'microphone',
  audiooutput: 'speaker',
  videoinput: 'camera',
};
/** By the names of the errors of getUserMedia. */
const troubles: Readonly<Record<string, MediaTrouble>> = {
  NotAllowedError: 'notAllowed',
  SecurityError: 'notAllowed',
  NotFoundError: 'notFound',
  OverconstrainedError: 'notFound',
  NotReadableError: 'notReadable',
  AbortError: 'notReadable',
};

/** What getUserMedia failed with: refused, nothing there, or in use by another program. */
export const troubleOf = (error: unknown): MediaTrouble => (error instanceof Error ? troubles[error.name] : undefined) ?? 'notReadable';

function readChosen(stored: unknown): Chosen {
  const held = (typeof stored === 'object' && stored !== null ? stored : {}) as Partial<Record<string, unknown>>;
  const id = (kind: DeviceKind): string | null => (typeof held[kind] === 'string' ? held[kind] : null);
  return { microphone: id('microphone'), speaker: id('speaker'), ringer: id('ringer'), camera: id('camera') };
}

/** A choice that is not plugged in falls back to the system's own. */
const preferring = (id: string | null): MediaTrackConstraints => (id === null ? {} : { deviceId: { ideal: id } });

function constraintsOf(kind: Kind, chosen: Chosen): MediaStreamConstraints {
  return kind === 'microphone'
    ? { audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true, ...preferring(chosen.microphone) } }
    : { video: { width: { ideal: 640 }, height: { ideal: 480 }, ...preferring(chosen.camera) } };
}

const takenFrom = (both: MediaStream): Taken => ({
  microphone: both.getAudioTracks()[0] ?? null,
  camera: both.getVideoTracks()[0] ?? null,
  trouble: null,
});

function supportOf(storage: KeyValueStore, hasWebRtc: boolean): 'unsupported' | null {
  if (storage.read('mediaSupport') === true) return null;
  if (!hasWebRtc) return 'unsupported';
  storage.write('mediaSupport', true);
  return null;
}

/** Tells whether a microphone is given without a question, as far as the browser says. Some know no such permission; there the first microphone tells. */
function followPermission(permissions: Permissions | undefined, note: (allowed: boolean) => void): void {
  const permission = permissions?.query({ name: 'microphone' as PermissionName }).catch(() => null);
  void permission?.then((status) => {
    if (status?.state === 'granted') note(true);
    status?.addEventListener('change', () => note(status.state === 'granted'));
  });
}

async function listDevices(devices: MediaDevices | undefined): Promise<DeviceList['devices']> {
  const found = (await devices?.enumerateDevices().catch(() => [])) ?? [];
  return found.filter(({ deviceId }) => deviceId !== '').map(({ deviceId, kind, label }) => ({ id: deviceId, kind: kinds[kind], label }));
}

/** Opens the browser's media. */
export function openMedia({ devices, isSecure, hasWebRtc, storage, permissions }: MediaWorld): Media {
  const subscribers = new Set<(what: 'chosen' | 'plugged') => void>();
  let chosen = readChosen(storage.read('phoneDevices') ?? nothingChosen);
  const notify = (what: 'chosen' | 'plugged'): void => subscribers.forEach((heard) => heard(what));
  devices?.addEventListener('devicechange', () => notify('plugged'));

  let isAllowed = false;
  followPermission(permissions, (allowed) => void (isAllowed = allowed));
  const ask = async (constraints: MediaStreamConstraints): Promise<MediaStream | MediaTrouble> => {
    if (!devices) return isSecure ? 'unsupported' : 'insecure';
    const got = await devices.getUserMedia(constraints).catch(troubleOf);
    if (constraints.audio && got !== 'notReadable' && got !== 'notFound') isAllowed = typeof got !== 'string';
    return got;
  };
  const takeOne = async (kind: Kind): Promise<MediaStreamTrack | MediaTrouble> => {
    const got = await ask(constraintsOf(kind, chosen));
    return typeof got === 'string' ? got : (got.getTracks()[0] ?? 'notFound');
  };
  return {
    support: () => supportOf(storage, hasWebRtc),
    isAllowed: () => isAllowed,
    takeOne,
    async take({ camera }) {
      // One question of the browser for both; where that fails, the one must not cost the other.
      const both = camera ? await ask({ ...constraintsOf('microphone', chosen), ...constraintsOf('camera', chosen) }) : null;
      if (both !== null && typeof both !== 'string') return takenFrom(both);
      const microphone = await takeOne('microphone');
      return typeof microphone === 'string' ? { microphone: null, camera: null, trouble: microphone } : { microphone, camera: null, trouble: null };
    },
    chosen: () => chosen,
    choose(kind, id) {
      chosen = { ...chosen, [kind]: id };
      storage.write('phoneDevices', chosen);
      notify('chosen');
    },
    list: async () => ({ devices: await listDevices(devices), chosen }),
    follow(heard) {
      subscribers.add(heard);
      return () => void subscribers.delete(heard);
    },
  };
}

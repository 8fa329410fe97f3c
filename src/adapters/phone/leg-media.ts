import type { LegReport } from '#machines/phone/ports.ts';
import type { MediaTrouble } from '#machines/phone/words.ts';
import type { Loudspeaker } from './loudspeaker.ts';
import type { Media } from './media.ts';
import type { PictureSide } from './pictures.ts';

interface Around {
  media: Media;
  loudspeaker: Loudspeaker;
  show: (side: PictureSide, stream: MediaStream | null) => void;
  /** Tracks have come or gone: the far side must be offered anew. */
  offer: () => void;
  report: (fact: LegReport) => void;
}
type Kind = 'microphone' | 'camera';
const lineOf = { microphone: 'audio', camera: 'video' } as const;

/** What is heard and seen in one call, on this side and from the other. */
export interface LegMedia {
  /** Gets what is needed, as far as the person and the browser allow. @returns the tracks to talk with, null when the call was given up meanwhile */
  take: (wish: { camera: boolean }) => Promise<MediaStream | null>;
  /** Whether taking a microphone asks the person nothing. */
  isAllowed: () => boolean;
  /** Puts tracks and lines on a connection of our own making, sound first. `expected`: the microphone is still to come. */
  line: (connection: RTCPeerConnection, picture: 'none' | 'receive' | 'both', expected: boolean) => void;
  /** Puts the tracks that were taken on the lines of a connection that stands already. */
  fill: () => Promise<void>;
  /** Plays what comes from the far side of a connection. */
  listen: (connection: RTCPeerConnection) => void;
  /** Takes the last picture off: what the next one's camera sends appears when it comes. */
  clearPicture: () => void;
  mute: (on: boolean) => void;
  hold: (on: boolean) => void;
  camera: (on: boolean) => Promise<void>;
  volume: (level: number) => void;
  /** Sets the tracks as they ought to be, after somebody else touched them. */
  gate: () => void;
  /** Whether sound ought to go out now. */
  isSending: () => boolean;
  stop: () => void;
}

/** Opens the media of one call. */
export function openLegMedia({ media, loudspeaker, show, offer, report }: Around): LegMedia {
  const tracks: Record<Kind, MediaStreamTrack | null> = { microphone: null, camera: null };
  let connection: RTCPeerConnection | null = null;
  let trouble: MediaTrouble | null = null;
  let isMuted = false;
  let isHeld = false;
  let isOver = false;

  const gate = (): void => {
    if (tracks.microphone) tracks.microphone.enabled = !isMuted && !isHeld;
    if (tracks.camera) tracks.camera.enabled = !isHeld;
  };
  const tellTrouble = (next: MediaTrouble | null): void => {
    if (trouble === next) return;
    trouble = next;
    report({ type: 'leg.microphone', trouble });
  };
  const keep = (kind: Kind, track: MediaStreamTrack | null): void => {
    tracks[kind]?.removeEventListener('ended', lost[kind]);
    tracks[kind]?.stop();
    tracks[kind] = track;
    track?.addEventListener('ended', lost[kind]);
    gate();
    if (kind === 'camera') show('local', track ? new MediaStream([track]) : null);
  };
  const lineFor = (kind: Kind): RTCRtpTransceiver | undefined =>
    connection?.getTransceivers().find(({ receiver, direction }) => receiver.track.kind === lineOf[kind] && direction !== 'stopped');
  const send = async (kind: Kind): Promise<void> => {
    const [line, track] = [lineFor(kind), tracks[kind]];
    if (!connection || isOver) return;
    if (line) await line.sender.replaceTrack(track);
    if (line && (!track || line.direction.startsWith('send'))) return;
    if (line) line.direction = 'sendrecv';
    else if (track) connection.addTransceiver(track, { direction: 'sendrecv' });
    offer();
  };
  /** Gets a device anew after it was lost or another was chosen, without a word to the far side. */
  const replace = async (kind: Kind): Promise<void> => {
    const got = await media.takeOne(kind);
    const track = typeof got === 'string' ? null : got;
    if (isOver) return track?.stop();
    // The track that works is kept until there is a better one.
    if (track === null && tracks[kind]?.readyState === 'live') return;
    keep(kind, track);
    await send(kind);
    if (kind === 'microphone') tellTrouble(typeof got === 'string' ? (got === 'notFound' ? 'lost' : got) : null);
    else report({ type: 'leg.camera', on: track !== null });
  };
  const receive = (track: MediaStreamTrack): void => {
    const stream = new MediaStream([track]);
    if (track.kind === 'audio') return loudspeaker.play(stream);
    show('remote', track.muted ? null : stream);
    track.addEventListener('unmute', () => show('remote', stream));
    track.addEventListener('mute', () => show('remote', null));
  };
  const lost: Record<Kind, () => void> = { microphone: () => void replace('microphone'), camera: () => void replace('camera') };
  let chosen = media.chosen();
  const unfollow = media.follow((what) => {
    const before = chosen;
    chosen = media.chosen();
    if (!connection) return;
    if (before.microphone !== chosen.microphone || (what === 'plugged' && trouble !== null)) void replace('microphone');
    if (before.camera !== chosen.camera && tracks.camera) void replace('camera');
  });

  return {
    gate,
    isSending: () => tracks.microphone !== null && tracks.microphone.enabled,
    async take(wish) {
      const taken = await media.take(wish);
      if (isOver) {
        taken.microphone?.stop();
        taken.camera?.stop();
        return null;
      }
      keep('microphone', taken.microphone);
      keep('camera', taken.camera);
      tellTrouble(taken.trouble);
      if (wish.camera) report({ type: 'leg.camera', on: taken.camera !== null });
      return new MediaStream([tracks.microphone, tracks.camera].filter((track) => track !== null));
    },
    isAllowed: media.isAllowed,
    line(made, picture, expected) {
      const { microphone, camera } = tracks;
      made.addTransceiver(microphone ?? 'audio', { direction: microphone || expected ? 'sendrecv' : 'recvonly' });
      if (picture === 'none') return;
      const both = picture === 'both' && camera !== null;
      made.addTransceiver(both ? camera : 'video', { direction: both ? 'sendrecv' : 'recvonly' });
    },
    async fill() {
      await send('microphone');
      if (tracks.camera) await send('camera');
    },
    listen(made) {
      connection = made;
      made.addEventListener('track', ({ track }) => receive(track));
      // What was agreed on before anybody listened is not told any more.
      for (const { receiver, currentDirection } of made.getTransceivers()) if (/recv/.test(currentDirection ?? '')) receive(receiver.track);
    },
    clearPicture() {
      const track = lineFor('camera')?.receiver.track;
      if (track && !track.muted) show('remote', new MediaStream([track]));
    },
    mute(on) {
      isMuted = on;
      gate();
    },
    hold(on) {
      isHeld = on;
      gate();
    },
    async camera(on) {
      if (on === (tracks.camera !== null)) return report({ type: 'leg.camera', on });
      if (on) return replace('camera');
      keep('camera', null);
      await send('camera');
      report({ type: 'leg.camera', on: false });
    },
    volume: loudspeaker.volume,
    stop() {
      isOver = true;
      unfollow();
      keep('microphone', null);
      keep('camera', null);
      show('remote', null);
      loudspeaker.close();
    },
  };
}

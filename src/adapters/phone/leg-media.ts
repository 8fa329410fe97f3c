import type { LegReport } from '#machines/phone/ports.ts';
import type { MediaTrouble } from '#machines/phone/types.ts';
import type { Loudspeaker } from './loudspeaker.ts';
import type { Media } from './media.ts';
import type { PictureSide } from './pictures.ts';

interface Deps {
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

/** The tracks of one call and the lines they are on. */
class CallMedia implements LegMedia {
  readonly #deps: Deps;
  readonly #tracks: Record<Kind, MediaStreamTrack | null> = { microphone: null, camera: null };
  readonly #lost: Record<Kind, () => void> = {
    microphone: () => void this.#replace('microphone'),
    camera: () => void this.#replace('camera'),
  };
  readonly #unfollow: () => void;
  #connection: RTCPeerConnection | null = null;
  #trouble: MediaTrouble | null = null;
  #isMuted = false;
  #isHeld = false;
  #isOver = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#unfollow = this.#follow(deps.media);
  }

  gate(): void {
    const { microphone, camera } = this.#tracks;
    if (microphone) microphone.enabled = !this.#isMuted && !this.#isHeld;
    if (camera) camera.enabled = !this.#isHeld;
  }
  isSending(): boolean {
    return this.#tracks.microphone !== null && this.#tracks.microphone.enabled;
  }
  async take(wish: { camera: boolean }): Promise<MediaStream | null> {
    const taken = await this.#deps.media.take(wish);
    if (this.#isOver) {
      taken.microphone?.stop();
      taken.camera?.stop();
      return null;
    }
    this.#store('microphone', taken.microphone);
    this.#store('camera', taken.camera);
    this.#notifyTrouble(taken.trouble);
    if (wish.camera) this.#deps.report({ type: 'leg.camera', on: taken.camera !== null });
    return new MediaStream([this.#tracks.microphone, this.#tracks.camera].filter((track) => track !== null));
  }
  isAllowed(): boolean {
    return this.#deps.media.isAllowed();
  }
  line(made: RTCPeerConnection, picture: 'none' | 'receive' | 'both', expected: boolean): void {
    const { microphone, camera } = this.#tracks;
    made.addTransceiver(microphone ?? 'audio', { direction: microphone || expected ? 'sendrecv' : 'recvonly' });
    if (picture === 'none') return;
    const both = picture === 'both' && camera !== null;
    made.addTransceiver(both ? camera : 'video', { direction: both ? 'sendrecv' : 'recvonly' });
  }
  async fill(): Promise<void> {
    await this.#send('microphone');
    if (this.#tracks.camera) await this.#send('camera');
  }
  listen(made: RTCPeerConnection): void {
    this.#connection = made;
    made.addEventListener('track', ({ track }) => this.#receive(track));
    // What was agreed on before anybody listened is not told any more.
    for (const { receiver, currentDirection } of made.getTransceivers()) if (/recv/.test(currentDirection ?? '')) this.#receive(receiver.track);
  }
  clearPicture(): void {
    const track = this.#lineFor('camera')?.receiver.track;
    if (track && !track.muted) this.#deps.show('remote', new MediaStream([track]));
  }
  mute(on: boolean): void {
    this.#isMuted = on;
    this.gate();
  }
  hold(on: boolean): void {
    this.#isHeld = on;
    this.gate();
  }
  async camera(on: boolean): Promise<void> {
    const { report } = this.#deps;
    if (on === (this.#tracks.camera !== null)) return report({ type: 'leg.camera', on });
    if (on) return this.#replace('camera');
    this.#store('camera', null);
    await this.#send('camera');
    report({ type: 'leg.camera', on: false });
  }
  volume(level: number): void {
    this.#deps.loudspeaker.volume(level);
  }
  stop(): void {
    this.#isOver = true;
    this.#unfollow();
    this.#store('microphone', null);
    this.#store('camera', null);
    this.#deps.show('remote', null);
    this.#deps.loudspeaker.close();
  }

  #notifyTrouble(trouble: MediaTrouble | null): void {
    if (this.#trouble === trouble) return;
    this.#trouble = trouble;
    this.#deps.report({ type: 'leg.microphone', trouble });
  }
  #store(kind: Kind, track: MediaStreamTrack | null): void {
    this.#tracks[kind]?.removeEventListener('ended', this.#lost[kind]);
    this.#tracks[kind]?.stop();
    this.#tracks[kind] = track;
    track?.addEventListener('ended', this.#lost[kind]);
    this.gate();
    if (kind === 'camera') this.#deps.show('local', track ? new MediaStream([track]) : null);
  }
  #lineFor(kind: Kind): RTCRtpTransceiver | undefined {
    return this.#connection?.getTransceivers().find(({ receiver, direction }) => receiver.track.kind === lineOf[kind] && direction !== 'stopped');
  }
  async #send(kind: Kind): Promise<void> {
    const [connection, line, track] = [this.#connection, this.#lineFor(kind), this.#tracks[kind]];
    if (!connection || this.#isOver) return;
    if (line) await line.sender.replaceTrack(track);
    // The call may have ended while the track was put in place of another.
    if (connection.signalingState === 'closed' || (line && (!track || line.direction.startsWith('send')))) return;
    if (line) line.direction = 'sendrecv';
    else if (track) connection.addTransceiver(track, { direction: 'sendrecv' });
    this.#deps.offer();
  }
  /** Gets a device anew after it was lost or another was chosen, without a word to the far side. */
  async #replace(kind: Kind): Promise<void> {
    const got = await this.#deps.media.takeOne(kind);
    const track = typeof got === 'string' ? null : got;
    if (this.#isOver) return track?.stop();
    // The track that works is kept until there is a better one.
    if (track === null && this.#tracks[kind]?.readyState === 'live') return;
    this.#store(kind, track);
    await this.#send(kind);
    if (kind === 'microphone') this.#notifyTrouble(typeof got === 'string' ? (got === 'notFound' ? 'lost' : got) : null);
    else this.#deps.report({ type: 'leg.camera', on: track !== null });
  }
  #receive(track: MediaStreamTrack): void {
    const { loudspeaker, show } = this.#deps;
    const stream = new MediaStream([track]);
    if (track.kind === 'audio') return loudspeaker.play(stream);
    show('remote', track.muted ? null : stream);
    track.addEventListener('unmute', () => show('remote', stream));
    track.addEventListener('mute', () => show('remote', null));
  }
  /** Takes another device when another is chosen, or one that was missing is plugged in. */
  #follow(media: Media): () => void {
    let chosen = media.chosen();
    return media.follow((what) => {
      const before = chosen;
      chosen = media.chosen();
      if (!this.#connection) return;
      if (before.microphone !== chosen.microphone || (what === 'plugged' && this.#trouble !== null)) void this.#replace('microphone');
      if (before.camera !== chosen.camera && this.#tracks.camera) void this.#replace('camera');
    });
  }
}

/** Opens the media of one call. */
export const openLegMedia = (deps: Deps): LegMedia => new CallMedia(deps);

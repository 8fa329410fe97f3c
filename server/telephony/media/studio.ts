import { constants } from '#models/constants.ts';
import { isKeys, reaches, type Understood } from './formats.ts';
import { isKey, type Key, pressKey } from './keys.ts';
import { MediaLeg } from './leg.ts';
import { type Addresses, machineAddresses } from './path.ts';
import { Player } from './player.ts';
import { type MediaEvent, MediaFailure, type MediaPort, type Tone } from './port.ts';
import { report } from './rtcp.ts';
import type { Packet } from './rtp.ts';
import { StillMaker } from './still.ts';
import type { Heading, Stream } from './stream.ts';
import { LegWatch, type MediaTimes, usualTimes } from './watch.ts';

interface Place {
  id: string;
  leg: MediaLeg;
  peer: Place | null;
  /** Keys pressed here pass to the peer. */
  keysPass: boolean;
  /** Keys for the far side, which is not there yet, each with when it is too late for it. */
  early: { key: Key; until: number }[];
  watch: LegWatch;
  player: Player;
  isGone: boolean;
  /** Waits for its next whole picture, once for all who ask. */
  still: { take: (packet: Packet) => void; picture: Promise<Uint8Array | null> } | null;
  /** What is being done to it: one thing at a time. */
  turn: Promise<unknown>;
}
const watchEvery = 500;
const stillWithin = 2_000;
const reportEvery = 4;

/** All legs of this process and who is joined to whom: the media port itself, in the process where the packets are. */
export class Studio implements MediaPort {
  readonly #addresses: Addresses;
  readonly #times: MediaTimes;
  readonly #places = new Map<string, Place>();
  readonly #listeners = new Set<(event: MediaEvent) => void>();
  readonly #timer: NodeJS.Timeout;
  #ticks = 0;

  constructor(addresses: Addresses = machineAddresses(), times: MediaTimes = usualTimes) {
    this.#addresses = addresses;
    this.#times = times;
    this.#timer = setInterval(() => this.#tick(), watchEvery);
    this.#timer.unref();
  }
  listen(listener: (event: MediaEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
  #notify(event: MediaEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  #place(id: string): Place {
    const known = this.#places.get(id);
    if (known) return known;
    const place: Place = {
      id,
      leg: new MediaLeg(this.#addresses, {
        packet: (stream, packet, heading) => this.#pass(place, stream, packet, heading),
        key: (_stream, key, as) => this.#heardKey(place, key, as),
        picture: () => this.#needPicture(place),
        connected: () => {
          place.watch.connected();
          for (const { key, until } of place.early.splice(0)) if (performance.now() < until) void this.#press(place, key);
        },
        lost: (how) => place.watch.lost(how),
      }),
      peer: null,
      keysPass: true,
      early: [],
      watch: new LegWatch((type) => !place.isGone && this.#notify({ type, leg: id }), this.#times),
      player: new Player(() => place.leg),
      isGone: false,
      still: null,
      turn: Promise.resolve(),
    };
    this.#places.set(id, place);
    return place;
  }
  /** Does one thing after another at a leg; whatever goes wrong with a stranger's words is that they do not fit. */
  #inTurn<T>(place: Place, work: () => Promise<T>): Promise<T> {
    const done = place.turn.then(work).catch((error: unknown) => {
      if (!place.leg.isAgreed && place.leg.carriers.length === 0) this.#drop(place);
      if (error instanceof MediaFailure) throw error;
      // What the system refuses (a socket) is no fault of the description.
      const isOurs = error instanceof Error && 'syscall' in error;
      throw new MediaFailure(isOurs ? 'unavailable' : 'incompatible', error instanceof Error ? error.message : String(error));
    });
    place.turn = done.catch(() => undefined);
    return done;
  }
  #understood(toward: string | undefined): Understood | null {
    const other = toward === undefined ? undefined : this.#places.get(toward);
    if (!other?.leg.isAgreed) return null;
    return { spoken: other.leg.streams.flatMap(({ keys }) => keys), able: other.leg.stream('audio')?.able ?? [] };
  }

  answer(id: string, sdp: string, toward?: string): Promise<string> {
    const place = this.#place(id);
    return this.#inTurn(place, async () => {
      const answer = await place.leg.answer(sdp, this.#understood(toward ?? place.peer?.id));
      place.watch.agreed();
      return answer;
    });
  }
  offer(id: string, wants: Parameters<MediaPort['offer']>[1], toward?: string): Promise<string> {
    const place = this.#place(id);
    return this.#inTurn(place, () => {
      if (place.watch.isLost) place.leg.restart();
      const video = wants.video && (!place.peer || place.peer.leg.stream('video') !== undefined);
      return place.leg.offer({ ...wants, video }, this.#understood(toward));
    });
  }
  async accept(id: string, sdp: string): Promise<void> {
    const place = this.#places.get(id);
    if (!place) return;
    await this.#inTurn(place, async () => {
      place.leg.accept(sdp);
      place.watch.agreed();
    });
  }
  async bridge(one: string, other: string, unheard: readonly string[] = []): Promise<string[]> {
    const [first, second] = [this.#places.get(one), this.#places.get(other)];
    if (!first || !second || first === second) return [];
    const changing = whoChanges(first, second);
    for (const place of [first, second]) this.#part(place);
    first.peer = second;
    second.peer = first;
    for (const place of [first, second]) {
      place.keysPass = !unheard.includes(place.id);
      place.player.play(null);
      const video = place.leg.stream('video');
      if (video) video.needs = 'begin';
      this.#needPicture(place);
    }
    return changing;
  }
  async unbridge(id: string): Promise<void> {
    const place = this.#places.get(id);
    if (place) this.#part(place);
  }
  #part(place: Place): void {
    if (place.peer) place.peer.peer = null;
    place.peer = null;
  }
  async play(id: string, tone: Tone | null): Promise<void> {
    this.#places.get(id)?.player.play(tone);
  }
  async sendDtmf(id: string, digit: string, duration: number): Promise<boolean> {
    const place = this.#places.get(id);
    return place !== undefined && isKey(digit) && this.#press(place, { digit, duration });
  }
  async still(id: string): Promise<Uint8Array | null> {
    const place = this.#places.get(id);
    const video = place?.leg.stream('video');
    if (!place || !video?.hears) return null;
    place.still ??= awaitStill(video, () => {
      place.still = null;
    });
    return place.still.picture;
  }
  async close(id: string): Promise<void> {
    const place = this.#places.get(id);
    if (!place) return;
    this.#notifyLate(place);
    this.#drop(place);
    // What is still being opened for it is closed when it has been.
    await place.turn.catch(() => undefined);
    place.leg.close();
  }
  #drop(place: Place): void {
    place.isGone = true;
    this.#part(place);
    place.player.play(null);
    if (this.#places.get(place.id) === place) this.#places.delete(place.id);
  }
  async shut(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all([...this.#places.keys()].map((id) => this.close(id)));
    this.#listeners.clear();
  }

  #pass({ id, peer, still, keysPass }: Place, { kind }: Stream, packet: Packet, { key }: Heading): void {
    if (key === 'vp8') still?.take(packet);
    if (keysPass || !isKeys(key)) peer?.leg.stream(kind)?.pass(id, packet, key);
  }
  #heardKey(place: Place, { digit, duration }: Key, as: string): void {
    const { peer, keysPass } = place;
    const audio = peer?.leg.stream('audio');
    const isUnpassed = !peer || (keysPass && !audio?.keyHeading);
    this.#notify({ type: 'dtmf', leg: place.id, digit, duration, ...(isUnpassed && { unpassed: true as const }) });
    if (!peer || !audio || !keysPass || isUnpassed) return;
    // Heard packet by packet by those who are there and know the same kind of keys; for others it is pressed anew.
    if (!audio.carrier.isConnected || !audio.heading(as)) void this.#press(peer, { digit, duration });
  }
  async #press(place: Place, key: Key): Promise<boolean> {
    const audio = place.leg.stream('audio');
    const heading = audio?.keyHeading;
    if (!audio?.sends || !heading) return false;
    if (!audio.carrier.isConnected) {
      place.early.push({ key, until: performance.now() + constants.dtmfTimeout });
      return true;
    }
    await this.#inTurn(place, async () => {
      audio.isPressing = true;
      await pressKey(audio.sender, key, heading.type, heading.clock, () => place.isGone);
      audio.isPressing = false;
    });
    return true;
  }
  #needPicture(place: Place): void {
    place.player.showFromStart();
    const video = place.leg.stream('video');
    if (video?.needs === 'none') video.needs = 'mend';
    place.peer?.leg.stream('video')?.askPicture();
  }

  #report(place: Place): void {
    this.#notifyLate(place);
    for (const stream of place.leg.streams) sendReport(stream);
  }
  #notifyLate({ id, leg }: Place): void {
    const packets = leg.stream('audio')?.meter.takeLate() ?? 0;
    if (packets > 0) this.#notify({ type: 'late', leg: id, packets });
  }

  #tick(): void {
    this.#ticks += 1;
    for (const place of this.#places.values()) {
      const { leg, peer, watch } = place;
      watch.look(leg);
      const video = leg.stream('video');
      if (video && peer && video.needs !== 'none' && video.sends) peer.leg.stream('video')?.askPicture();
      if (this.#ticks % reportEvery === 0) this.#report(place);
    }
  }
}
/**
 * Which of two legs has to be offered anew toward the other before voice passes both ways; nobody mostly.
 * @throws MediaFailure `incompatible` where nothing would help
 */
function whoChanges(...[first, second]: [Place, Place]): string[] {
  const [one, other] = [first.leg.stream('audio'), second.leg.stream('audio')];
  if (!one || !other) throw new MediaFailure('incompatible', 'nothing to talk with');
  if (reaches(one.preferred, other.keys) && reaches(other.preferred, one.keys)) return [];
  if (one.able.some((key) => reaches(key, other.keys))) return [first.id];
  if (other.able.some((key) => reaches(key, one.keys))) return [second.id];
  throw new MediaFailure('incompatible', 'the two legs have no format in common');
}
/** Asks for a whole picture until it has come or it is too late; `over` is told either way. */
function awaitStill(video: Stream, over: () => void): { take: (packet: Packet) => void; picture: Promise<Uint8Array | null> } {
  const maker = new StillMaker();
  let take: (packet: Packet) => void = () => undefined;
  const picture = new Promise<Uint8Array | null>((done) => {
    const end = (still: Uint8Array | null): void => {
      clearInterval(asking);
      clearTimeout(late);
      over();
      done(still);
    };
    take = (packet) => {
      const still = maker.take(packet);
      if (still) end(still);
    };
    const asking = setInterval(() => video.askPicture(), watchEvery);
    const late = setTimeout(() => end(null), stillWithin);
    video.askPicture();
  });
  return { take: (packet) => take(packet), picture };
}
function sendReport({ carrier, sender, meter }: Stream): void {
  const [sent, heard] = [sender.sent(), meter.heard()];
  if (carrier.isConnected && (sent || heard)) carrier.control(report(sender.ssrc, sent, heard ? [heard] : []));
}

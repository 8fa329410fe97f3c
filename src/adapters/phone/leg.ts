import type { Subscription } from 'rxjs';
import type { LegCommand, LegEnd, LegInput, LegReport } from '#machines/phone/ports.ts';
import { sendKey } from './dtmf.ts';
import { offersVideo, readPeer } from './incoming.ts';
import type { Session } from './jssip-parts.ts';
import type { LegMedia } from './leg-media.ts';
import { followCall, type Subscriber, type Line, placeCall, sayGoodbye } from './leg-session.ts';
import { pathOf, watchLeg } from './leg-watch.ts';
import { type Negotiation, openNegotiation } from './negotiation.ts';
import { answerWith, describeAfter, type Readied } from './readied.ts';

/** One leg: what it is told, how it is let go, and what the line tells it. */
export interface Leg {
  session: () => Session | null;
  obey: (command: LegCommand) => void;
  /** The number is registered over a new connection: a call that is up is offered anew over it. */
  reconnected: () => void;
  /** It is lost: what only rings is over, what talks goes on. */
  disconnected: () => void;
  /** The page goes: what is up or dials ends, what only rings is not refused, for it rings on at the person's next page. */
  leave: () => void;
  close: () => void;
}

interface LegParts {
  line: Line;
  input: LegInput;
  /** `offer`: tracks have changed, the far side is to be offered anew. */
  openMedia: (offer: () => void) => LegMedia;
  /** The session of another leg of ours. */
  other: (speechId: string) => Session | null;
  report: (fact: LegReport) => void;
}

const busyHere = 486;
const unavailable = 480;
/** Answered, and ended before there was talk: the server lets such a call wait for all. */
const takenBack = 487;
const receivesPicture = (connection: RTCPeerConnection | null | undefined): boolean =>
  connection?.getTransceivers().some((each) => each.receiver.track.kind === 'video' && /recv/.test(each.currentDirection ?? '')) ?? false;

/** Who joins a waiting call wants to see its caller, whatever is known of it. */
const pictureOf = ({ kind, video }: LegInput): 'none' | 'receive' | 'both' => (kind === 'join' ? 'receive' : video ? 'both' : 'none');

/** One leg over JsSIP, as it is told what to do and hears what becomes of it. */
class CallLeg {
  readonly #parts: LegParts;
  readonly #media: LegMedia;
  readonly #is = { over: false, answering: false, expecting: false, confirmed: false, held: false, heldByThem: false };
  #session: Session | null = null;
  #negotiation: Negotiation | undefined;
  #readied: Readied | null = null;
  #watch: Subscription | undefined;
  /** Whom one talks with since a transfer. */
  #peer: ReturnType<typeof readPeer> = null;

  constructor(parts: LegParts) {
    this.#parts = parts;
    this.#media = parts.openMedia(() => this.#negotiation?.offer());
  }

  get session(): Session | null {
    return this.#session;
  }
  begin(): void {
    const { input } = this.#parts;
    if (input.kind === 'incoming') this.#follow(input.sipId);
    else void this.#dial(input.number);
  }
  obey(command: LegCommand): void {
    if (this.#is.over) return;
    switch (command.type) {
      case 'leg.answer':
        return void this.#answer(command.video);
      case 'leg.hangUp':
        return this.#hangUp(unavailable);
      case 'leg.decline':
        return this.#hangUp(busyHere);
      case 'leg.hold':
        if (command.on) this.#media.hold(true);
        return this.#negotiation?.hold(command.on);
      case 'leg.mute':
        return this.#media.mute(command.on);
      case 'leg.volume':
        return this.#media.volume(command.level);
      case 'leg.camera':
        return void this.#media.camera(command.on);
      case 'leg.dtmf':
        return this.#press(command);
      case 'leg.refer':
        return this.#refer(command.to, command.replaces);
      case 'leg.restartIce':
        return this.#negotiation?.restart();
    }
  }
  reconnected(): void {
    // The new connection may come from another address: sound has to find its way from there too.
    this.#negotiation?.restart();
  }
  disconnected(): void {
    if (this.#onlyRings()) this.#endAs('transport', 'them');
  }
  leave(): void {
    if (this.#onlyRings()) this.#letGo();
    else this.close();
  }
  close(): void {
    if (!this.#is.over) this.#hangUp(unavailable);
  }

  #onlyRings(): boolean {
    return this.#session?.direction === 'incoming' && !this.#session.isEstablished();
  }
  #letGo(): void {
    this.#is.over = true;
    this.#watch?.unsubscribe();
    this.#negotiation?.stop();
    this.#media.stop();
    this.#session?.connection?.close();
    this.#readied?.close();
  }
  #end(how: LegEnd): void {
    if (this.#is.over) return;
    this.#letGo();
    this.#parts.report({ type: 'leg.ended', end: how, at: this.#parts.line.now() });
  }
  #endAs(cause: LegEnd['cause'], by: LegEnd['by'] = 'us'): void {
    this.#end({ by, cause, status: null, takenBy: null });
  }
  #hangUp(status: number): void {
    const session = this.#session;
    this.#endAs(session?.isEstablished() ? 'bye' : 'cancelled');
    if (!session) return;
    const isTakenBack = session.isEstablished() && !this.#is.confirmed;
    sayGoodbye(this.#parts.line, session, this.#onlyRings() ? status : isTakenBack ? takenBack : null);
  }
  /** What JsSIP may throw on: a browser without WebRTC, a state that has just changed. */
  #attempt(work: () => void, failed: () => void = () => this.#endAs('media')): void {
    try {
      work();
    } catch {
      failed();
    }
  }

  readonly #subscriber: Subscriber = {
    connection: (connection) => {
      const { input, report } = this.#parts;
      if (input.kind !== 'incoming') this.#media.line(connection, pictureOf(input), this.#is.expecting);
      this.#media.listen(connection);
      const isTalking = (): boolean => this.#is.confirmed && !this.#is.held && !this.#is.heldByThem;
      this.#watch = watchLeg({ connection, isSending: () => isTalking() && this.#media.isSending(), isReceiving: isTalking }).subscribe(report);
    },
    progress: () => this.#parts.report({ type: 'leg.progress' }),
    confirmed: () => {
      if (this.#is.over || this.#is.confirmed) return;
      this.#is.confirmed = true;
      this.#media.gate();
      this.#parts.report({ type: 'leg.confirmed', at: this.#parts.line.now(), video: receivesPicture(this.#session?.connection) });
      // Where the path was found before, nobody listened yet.
      const { connection } = this.#session ?? {};
      const path = connection && pathOf(connection);
      if (path) this.#parts.report(path);
      this.#negotiation?.proceed();
    },
    theirHold: (on) => {
      // JsSIP has just switched the tracks by a count of holds and mutes of its own.
      this.#media.gate();
      if (this.#is.heldByThem === on) return;
      this.#is.heldByThem = on;
      this.#parts.report({ type: 'leg.held', by: 'them', on });
    },
    named: (request) => {
      const next = readPeer(request);
      if (!next) return;
      const before = this.#peer ?? { number: this.#session?.remote_identity.uri.user, speechId: this.#parts.input.speechId };
      if (next.number === before.number && (next.speechId ?? before.speechId) === before.speechId) return;
      this.#peer = next;
      this.#media.clearPicture();
      this.#parts.report({ type: 'leg.moved', ...next, video: request.body ? offersVideo(request.body) : null });
    },
    ended: (end) => this.#end(end),
  };
  #negotiate(session: Session): Negotiation {
    const { line, report } = this.#parts;
    return openNegotiation({
      agent: line.agent,
      session,
      connection: () => session.connection,
      chance: line.chance,
      held: (on) => {
        this.#is.held = on;
        this.#media.hold(on);
        report({ type: 'leg.held', by: 'us', on });
      },
      holdFailed: () => {
        this.#media.hold(this.#is.held);
        report({ type: 'leg.holdFailed' });
      },
      gone: () => {
        this.#endAs('transport', 'them');
        this.#attempt(
          () => session.terminate(),
          () => {},
        );
      },
    });
  }

  #place(number: string, until?: Promise<unknown>): void {
    const { line, input } = this.#parts;
    if (!line.agent.isConnected()) return this.#endAs('transport');
    this.#attempt(() => {
      const session = placeCall(line, { number, speechId: input.speechId }, this.#subscriber);
      this.#session = session;
      if (until) describeAfter(session, until);
      this.#negotiation = this.#negotiate(session);
    });
  }
  async #dial(number: string): Promise<void> {
    const { input } = this.#parts;
    const camera = input.video && input.kind === 'dial';
    const taking = this.#media.take({ camera });
    // A microphone that comes without a question: paths are gathered meanwhile.
    this.#is.expecting = !camera && this.#media.isAllowed();
    if (this.#is.expecting) this.#place(number, taking);
    const stream = await taking;
    if (!stream || this.#is.over) return;
    if (this.#is.expecting) await this.#media.fill();
    else this.#place(number);
  }
  #follow(sipId: string): void {
    const { line } = this.#parts;
    this.#session = followCall(line, sipId, this.#subscriber);
    if (!this.#session) return this.#endAs('cancelled', 'them');
    this.#negotiation = this.#negotiate(this.#session);
    this.#readied = line.ready(sipId);
  }
  async #answer(video: boolean): Promise<void> {
    const { input, line } = this.#parts;
    if (this.#is.answering || this.#is.over || input.kind !== 'incoming') return;
    this.#is.answering = true;
    const taking = this.#media.take({ camera: video });
    const connection = (await this.#readied?.usable()) ?? null;
    if (!connection) this.#readied?.close();
    const isFirst = connection !== null && this.#media.isAllowed() && !this.#is.over;
    const accept = (): void => this.#attempt(() => void (this.#session && connection && answerWith(this.#session, connection)));
    if (isFirst) accept();
    const stream = await taking;
    if (!stream || this.#is.over) return;
    if (!connection) return this.#attempt(() => this.#session?.answer({ mediaStream: stream, pcConfig: { iceServers: line.iceServers() } }));
    if (!isFirst) accept();
    await this.#media.fill();
  }
  /** Of a call that has just ended its end is told, not the key. */
  #press({ tone, duration }: Extract<LegCommand, { type: 'leg.dtmf' }>): void {
    this.#attempt(
      () => void (this.#session?.isEstablished() && sendKey(this.#session, tone, duration)),
      () => {},
    );
  }
  #refer(to: string, replaces: string | null): void {
    const { line, other, report } = this.#parts;
    const replaced = replaces === null ? null : other(replaces);
    const failed = (): void => report({ type: 'leg.transferFailed' });
    if (replaces !== null && !replaced) return failed();
    const eventHandlers = { accepted: () => report({ type: 'leg.transferred' }), failed, requestFailed: failed };
    this.#attempt(() => this.#session?.refer(line.target(to), { ...(replaced && { replaces: replaced }), eventHandlers }), failed);
  }
}

/** Opens one leg over JsSIP: nothing it is told ever throws, and whatever ends it lets go of every track and the peer connection. */
export function openLeg(parts: LegParts): Leg {
  const leg = new CallLeg(parts);
  leg.begin();
  return {
    session: () => leg.session,
    obey: (command) => leg.obey(command),
    reconnected: () => leg.reconnected(),
    disconnected: () => leg.disconnected(),
    leave: () => leg.leave(),
    close: () => leg.close(),
  };
}

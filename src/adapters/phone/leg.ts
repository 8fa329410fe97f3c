import type { LegCommand, LegEnd, LegInput, LegReport } from '#machines/phone/ports.ts';
import { sendKey } from './dtmf.ts';
import { readPeer } from './incoming.ts';
import type { Session } from './jssip-parts.ts';
import type { LegMedia } from './leg-media.ts';
import { followCall, type Hearer, type Line, placeCall, sayGoodbye } from './leg-session.ts';
import { type LegWatch, watchLeg } from './leg-watch.ts';
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
const receivesPicture = (connection: RTCPeerConnection | null | undefined): boolean =>
  connection?.getTransceivers().some((each) => each.receiver.track.kind === 'video' && /recv/.test(each.currentDirection ?? '')) ?? false;

/** Who joins a waiting call wants to see its caller, whatever is known of it. */
const pictureOf = ({ kind, video }: LegInput): 'none' | 'receive' | 'both' => (kind === 'join' ? 'receive' : video ? 'both' : 'none');

/** Opens one leg over JsSIP: nothing it is told ever throws, and whatever ends it lets go of every track and the peer connection. */
export function openLeg({ line, input, openMedia, other, report }: LegParts): Leg {
  let session: Session | null = null;
  let negotiation: Negotiation | undefined;
  let readied: Readied | null = null;
  let watch: LegWatch | undefined;
  let peer: ReturnType<typeof readPeer> = null;
  const is = { over: false, answering: false, expecting: false, confirmed: false, held: false, heldByThem: false };
  const media = openMedia(() => negotiation?.offer());

  const letGo = (): void => {
    is.over = true;
    watch?.stop();
    negotiation?.stop();
    media.stop();
    session?.connection?.close();
    readied?.close();
  };
  const end = (how: LegEnd): void => {
    if (is.over) return;
    letGo();
    report({ type: 'leg.ended', end: how, at: line.now() });
  };
  const endAs = (cause: LegEnd['cause'], by: LegEnd['by'] = 'us'): void => end({ by, cause, status: null, takenBy: null });
  const hangUp = (status: number): void => {
    endAs(session?.isEstablished() ? 'bye' : 'cancelled');
    if (session) sayGoodbye(line, session, status);
  };
  /** What JsSIP may throw on: a browser without WebRTC, a state that has just changed. */
  const attempt = (work: () => void, failed: () => void = () => endAs('media')): void => {
    try {
      work();
    } catch {
      failed();
    }
  };

  const hearer: Hearer = {
    connection(connection) {
      if (input.kind !== 'incoming') media.line(connection, pictureOf(input), is.expecting);
      media.listen(connection);
      const isTalking = (): boolean => is.confirmed && !is.held && !is.heldByThem;
      watch = watchLeg({ connection, isSending: () => isTalking() && media.isSending(), isReceiving: isTalking, report });
    },
    progress: () => report({ type: 'leg.progress' }),
    confirmed() {
      if (is.over || is.confirmed) return;
      is.confirmed = true;
      media.gate();
      report({ type: 'leg.confirmed', at: line.now(), video: receivesPicture(session?.connection) });
      // Where the path was found before, nobody listened yet.
      watch?.tellPath();
      negotiation?.proceed();
    },
    theirHold(on) {
      // JsSIP has just switched the tracks by a count of holds and mutes of its own.
      media.gate();
      if (is.heldByThem === on) return;
      is.heldByThem = on;
      report({ type: 'leg.held', by: 'them', on });
    },
    named(request) {
      const next = readPeer(request);
      if (!next) return;
      const before = peer ?? { number: session?.remote_identity.uri.user, speechId: input.speechId };
      if (next.number === before.number && (next.speechId ?? before.speechId) === before.speechId) return;
      peer = next;
      media.clearPicture();
      report({ type: 'leg.moved', ...next });
    },
    ended: end,
  };
  const negotiate = (up: Session): Negotiation =>
    openNegotiation({
      agent: line.agent,
      session: up,
      connection: () => up.connection,
      chance: line.chance,
      held(on) {
        is.held = on;
        media.hold(on);
        report({ type: 'leg.held', by: 'us', on });
      },
      holdFailed() {
        media.hold(is.held);
        report({ type: 'leg.holdFailed' });
      },
      gone() {
        endAs('transport', 'them');
        attempt(
          () => up.terminate(),
          () => {},
        );
      },
    });

  const place = (number: string, until?: Promise<unknown>): void => {
    if (!line.agent.isConnected()) return endAs('transport');
    attempt(() => {
      session = placeCall(line, { number, speechId: input.speechId }, hearer);
      if (until) describeAfter(session, until);
      negotiation = negotiate(session);
    });
  };
  const dial = async (number: string): Promise<void> => {
    const camera = input.video && input.kind === 'dial';
    const taking = media.take({ camera });
    // A microphone that comes without a question: paths are gathered meanwhile.
    is.expecting = !camera && media.isAllowed();
    if (is.expecting) place(number, taking);
    const stream = await taking;
    if (!stream || is.over) return;
    if (is.expecting) await media.fill();
    else place(number);
  };
  const follow = (sipId: string): void => {
    session = followCall(line, sipId, hearer);
    if (!session) return endAs('cancelled', 'them');
    negotiation = negotiate(session);
    readied = line.ready(sipId);
  };
  const answer = async (video: boolean): Promise<void> => {
    if (is.answering || is.over || input.kind !== 'incoming') return;
    is.answering = true;
    const taking = media.take({ camera: video });
    const connection = (await readied?.usable()) ?? null;
    if (!connection) readied?.close();
    const isFirst = connection !== null && media.isAllowed() && !is.over;
    const accept = (): void => attempt(() => void (session && connection && answerWith(session, connection)));
    if (isFirst) accept();
    const stream = await taking;
    if (!stream || is.over) return;
    if (!connection) return attempt(() => session?.answer({ mediaStream: stream, pcConfig: { iceServers: line.iceServers() } }));
    if (!isFirst) accept();
    await media.fill();
  };
  const refer = (to: string, replaces: string | null): void => {
    const replaced = replaces === null ? null : other(replaces);
    const failed = (): void => report({ type: 'leg.transferFailed' });
    if (replaces !== null && !replaced) return failed();
    const eventHandlers = { accepted: () => report({ type: 'leg.transferred' }), failed, requestFailed: failed };
    attempt(() => session?.refer(line.target(to), { ...(replaced && { replaces: replaced }), eventHandlers }), failed);
  };

  const obey = (command: LegCommand): void => {
    if (is.over) return;
    switch (command.type) {
      case 'leg.answer':
        return void answer(command.video);
      case 'leg.hangUp':
        return hangUp(unavailable);
      case 'leg.decline':
        return hangUp(busyHere);
      case 'leg.hold':
        if (command.on) media.hold(true);
        return negotiation?.hold(command.on);
      case 'leg.mute':
        return media.mute(command.on);
      case 'leg.volume':
        return media.volume(command.level);
      case 'leg.camera':
        return void media.camera(command.on);
      case 'leg.dtmf':
        // Of a call that has just ended its end is told, not the key.
        return attempt(
          () => void (session?.isEstablished() && sendKey(session, command.tone, command.duration)),
          () => {},
        );
      case 'leg.refer':
        return refer(command.to, command.replaces);
      case 'leg.restartIce':
        return negotiation?.restart();
    }
  };
  if (input.kind === 'incoming') follow(input.sipId);
  else void dial(input.number);

  const onlyRings = (): boolean => session?.direction === 'incoming' && !session.isEstablished();
  const close = (): void => void (is.over || hangUp(unavailable));
  return {
    session: () => session,
    obey,
    // The new connection may come from another address: sound has to find its way from there too.
    reconnected: () => negotiation?.restart(),
    disconnected: () => void (onlyRings() && endAs('transport', 'them')),
    leave: () => (onlyRings() ? letGo() : close()),
    close,
  };
}

import type { LegEnd } from '#machines/phone/ports.ts';
import { sipHeaders } from '#models/sip.ts';
import { cutGathering } from './ice.ts';
import type { Agent, Session, SessionEvents, SipMessage } from './jssip-parts.ts';
import { legEndOf } from './leg-end.ts';
import type { Readied } from './readied.ts';

/** What a leg needs of the line it is on. */
export interface Line {
  agent: Agent;
  /** The session of an INVITE that came in; undefined when it is gone. */
  incoming: (sipId: string) => Session | undefined;
  /** Readies the connection of a call that came in, of one at a time; null where it is not to be done. */
  ready: (sipId: string) => Readied | null;
  /** `sip:<number>@<host>` */
  target: (number: string) => string;
  /** The number's own address, which answers signs of life. */
  own: string;
  iceServers: () => RTCIceServer[];
  /** Does something as soon as there is a connection to the server. */
  whenConnected: (work: () => void) => void;
  now: () => number;
  /** 0 to 1. */
  chance: () => number;
}
/** What a leg wants to hear of its session. */
export interface Subscriber {
  connection: (connection: RTCPeerConnection) => void;
  progress: () => void;
  confirmed: () => void;
  theirHold: (on: boolean) => void;
  /** A request within the call, which may name whom one talks with by now. */
  named: (request: SipMessage) => void;
  ended: (end: LegEnd) => void;
}

function eventsFor(subscriber: Subscriber): SessionEvents {
  let cut: { ready: () => void; found: (candidate: RTCIceCandidate) => void } | undefined;
  return {
    peerconnection: ({ peerconnection }) => subscriber.connection(peerconnection),
    icecandidate({ candidate, ready }) {
      // Each description has a gathering of its own.
      if (cut?.ready !== ready) cut = { ready, found: cutGathering(ready).found };
      cut.found(candidate);
    },
    progress: ({ originator }) => void (originator === 'remote' && subscriber.progress()),
    // `accepted` is not connected: of two who answer at once both hear it.
    confirmed: subscriber.confirmed,
    ended: (event) => subscriber.ended(legEndOf(event)),
    failed: (event) => subscriber.ended(legEndOf(event)),
    hold: ({ originator }) => void (originator === 'remote' && subscriber.theirHold(true)),
    unhold: ({ originator }) => void (originator === 'remote' && subscriber.theirHold(false)),
    reinvite: ({ request }) => subscriber.named(request),
    update: ({ request }) => subscriber.named(request),
  };
}

/** A call that is up does not end because the connection to the server broke or a request in it was not answered. */
function keepUp(session: Session): Session {
  for (const name of ['onTransportError', 'onRequestTimeout'] as const) {
    const giveUp = session[name].bind(session);
    session[name] = () => void (session.isEstablished() || giveUp());
  }
  return session;
}

/**
 * Calls a number with a speech id (clause SIP-05). `subscriber.connection` puts the lines on: the empty stream only keeps JsSIP from asking
 * for a microphone of its own.
 * @throws on a browser without WebRTC
 */
export const placeCall = (line: Line, { number, speechId }: { number: string; speechId: string }, subscriber: Subscriber): Session =>
  keepUp(
    line.agent.call(line.target(number), {
      mediaStream: new MediaStream(),
      pcConfig: { iceServers: line.iceServers() },
      extraHeaders: [`${sipHeaders.speechId}: ${speechId}`],
      eventHandlers: eventsFor(subscriber),
    }),
  );

/** Follows a call that came in. @returns null when it is gone by now */
export function followCall(line: Line, sipId: string, subscriber: Subscriber): Session | null {
  const session = line.incoming(sipId);
  if (!session || session.isEnded()) return null;
  const events = eventsFor(subscriber);
  for (const name of Object.keys(events) as (keyof SessionEvents)[]) session.on(name, events[name]);
  return keepUp(session);
}

/**
 * Takes leave of the far side: a refusal, CANCEL or BYE, whatever fits. `status`: of the refusal, or why there is a BYE. A call that
 * is up while the connection to the server is not is ended there as soon as there is one again.
 */
export function sayGoodbye(line: Line, session: Session, status: number | null): void {
  const farewell = (): void => {
    if (session.isEnded()) return;
    session.terminate(status === null ? undefined : { status_code: status });
  };
  if (line.agent.isConnected() || !session.isEstablished()) farewell();
  else line.whenConnected(farewell);
}

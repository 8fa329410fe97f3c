import type { Agent, Session } from './jssip-parts.ts';
import { reoffer, type ReofferOutcome } from './reoffer.ts';

interface Around {
  agent: Agent;
  session: Session;
  connection: () => RTCPeerConnection | null;
  /** 0 to 1. */
  chance: () => number;
  /** A hold or its end was agreed, or refused. */
  held: (on: boolean) => void;
  holdFailed: () => void;
  /** The far side no longer knows the call. */
  gone: () => void;
}

/** What one side asks of a call that is up, one offer at a time; of wishes that overtake each other only the last is asked. */
export interface Negotiation {
  hold: (on: boolean) => void;
  /** Tracks have changed: offer anew. */
  offer: () => void;
  restart: () => void;
  /** The call is confirmed, or the connection to the server is back: go on. */
  proceed: () => void;
  stop: () => void;
}

/** A far side that did not answer is asked again after so many ms, unless the connection comes back before. */
const again = 2_000;

type Direction = RTCRtpTransceiverDirection;
const withoutReceiving: Partial<Record<Direction, Direction>> = { sendrecv: 'sendonly', recvonly: 'inactive' };
const withReceiving: Partial<Record<Direction, Direction>> = { sendonly: 'sendrecv', inactive: 'recvonly' };

/** Sets the directions of a hold (RFC 3264 section 8.4) or of its end. */
function direct(connection: RTCPeerConnection, held: boolean): void {
  for (const line of connection.getTransceivers()) {
    const direction = (held ? withoutReceiving : withReceiving)[line.direction];
    if (direction) line.direction = direction;
  }
}

/** Opens the queue of offers of one call (RFC 3261 section 14). */
export function openNegotiation({ agent, session, connection, chance, held, holdFailed, gone }: Around): Negotiation {
  const wanted = { held: false, offers: 0, restarts: 0 };
  const agreed = { held: false, offers: 0, restarts: 0 };
  let isBusy = false;
  let isOver = false;
  let later: ReturnType<typeof setTimeout> | undefined;

  // Who made the call waits longer, so that of two who offered at once one comes first (RFC 3261 section 14.1).
  const afterGlare = (): number => (session.direction === 'outgoing' ? 2_100 : 0) + Math.round(chance() * 1_900);
  const isSettled = (): boolean => wanted.held === agreed.held && wanted.offers === agreed.offers && wanted.restarts === agreed.restarts;

  const settle = (outcome: ReofferOutcome, tried: typeof wanted): void => {
    if (outcome === 'agreed' || outcome === 'refused') Object.assign(agreed, { offers: tried.offers, restarts: tried.restarts });
    if (outcome === 'agreed' && agreed.held !== tried.held) {
      agreed.held = tried.held;
      held(tried.held);
    }
    if (outcome === 'refused' && agreed.held !== tried.held) {
      wanted.held = agreed.held;
      holdFailed();
    }
    if (outcome === 'gone') gone();
    if (outcome === 'glare') later = setTimeout(proceed, afterGlare());
    else if (outcome === 'unreachable') later = setTimeout(proceed, again);
    else proceed();
  };
  const ask = async (line: RTCPeerConnection): Promise<void> => {
    isBusy = true;
    const tried = { ...wanted };
    direct(line, tried.held);
    const outcome = await reoffer(agent, session, line, tried.restarts !== agreed.restarts);
    if (outcome !== 'agreed' && line.signalingState !== 'closed') direct(line, agreed.held);
    isBusy = false;
    if (!isOver) settle(outcome, tried);
  };
  function proceed(): void {
    clearTimeout(later);
    const line = connection();
    if (isBusy || isOver || isSettled() || !line || !session.isEstablished() || !agent.isConnected()) return;
    void ask(line);
  }
  session.on('reinvite', ({ reject }) => {
    // JsSIP would take the far side's offer into the middle of ours.
    if (isBusy) reject({ status_code: 491 });
  });
  return {
    hold(on) {
      wanted.held = on;
      // A wish that is taken back before it was asked is fulfilled.
      if (!isBusy && on === agreed.held) held(on);
      proceed();
    },
    offer() {
      wanted.offers += 1;
      proceed();
    },
    restart() {
      wanted.restarts += 1;
      proceed();
    },
    proceed,
    stop() {
      isOver = true;
      clearTimeout(later);
    },
  };
}

import type { LegReport } from '#machines/phone/ports.ts';
import type { Quality } from '#machines/phone/words.ts';

/** What getStats says of the packets of one call, summed over its lines of sound. */
interface Count {
  at: number;
  received: number;
  lost: number;
  sent: number;
  jitter: number | null;
  roundTrip: number | null;
}
interface Around {
  connection: RTCPeerConnection;
  /** Whether sound ought to go out now: muted and held it may not. */
  isSending: () => boolean;
  /** Whether sound ought to come in now. */
  isReceiving: () => boolean;
  report: (fact: LegReport) => void;
}

const step = 1_000;
const paths = ['connected', 'disconnected', 'failed'] as const;
type Path = (typeof paths)[number];
const isPath = (state: string): state is Path => (paths as readonly string[]).includes(state);

interface Stat {
  type: string;
  kind?: string;
  timestamp: number;
  packetsReceived?: number;
  packetsLost?: number;
  packetsSent?: number;
  jitter?: number;
  roundTripTime?: number;
  currentRoundTripTime?: number;
  state?: string;
}

/** Reads one report of getStats; seconds become ms. */
export function countOf(stats: Iterable<Stat>): Count {
  const count: Count = { at: 0, received: 0, lost: 0, sent: 0, jitter: null, roundTrip: null };
  for (const stat of stats) {
    count.at = Math.max(count.at, stat.timestamp);
    if (stat.type === 'inbound-rtp' && stat.kind === 'audio') {
      count.received += stat.packetsReceived ?? 0;
      count.lost += Math.max(0, stat.packetsLost ?? 0);
      if (stat.jitter !== undefined) count.jitter = stat.jitter * 1_000;
    }
    if (stat.type === 'outbound-rtp' && stat.kind === 'audio') count.sent += stat.packetsSent ?? 0;
    if (stat.type === 'remote-inbound-rtp' && stat.roundTripTime !== undefined) count.roundTrip = stat.roundTripTime * 1_000;
    if (stat.type === 'candidate-pair' && stat.state === 'succeeded' && stat.currentRoundTripTime !== undefined)
      count.roundTrip ??= stat.currentRoundTripTime * 1_000;
  }
  return count;
}

/** The quality between two readings. */
export function qualityOf(before: Count, now: Count): Quality {
  const [received, lost] = [Math.max(0, now.received - before.received), Math.max(0, now.lost - before.lost)];
  return { roundTrip: now.roundTrip, jitter: now.jitter, loss: received + lost === 0 ? 0 : lost / (received + lost) };
}

/** The watch over one call. */
export interface LegWatch {
  /** Tells how the path stands now, if there is or was one. */
  tellPath: () => void;
  stop: () => void;
}

/** Watches the path alone: connected, lost for the moment, lost for good. */
function watchPath(connection: RTCPeerConnection, report: Around['report']): LegWatch {
  let path: Path | null = null;
  const follow = (): void => {
    const state = connection.connectionState;
    if (!isPath(state) || state === path) return;
    path = state;
    report({ type: 'leg.path', state });
  };
  /** JsSIP ends the call at once when ICE fails; it is given a chance to start anew. */
  const keepFromJsSip = (event: Event): void => {
    if (connection.iceConnectionState === 'failed') event.stopImmediatePropagation();
  };
  connection.addEventListener('connectionstatechange', follow);
  connection.addEventListener('iceconnectionstatechange', keepFromJsSip, true);
  follow();
  return {
    tellPath: () => void (path && report({ type: 'leg.path', state: path })),
    stop() {
      connection.removeEventListener('connectionstatechange', follow);
      connection.removeEventListener('iceconnectionstatechange', keepFromJsSip, true);
    },
  };
}

/** Watches the path of a call and what flows on it, until it is stopped. */
export function watchLeg({ connection, isSending, isReceiving, report }: Around): LegWatch {
  let before: Count | null = null;
  let flow = { incoming: true, outgoing: true };
  let isOver = false;

  const tellFlow = (next: typeof flow): void => {
    if (next.incoming === flow.incoming && next.outgoing === flow.outgoing) return;
    flow = next;
    report({ type: 'leg.flow', ...flow });
  };
  const look = async (): Promise<void> => {
    const stats = await connection.getStats().catch(() => null);
    if (!stats || isOver) return;
    const now = countOf(stats.values() as Iterable<Stat>);
    if (before) {
      report({ type: 'leg.quality', quality: qualityOf(before, now) });
      tellFlow({ incoming: !isReceiving() || now.received > before.received, outgoing: !isSending() || now.sent > before.sent });
    }
    before = now;
  };
  const timer = setInterval(() => void look(), step);
  const path = watchPath(connection, report);
  return {
    tellPath: path.tellPath,
    stop() {
      isOver = true;
      clearInterval(timer);
      path.stop();
    },
  };
}

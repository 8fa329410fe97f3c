import {
  catchError,
  defer,
  distinctUntilChanged,
  EMPTY,
  exhaustMap,
  filter,
  fromEvent,
  ignoreElements,
  interval,
  map,
  merge,
  type Observable,
  pairwise,
  share,
  skip,
  startWith,
  tap,
} from 'rxjs';
import type { LegReport } from '#machines/phone/ports.ts';
import type { Quality } from '#machines/phone/types.ts';

/** What getStats says of the packets of one call, summed over its lines of sound. */
interface Count {
  at: number;
  received: number;
  lost: number;
  sent: number;
  jitter: number | null;
  roundTrip: number | null;
}
interface Deps {
  connection: RTCPeerConnection;
  /** Whether sound ought to go out now: muted and held it may not. */
  isSending: () => boolean;
  /** Whether sound ought to come in now. */
  isReceiving: () => boolean;
}

const step = 1_000;
const pathStates = ['connected', 'disconnected', 'failed'] as const;
type Path = (typeof pathStates)[number];
const isPath = (state: string): state is Path => (pathStates as readonly string[]).includes(state);

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

/** How the path stands, where there is or was one. */
export function pathOf({ connectionState: state }: RTCPeerConnection): LegReport | null {
  return isPath(state) ? { type: 'leg.path', state } : null;
}

/** The path alone: connected, lost for the moment, lost for good. */
function paths(connection: RTCPeerConnection): Observable<LegReport> {
  const changes = fromEvent(connection, 'connectionstatechange').pipe(startWith(null));
  return changes.pipe(
    map(() => connection.connectionState),
    filter(isPath),
    distinctUntilChanged(),
    map((state) => ({ type: 'leg.path', state }) as const),
  );
}

/** JsSIP ends the call at once when ICE fails; it is given a chance to start anew. */
function hiddenFromJsSip(connection: RTCPeerConnection): Observable<never> {
  return fromEvent(connection, 'iceconnectionstatechange', { capture: true }).pipe(
    tap((event) => connection.iceConnectionState === 'failed' && event.stopImmediatePropagation()),
    ignoreElements(),
  );
}

/** What flows, read every second: two readings at a time. A reading that cannot be had is left out. */
const readings = (connection: RTCPeerConnection): Observable<[Count, Count]> =>
  interval(step).pipe(
    exhaustMap(() => defer(() => connection.getStats()).pipe(catchError(() => EMPTY))),
    map((stats) => countOf(stats.values() as Iterable<Stat>)),
    pairwise(),
    share(),
  );

/** What becomes of the path of a call, and of what flows on it. */
export function watchLeg({ connection, isSending, isReceiving }: Deps): Observable<LegReport> {
  const counted = readings(connection);
  const quality = counted.pipe(map(([before, now]) => ({ type: 'leg.quality', quality: qualityOf(before, now) }) as const));
  const flow = counted.pipe(
    map(([before, now]) => ({ incoming: !isReceiving() || now.received > before.received, outgoing: !isSending() || now.sent > before.sent })),
    startWith({ incoming: true, outgoing: true }),
    distinctUntilChanged((one, other) => one.incoming === other.incoming && one.outgoing === other.outgoing),
    skip(1),
    map((flows) => ({ type: 'leg.flow', ...flows }) as const),
  );
  return merge(hiddenFromJsSip(connection), paths(connection), quality, flow);
}

import type { InspectionEvent } from 'xstate';
import type { Services } from '#server/context.ts';
import type { MediaPort } from '../media/port.ts';
import type { LegEvent, SipServer } from '../sip/leg.ts';
import type { Semaphore } from '#server/semaphore.ts';
import type { LiveLeg } from './live-leg.ts';
import type { Clock } from '#server/timers.ts';

/** What is around every call: the server's services, signalling and media, and the exchange that holds all calls, each of them a `Call`. */
export interface Deps<Call> {
  services: Services;
  sip: SipServer;
  media: MediaPort;
  /** Where the writing of calls takes its turn. */
  semaphore: Semaphore;
  /** Where calls take their turn to ring. */
  ringing: Semaphore;
  clock: Clock;
  inspect: ((event: InspectionEvent) => void) | undefined;
  /** A leg asked to be connected elsewhere. */
  transfer: (call: Call, by: LiveLeg, wish: Extract<LegEvent, { type: 'transfer' }>) => Promise<void>;
  /** The call is over. */
  over: (call: Call) => void;
}

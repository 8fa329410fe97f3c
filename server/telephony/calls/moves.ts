import type { FastifyBaseLogger } from 'fastify';
import type { InspectionEvent } from 'xstate';

/**
 * Tells the log, at its level debug, each move of a call's chart: which event led to which state. What events carry (numbers, names,
 * descriptions of media) is left out.
 */
export const logMoves =
  (log: Pick<FastifyBaseLogger, 'debug'>) =>
  (seen: InspectionEvent): void => {
    if (seen.type !== '@xstate.snapshot' || !('value' in seen.snapshot) || !('id' in seen.actorRef)) return;
    log.debug({ call: seen.actorRef.id, event: seen.event.type, state: seen.snapshot.value }, 'a call moved');
  };

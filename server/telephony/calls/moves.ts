import type { FastifyBaseLogger } from 'fastify';
import type { InspectionEvent } from 'xstate';

/** One move of a call's chart: by which event, and the states it led to, from the outermost in. What events carry is not in it. */
export interface Move {
  event: string;
  states: readonly string[];
  at: Date;
}

/** The states of a chart as paths, one for each region: `session.talking`. */
function pathsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Object.entries(value ?? {}).flatMap(([state, inner]) => {
    const below = pathsOf(inner);
    return below.length === 0 ? [state] : below.map((path) => `${state}.${path}`);
  });
}

const most = 12;

/** The last moves of one call's chart; the log is told of them at its level debug. */
export class Moves {
  readonly #call: string;
  readonly #log: Pick<FastifyBaseLogger, 'debug'>;
  readonly #now: () => Date;
  readonly #moves: Move[] = [];

  /** `call`: the id of the chart's actor. */
  constructor(call: string, { log, now }: { log: Pick<FastifyBaseLogger, 'debug'>; now: () => Date }) {
    this.#call = call;
    this.#log = log;
    this.#now = now;
  }

  /** Hears the call's actors; only moves of the chart itself are kept. */
  hear(seen: InspectionEvent): void {
    if (seen.type !== '@xstate.snapshot' || !('value' in seen.snapshot)) return;
    const move = { event: seen.event.type, states: pathsOf(seen.snapshot.value), at: this.#now() };
    this.#log.debug({ call: this.#call, event: move.event, states: move.states }, 'a call moved');
    this.#moves.push(move);
    if (this.#moves.length > most) this.#moves.shift();
  }
  /** Oldest first. */
  get last(): readonly Move[] {
    return this.#moves;
  }
}

import { type AnyActorRef, fromCallback, fromEventObservable, fromPromise, type NonReducibleUnknown, type EventObject } from 'xstate';
import type { Problem } from '#models/problem.ts';

/** A port that nobody plugged in: a mistake in the wiring, never shown to people as a problem. */
export class Unplugged extends Error {
  constructor(port: string) {
    super(`port ${port} is not plugged in; see src/app/compose*.ts`);
  }
}

/** A one-shot port (a question to the world with one answer) until it is plugged in. */
export const unplugged = <Output, Input extends NonReducibleUnknown = NonReducibleUnknown>(name: string) =>
  fromPromise<Output, Input>(() => {
    throw new Unplugged(name);
  });

/** A lasting port (it hears commands and reports facts as long as it lives) until it is plugged in. */
export const unpluggedLasting = <Command extends EventObject, Input extends NonReducibleUnknown = NonReducibleUnknown>(name: string) =>
  fromCallback<Command, Input>(() => {
    throw new Unplugged(name);
  });

/** A stream (facts that come by themselves; nothing can be told to it) until it is plugged in with an observable. */
export const unpluggedStream = <Fact extends EventObject>(name: string) =>
  fromEventObservable<Fact, NonReducibleUnknown>(() => {
    throw new Unplugged(name);
  });

/**
 * What a port that is told something and answers nothing does until it is plugged in. In `setup` it stands as
 * `name: (_, params: …) => unpluggedAction('name')`; without the untyped first parameter TypeScript loses the types beside it.
 */
export function unpluggedAction(name: string): void {
  throw new Unplugged(name);
}

/** A machine that is plugged in by the composition, because its code comes later than its parent's. */
export const unpluggedMachine = <Machine>(name: string): Machine => unpluggedLasting<EventObject>(name) as unknown as Machine;

const isProblem = (error: unknown): error is Problem =>
  typeof error === 'object' && error !== null && !(error instanceof Error) && 'code' in error && typeof error.code === 'string';

/**
 * What a port failed with, as a problem. Ports reject with problems; anything else is a fault of the program, which is kept
 * as `internal` so that the machine goes on, except a port left unplugged, which is thrown to be seen.
 */
export function problemOf(error: unknown): Problem {
  if (error instanceof Unplugged) throw error;
  return isProblem(error) ? error : { code: 'internal', data: { reason: String(error) } };
}

/** Nobody knows whether the request reached the server: the answer was lost, not refused. */
export const outcomeUnknown = ({ code }: Problem): boolean => code === 'timeout' || code === 'offline' || code === 'unknown_outcome';

/** The problem of a wait that the machine itself gave up. */
export const timedOut: Problem = { code: 'timeout' };

/** Longer than the adapters' own time-outs, so that their more exact problem comes first; a port that hangs ends here. */
export const answerTimeout = 45_000;

/** For a file on its way, which takes as long as it takes: as long as a timer of the browser can wait, in ms (24 days). */
export const endless = 2 ** 31 - 1;

/** Who started this actor; none for the root and for an actor under test. */
export const parentOf = (self: object): AnyActorRef | undefined => (self as { _parent?: AnyActorRef })._parent;

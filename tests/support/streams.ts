import { NEVER, Observable } from 'rxjs';
import { type EventObject, fromEventObservable, type NonReducibleUnknown } from 'xstate';

/** A stream on which nothing comes. */
export const silent = <Fact extends EventObject>() => fromEventObservable<Fact, NonReducibleUnknown>(() => NEVER);

/** A stream of the test's own: it is given what puts a fact on it, each time somebody listens. */
export const streamOf = <Fact extends EventObject>(give: (send: (fact: Fact) => void) => void) =>
  fromEventObservable<Fact, NonReducibleUnknown>(() => new Observable((subscriber) => give((fact) => subscriber.next(fact))));

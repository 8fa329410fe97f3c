import type { AnyActorLogic } from 'xstate';

/** An actor whose code comes later: usable as logic at once, started only after `ready` has resolved. */
export interface Arriving<Logic extends AnyActorLogic> {
  logic: Logic;
  /** Fetches the code if it is not there; may be tried again after a failure. */
  ready: () => Promise<void>;
  isThere: () => boolean;
}

/** Stands for logic that `load` brings. Whoever starts an actor of it must have awaited `ready` before. */
export function arriving<Logic extends AnyActorLogic>(load: () => Promise<Logic>): Arriving<Logic> {
  let arrived: Logic | undefined;
  let loading: Promise<void> | undefined;
  const logic = new Proxy({} as Logic, {
    get(_target, key) {
      if (!arrived) throw new Error('logic was used before its code arrived');
      return Reflect.get(arrived, key, arrived) as unknown;
    },
  });
  const ready = (): Promise<void> => {
    loading ??= load().then(
      (real) => {
        arrived = real;
      },
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
  return { logic, ready, isThere: () => arrived !== undefined };
}

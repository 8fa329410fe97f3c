import type { Observer, Subscribable } from 'xstate';

/** A stream whose code comes later: whoever subscribes hears it from then on, or that it could not be fetched. */
export const later = <T>(load: () => Promise<Subscribable<T>>): Subscribable<T> => ({
  subscribe(next: Observer<T> | ((value: T) => void), error?: (error: unknown) => void, complete?: () => void) {
    const observer: Observer<T> = typeof next === 'function' ? { next, ...(error && { error }), ...(complete && { complete }) } : next;
    let isWanted = true;
    let stop = (): void => {};
    load().then(
      (stream) => {
        if (!isWanted) return;
        const subscription = stream.subscribe(observer);
        stop = () => subscription.unsubscribe();
      },
      (failure: unknown) => {
        if (isWanted) observer.error?.(failure);
      },
    );
    const unsubscribe = (): void => {
      isWanted = false;
      stop();
    };
    return { unsubscribe };
  },
});

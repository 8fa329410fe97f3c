/** So long nothing has come, in ms: then the screen has all that it waited for. */
const calm = 200;
/** So long what can wait does at most, in ms: a call may be ringing. */
const timeout = 6_000;

/** A screen that is not there yet, or that shows where its content will be; what marks the place of something that comes after it, `data-later`, is no part of it. */
const isStillComing = (): boolean =>
  document.querySelector('main') === null ||
  [...document.querySelectorAll('main :is(.bone, .skeleton, [aria-busy="true"])')].some((sign) => sign.closest('[data-later]') === null);

/** Resolves when the screen shows its content and the page has stopped fetching for it, or after 6 s; what comes then is in nobody's way. */
export const afterScreen = (): Promise<void> =>
  new Promise((resolve) => {
    const stop = (): void => {
      observer.disconnect();
      clearTimeout(last);
      clearTimeout(timer);
      resolve();
    };
    // What came during a long task is told only after it, the timer perhaps before.
    const look = (): void => (observer.takeRecords().length > 0 || isStillComing() ? wait() : stop());
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = (): void => {
      clearTimeout(timer);
      timer = setTimeout(look, calm);
    };
    const observer = new PerformanceObserver(wait);
    const last = setTimeout(stop, timeout);
    observer.observe({ type: 'resource' });
    wait();
  });

import type { WakeReport } from '#machines/realtime.machine.ts';

const tick = 5_000;
/** A timer that comes so late has slept. */
const slept = 15_000;

/** Reports when the network is back, when the page is looked at again, and when the machine woke up, until it is stopped. */
export function followWakeups(report: (fact: WakeReport) => void, page: Window, now: () => number): () => void {
  const nudge = (): void => report({ type: 'link.nudged' });
  const seen = (): void => {
    if (!page.document.hidden) nudge();
  };
  let last = now();
  const timer = page.setInterval(() => {
    if (now() - last > slept) nudge();
    last = now();
  }, tick);
  page.addEventListener('online', nudge);
  page.addEventListener('focus', nudge);
  page.addEventListener('pageshow', nudge);
  page.document.addEventListener('visibilitychange', seen);
  return () => {
    page.clearInterval(timer);
    page.removeEventListener('online', nudge);
    page.removeEventListener('focus', nudge);
    page.removeEventListener('pageshow', nudge);
    page.document.removeEventListener('visibilitychange', seen);
  };
}

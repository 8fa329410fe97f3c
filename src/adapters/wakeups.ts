import { defer, filter, fromEvent, interval, map, merge, type Observable, pairwise, startWith } from 'rxjs';
import type { WakeReport } from '#machines/realtime/realtime.machine.ts';

const tick = 5_000;
/** A timer that comes so late has slept, in ms. */
const slept = 15_000;

/** Says when the network is back, when the page is looked at again, and when the machine woke up. */
export function wakeupsOf(page: Window, now: () => number): Observable<WakeReport> {
  const looked = fromEvent(page.document, 'visibilitychange').pipe(filter(() => !page.document.hidden));
  const woke = defer(() => interval(tick).pipe(map(now), startWith(now()))).pipe(
    pairwise(),
    filter(([before, at]) => at - before > slept),
  );
  return merge(...['online', 'focus', 'pageshow'].map((name) => fromEvent(page, name)), looked, woke).pipe(
    map(() => ({ type: 'link.nudged' }) as const),
  );
}

import type { SipLeg } from '../sip/leg.ts';

/** Resolves when the answer of a leg has been acknowledged, at once where it has been. @throws Error where the leg ends before */
export function confirmed(leg: SipLeg): Promise<void> {
  if (leg.state === 'confirmed') return Promise.resolve();
  const acknowledged = new Promise<void>((done, fail) => {
    const stop = leg.listen(({ type }) => {
      if (type !== 'confirmed' && type !== 'ended') return;
      stop();
      if (type === 'confirmed') done();
      else fail(new Error('the leg ended before its ACK'));
    });
  });
  // Whoever joins the leg hears of it.
  acknowledged.catch(() => undefined);
  return acknowledged;
}

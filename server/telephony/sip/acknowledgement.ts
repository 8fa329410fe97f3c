import { repeat } from './flow.ts';
import type { ServerTransaction } from './server-transaction.ts';
import type { Stack } from './stack.ts';

/**
 * Sends a 200 to an INVITE again until its ACK comes (RFC 3261 section 13.3.1.4), over reliable flows too: the ACK is the far
 * side's word, not the wire's. @returns what to call with the ACK, or to give up
 */
export function awaitAck(stack: Stack, transaction: ServerTransaction, missed: () => void): () => void {
  const { t1, t2 } = stack.times;
  const stopRepeating = repeat(t1, t2, () => transaction.resend());
  const timer = setTimeout(() => {
    stopRepeating();
    missed();
  }, 64 * t1).unref();
  return () => {
    stopRepeating();
    clearTimeout(timer);
  };
}

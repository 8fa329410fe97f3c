import type { Dialog } from './dialog.ts';
import type { LegEvent, SipLeg } from './leg.ts';
import type { Stack } from './stack.ts';

/** A leg, as the requests within its dialog know it. */
export interface LegInDialog {
  readonly dialog: Dialog;
  readonly stack: Stack;
  readonly direction: SipLeg['direction'];
  readonly state: SipLeg['state'];
  /** The speech id that either side has named. */
  readonly speechId: string | null;
  emit: (event: LegEvent) => void;
  /** Hangs up for want of an answer from the far side. */
  giveUp: (cause: 'timeout' | 'transport' | 'failed') => void;
}

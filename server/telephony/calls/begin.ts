import type { Caller, Found } from './found.ts';
import type { LiveLeg } from './live-leg.ts';

/** What a call begins with. */
export interface Begin {
  id: string;
  caller: Caller;
  leg: LiveLeg;
  number: string;
  sos: boolean;
  /** Of a call that a transfer makes: its route is known, its caller talks already, and perhaps its callee. */
  transfer?: { parentId: string; found: Found; other: LiveLeg | null };
}

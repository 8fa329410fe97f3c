import type { Holder } from './directory.ts';
import type { Route } from './types.ts';

/** Who calls, as far as routing asks. `holder` null: from outside, through a trunk. */
export interface Caller {
  holder: Holder | null;
  number: string;
  name: string | null;
  projectId: string;
}
/** Who is called: as the row of the call names them. */
export interface Callee {
  number: string;
  name: string | null;
  userId: string | null;
  deviceId: string | null;
  domainId: string | null;
}
/** A route with all that the call's row and its listeners need. */
export interface Found {
  route: Route;
  callee: Callee;
  /** Groups by which one at a desk has the call in sight. */
  scope: readonly string[];
  /** Numbers of those who intercept it. */
  interceptors: readonly string[];
}

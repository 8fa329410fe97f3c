import { consistencyItems } from '#models/consistency.ts';
import { constants } from '#models/constants.ts';
import type { Alert } from './alerts/alert.machine.ts';
import type { AlertsRequest } from './alerts/alerts.machine.ts';
import { problemOf } from './port.ts';

type Shown = Extract<AlertsRequest, { type: 'alert.show' }>;
const show = (alert: Alert): Shown => ({ type: 'alert.show', alert });

/** "Done": the generic success (spec A2.3). */
export const doneAlert = (): Shown => show({ kind: 'success', key: 'interface.done' });

/** Something went wrong and the person should know. What a refusal lists item by item is given time to be read (spec B8). */
export function problemAlert(error: unknown): Shown {
  const problem = problemOf(error);
  const isListed = consistencyItems(problem.data) !== null;
  return show({ kind: 'error', problem, ...(isListed && { duration: constants.consistencyErrorTime }) });
}

/** An error with a text of its own. */
export const errorAlert = (key: string): Shown => show({ kind: 'error', key });

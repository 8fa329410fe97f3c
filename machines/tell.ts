import { consistencyItems } from '#models/consistency.ts';
import { constants } from '#models/constants.ts';
import type { Alert } from './alert.machine.ts';
import type { AlertsRequest } from './alerts.machine.ts';
import { problemOf } from './port.ts';

const show = (alert: Alert): AlertsRequest => ({ type: 'alert.show', alert });

/** "Done": the generic success (spec A2.3). */
export const doneAlert = (): AlertsRequest => show({ kind: 'success', key: 'interface.done' });

/** Something went wrong and the person should know. What a refusal lists item by item is given time to be read (spec B8). */
export function problemAlert(error: unknown): AlertsRequest {
  const problem = problemOf(error);
  const isListed = consistencyItems(problem.data) !== null;
  return show({ kind: 'error', problem, ...(isListed && { duration: constants.consistencyErrorTime }) });
}

/** An error with a text of its own. */
export const errorAlert = (key: string): AlertsRequest => show({ kind: 'error', key });

import type { Alert } from './alert.machine.ts';
import type { AlertsRequest } from './alerts.machine.ts';
import { problemOf } from './port.ts';

const show = (alert: Alert): AlertsRequest => ({ type: 'alert.show', alert });

/** "Done": the generic success (spec A2.3). */
export const doneAlert = (): AlertsRequest => show({ kind: 'success', key: 'interface.done' });

/** Something went wrong and the person should know. */
export const problemAlert = (error: unknown): AlertsRequest => show({ kind: 'error', problem: problemOf(error) });

/** An error with a text of its own. */
export const errorAlert = (key: string): AlertsRequest => show({ kind: 'error', key });

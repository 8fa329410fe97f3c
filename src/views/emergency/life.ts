import { mayHappenToAlert } from '#machines/lifecycles/emergency-alert.machine.ts';
import type { EmergencyAlertStatus } from '#models/emergency-alerts.ts';

/** Whether an alert that stands so may be started, stopped or changed: what its life refuses is not offered. */
export const mayMoveAlert = (status: EmergencyAlertStatus, step: 'start' | 'stop' | 'change'): boolean => mayHappenToAlert(status, `alert.${step}`);

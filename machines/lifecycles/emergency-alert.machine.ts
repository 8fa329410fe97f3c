// Keeps in order: the life of one emergency alert: prepared, shown and played, stopped.
// Spawned by: nobody; the server refuses what it refuses, views offer what it offers.
// Asks (ports): nothing.
// Tells (facts): nothing.
import { setup } from 'xstate';
import type { EmergencyAlertStatus } from '#models/emergency-alerts.ts';

type EmergencyAlertEvent = { type: 'alert.start' } | { type: 'alert.stop' } | { type: 'alert.change' } | { type: 'alert.delete' };

/** The life of one emergency alert. While it is out nobody changes or deletes it; stopped, it may be started again. */
export const emergencyAlertMachine = setup({ types: { events: {} as EmergencyAlertEvent } }).createMachine({
  id: 'emergencyAlert',
  initial: 'new',
  states: {
    new: { on: { 'alert.start': 'started', 'alert.change': 'new', 'alert.delete': 'deleted' } },
    started: { on: { 'alert.stop': 'stopped' } },
    stopped: { on: { 'alert.start': 'started', 'alert.change': 'stopped', 'alert.delete': 'deleted' } },
    deleted: { type: 'final' },
  },
});

const at = (status: EmergencyAlertStatus) => emergencyAlertMachine.resolveState({ value: status });

/** May this happen to an alert as it stands? */
export const mayHappenToAlert = (status: EmergencyAlertStatus, event: EmergencyAlertEvent['type']): boolean => at(status).can({ type: event });

import { z } from 'zod';
import { byId, call } from './define-call.ts';
import { emergencyAlerts } from './emergency-alerts.ts';

/** An alert as those it goes to have it. */
const activeAlert = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  message: z.string(),
  is_drill: z.boolean(),
  started_at: z.iso.datetime(),
  /** When the reader saw it, and when they said that they are safe. */
  seen_at: z.iso.datetime().nullable(),
  safe_at: z.iso.datetime().nullable(),
});
export type ActiveAlert = z.infer<typeof activeAlert>;

const person = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  group: z.string().nullable(),
  seen_at: z.iso.datetime().nullable(),
  safe_at: z.iso.datetime().nullable(),
});
const people = z.strictObject({
  recipients: z.int(),
  seen: z.int(),
  safe: z.int(),
  /** Those who have not said that they are safe come first. */
  people: z.array(person),
});
export type EmergencyAlertPeople = z.infer<typeof people>;
export const mostAlertPeople = 500;

const plays = { codes: ['can_playback_emergency_alerts'], about: 'emergency-alerts' } as const;
const views = { area: 'emergency-alerts', verb: 'view' } as const;
const edits = { area: 'emergency-alerts', verb: 'edit' } as const;
const file = z.strictObject({ filename: z.string() });

/** What emergency alerts are besides rows (COMM-03, COMM-06). */
export const emergencyAlertCalls = {
  startEmergencyAlert: call({
    method: 'POST',
    path: '/emergency-alerts/{id}/start',
    access: plays,
    summary: 'Show an alert on all screens of its people and play it at its devices; a drill is marked as such and opens no locks',
    params: byId,
    body: z.strictObject({ is_drill: z.boolean() }),
    answer: emergencyAlerts.row,
    urgent: true,
  }),
  stopEmergencyAlert: call({
    method: 'POST',
    path: '/emergency-alerts/{id}/stop',
    access: plays,
    summary: 'Stop an alert everywhere',
    params: byId,
    answer: emergencyAlerts.row,
    urgent: true,
  }),
  emergencyAlertPeople: call({
    method: 'GET',
    path: '/emergency-alerts/{id}/people',
    access: views,
    summary: `Who has seen an alert and who says that they are safe: up to ${mostAlertPeople}; people out of sight are counted only`,
    params: byId,
    answer: people,
  }),
  setEmergencyAlertFile: call({
    method: 'POST',
    path: '/emergency-alerts/{id}/file',
    access: edits,
    summary: 'Upload the recording that devices play: WAV, MP3 or OGG',
    params: byId,
    files: ['file'],
    answer: file,
  }),
  removeEmergencyAlertFile: call({
    method: 'DELETE',
    path: '/emergency-alerts/{id}/file',
    access: edits,
    summary: 'Delete the recording of an alert',
    params: byId,
  }),
  emergencyAlertFile: call({
    method: 'GET',
    path: '/emergency-alerts/{id}/file',
    access: views,
    summary: 'Download the recording of an alert',
    params: byId,
    answer: z.unknown(),
    download: true,
  }),
  emergencyAlertSpeech: call({
    method: 'GET',
    path: '/emergency-alerts/speech',
    access: views,
    summary: 'Whether this server has a speech program (espeak-ng or espeak)',
    answer: z.strictObject({ is_available: z.boolean() }),
  }),
  generateEmergencyAlert: call({
    method: 'POST',
    path: '/emergency-alerts/{id}/generate',
    access: edits,
    summary: 'Make the recording of an alert by speaking its message in a language; 503 where the server has no speech program',
    params: byId,
    body: z.strictObject({ locale: z.enum(['en', 'ru']) }),
    answer: file,
  }),
  myEmergencyAlerts: call({
    method: 'GET',
    path: '/emergency-alerts/mine',
    access: 'signedIn',
    summary: 'The alerts that go to the user now, the latest first',
    answer: z.array(activeAlert),
  }),
  seeEmergencyAlert: call({
    method: 'POST',
    path: '/emergency-alerts/{id}/seen',
    access: 'signedIn',
    summary: 'The user has seen an alert; the first time counts',
    params: byId,
    urgent: true,
  }),
  confirmSafe: call({
    method: 'POST',
    path: '/emergency-alerts/{id}/safe',
    access: 'signedIn',
    summary: 'The user says that they are safe; the first time counts',
    params: byId,
    urgent: true,
  }),
} as const;

import { z } from 'zod';
import { defineModel, type RowOf } from './define-model.ts';
import { personThen } from './hidden-name.ts';

/** The audit trail: who changed what, from where, with each field before and after; and what was refused to whom. */
export const auditEvents = defineModel({
  name: 'audit-events',
  fields: {},
  shown: {
    area: z.string(),
    entity_id: z.uuid().nullable(),
    /** What the row was called at the time. */
    entity_name: z.string().nullable(),
    action: z.enum([
      'create',
      'update',
      'delete',
      'sign_in',
      'sign_out',
      'password_change',
      'refused',
      'session_revoked',
      'upload',
      'generate',
      'export',
      'import',
      'registration_link',
      'mail_sent',
      'sms_sent',
      'apply_settings',
      'init',
      'synchronise',
      'reinit',
      'restart',
      'open_door',
      'call_elevator',
      'enrol_card',
      'set_protocol',
      'remote_control',
      'retry_queue',
      'stop_task',
      'retry_task',
      'download',
      'restore',
    ]),
    user: personThen.nullable(),
    ip: z.string().nullable(),
    user_agent: z.string().nullable(),
    /** Field → value before and after, secrets left out. */
    changes: z.record(z.string(), z.strictObject({ before: z.unknown(), after: z.unknown() })),
  },
  initial: {},
  filters: { area: 'text', entity_id: 'ref', entity_name: 'text', action: 'choice', user: 'ref', ip: 'text', created_at: 'time' },
  sorts: ['created_at', 'area', 'action', 'user'],
});
export type AuditEvent = RowOf<typeof auditEvents>;

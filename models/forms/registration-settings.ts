import { defineForm } from '../define-form.ts';
import { toIssues } from '../issues.ts';
import { type ClientFeature, generalSettings, selfRegistrationSettings, type ShownClients, type ShownGeneral } from '../project-settings.ts';
import { asTyped, limitTyped } from './typed.ts';

const leave = { text: 'interface.profile.leave_question', approve: 'interface.profile.leave' };
const saved = 'areas.project-settings.saved';
const kinds = generalSettings.pick({ registration: true, password_recovery: true });

/** Which ways to an account are open. */
export const registrationSettingsForm = defineForm({
  name: 'registration-settings',
  call: 'setGeneralSettings',
  start: ({ registration, password_recovery }: ShownGeneral) => ({ ...registration, password_recovery }),
  read: ({ password_recovery, ...registration }) => {
    const read = kinds.safeParse({ registration, password_recovery });
    return read.success ? { input: { body: read.data } } : { issues: toIssues(read.error) };
  },
  leave,
  saved,
});

/** One kind of client, as it is typed. */
export interface ClientDraft {
  type: string;
  role: string;
  license_period_days: string;
  features: readonly ClientFeature[];
}
/** What people become who register by themselves. */
export const clientsForm = defineForm({
  name: 'self-registration',
  call: 'setSelfRegistrationSettings',
  start: ({ clients, simple_type }: ShownClients): { clients: readonly ClientDraft[]; simple_type: string } => ({
    simple_type: simple_type ?? '',
    clients: clients.map(({ type, role, license_period_days: days, features }) => ({
      type,
      role: role.id,
      license_period_days: asTyped(days),
      features,
    })),
  }),
  read: ({ clients, simple_type: chosen }) => {
    const read = selfRegistrationSettings.safeParse({
      // One that was removed or renamed is no choice any more.
      simple_type: clients.some(({ type }) => type.trim() === chosen) ? chosen : null,
      clients: clients.map((client) => ({ ...client, role: client.role || null, license_period_days: limitTyped(client.license_period_days) })),
    });
    return read.success ? { input: { body: read.data } } : { issues: toIssues(read.error) };
  },
  leave,
  saved,
});

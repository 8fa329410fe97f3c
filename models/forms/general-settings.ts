import { defineForm } from '../define-form.ts';
import { toIssues } from '../issues.ts';
import { basicLicence, generalSettings, type ShownGeneral } from '../project-settings.ts';
import { asTyped, countTyped, limitTyped, textTyped } from './typed.ts';

const body = generalSettings.omit({ registration: true, password_recovery: true }).extend({ basic_license: basicLicence });

/** Name and defaults of a project, as they are typed. An empty log retention keeps everything. */
export const generalSettingsForm = defineForm({
  name: 'general-settings',
  call: 'setGeneralSettings',
  start: ({ notify, logs_life: life, guest_identifier_limits: guests, basic_license: basic, ...plain }: ShownGeneral) => ({
    name: plain.name,
    description: plain.description ?? '',
    server_url: plain.server_url ?? '',
    locale: plain.locale as string,
    time_zone_name: plain.time_zone_name,
    time_format: plain.time_format as string,
    identifier_format: plain.identifier_format as string,
    admin_email: plain.admin_email ?? '',
    device_offline: notify.device_offline,
    device_task_failed: notify.device_task_failed,
    value: asTyped(life?.value),
    visitor_pictures: plain.visitor_pictures,
    unit: (life?.unit ?? 'months') as string,
    max_passes_count: asTyped(guests.max_passes_count),
    max_period_days: asTyped(guests.max_period_days),
    period_days: asTyped(basic.period_days),
    quantity: asTyped(basic.quantity),
  }),
  read: (draft) => {
    const read = body.safeParse({
      name: draft.name,
      description: textTyped(draft.description),
      server_url: textTyped(draft.server_url),
      locale: draft.locale,
      time_zone_name: draft.time_zone_name,
      time_format: draft.time_format,
      identifier_format: draft.identifier_format,
      admin_email: textTyped(draft.admin_email),
      notify: { device_offline: draft.device_offline, device_task_failed: draft.device_task_failed },
      logs_life: draft.value.trim() === '' ? null : { value: countTyped(draft.value), unit: draft.unit },
      visitor_pictures: draft.visitor_pictures,
      guest_identifier_limits: { max_passes_count: limitTyped(draft.max_passes_count), max_period_days: limitTyped(draft.max_period_days) },
      basic_license: { period_days: limitTyped(draft.period_days), quantity: limitTyped(draft.quantity) },
    });
    return read.success ? { input: { body: read.data } } : { issues: toIssues(read.error) };
  },
  leave: { text: 'interface.profile.leave_question', approve: 'interface.profile.leave' },
  saved: 'areas.project-settings.saved',
});

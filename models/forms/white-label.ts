import { defineForm } from '../define-form.ts';
import { toIssues } from '../issues.ts';
import { type ShownWhiteLabel, whiteLabelSettings } from '../project-settings.ts';
import { textTyped } from './typed.ts';

/** The look of a project as it is typed. */
export const whiteLabelForm = defineForm({
  name: 'white-label',
  call: 'setWhiteLabelSettings',
  start: ({ is_enabled, name, address, email, phone, accent_color, accent_text_color }: ShownWhiteLabel) => ({
    is_enabled,
    name: name ?? '',
    address: address ?? '',
    email: email ?? '',
    phone: phone ?? '',
    accent_color,
    accent_text_color,
  }),
  read: ({ name, address, email, phone, ...plain }) => {
    const read = whiteLabelSettings.safeParse({
      ...plain,
      name: textTyped(name),
      address: textTyped(address),
      email: textTyped(email),
      phone: textTyped(phone),
    });
    return read.success ? { input: { body: read.data } } : { issues: toIssues(read.error) };
  },
  leave: { text: 'interface.profile.leave_question', approve: 'interface.profile.leave' },
  saved: 'areas.project-settings.saved',
});

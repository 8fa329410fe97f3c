import { defineForm } from '../define-form.ts';
import { toIssues } from '../issues.ts';
import { mailPlace, mailSettings, type MailBody, type ShownMail } from '../mail-settings.ts';
import type { Issue } from '../issues.ts';
import { asTyped, limitTyped, textTyped } from './typed.ts';

/** The mail server of a project as it is typed; a password left empty is the one that is stored. */
export type MailDraft = ReturnType<typeof draftOf>;
const draftOf = (mail: ShownMail) => ({
  type: mail.type as string,
  host: mail.host ?? '',
  port: asTyped(mail.port),
  username: mail.username ?? '',
  password: '',
  from_address: mail.from_address ?? '',
  from_name: mail.from_name ?? '',
  encryption: mail.encryption as string,
  domain: mail.domain ?? '',
  api_url: mail.api_url ?? '',
});

/** What a draft says: all of it, for saving as for a test. Without a name to sign in with, SMTP has no password. */
export function mailTyped(draft: MailDraft, given: ShownMail): { body: MailBody } | { issues: readonly Issue[] } {
  const read = mailSettings.safeParse({
    type: draft.type,
    host: textTyped(draft.host),
    port: limitTyped(draft.port),
    username: textTyped(draft.username),
    from_address: textTyped(draft.from_address),
    from_name: textTyped(draft.from_name),
    encryption: draft.encryption,
    domain: textTyped(draft.domain),
    api_url: textTyped(draft.api_url),
  });
  if (!read.success) return { issues: toIssues(read.error) };
  const { data } = read;
  if (data.type === 'mailgun' && draft.password === '' && !given.has_password)
    return { issues: [{ path: ['password'], rule: 'required', params: {} }] };
  const isElsewhere = given.has_password && mailPlace.some((field) => data[field] !== given[field]);
  const none = data.type === 'none' || (data.type === 'smtp' && data.username === null);
  if (none) return { body: { ...data, password: null } };
  if (draft.password !== '') return { body: { ...data, password: draft.password } };
  return isElsewhere ? { issues: [{ path: ['password'], rule: 'password_again', params: {} }] } : { body: data };
}

export const mailSettingsForm = defineForm({
  name: 'mail-settings',
  call: 'setMailSettings',
  start: draftOf,
  read: (draft, _base, given: ShownMail) => {
    const read = mailTyped(draft, given);
    return 'body' in read ? { input: { body: read.body } } : read;
  },
  leave: { text: 'interface.profile.leave_question', approve: 'interface.profile.leave' },
  saved: 'areas.project-settings.saved',
});

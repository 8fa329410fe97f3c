import { defineForm } from '../define-form.ts';
import { type Issue, toIssues } from '../issues.ts';
import { type ShownSms, type SmsBody, smsPlace, smsSettings } from '../sms.ts';
import { asTyped, limitTyped, textTyped } from './typed.ts';

/** The SMS gateway of a project as it is typed; a secret left empty is the one that is stored. */
export type SmsDraft = ReturnType<typeof draftOf>;
const draftOf = (sms: ShownSms) => ({
  type: sms.type as string,
  method: sms.method as string,
  url: sms.url ?? '',
  headers: sms.headers ?? '',
  body_kind: sms.body_kind as string,
  body: sms.body ?? '',
  success: sms.success as string,
  success_text: sms.success_text ?? '',
  per_second: asTyped(sms.per_second),
  secret: '',
});

/** What a draft says: all of it, for saving as for a test. */
export function smsTyped(draft: SmsDraft, given: ShownSms): { body: SmsBody } | { issues: readonly Issue[] } {
  const read = smsSettings.safeParse({
    type: draft.type,
    method: draft.method,
    url: textTyped(draft.url),
    headers: textTyped(draft.headers),
    body_kind: draft.body_kind,
    body: textTyped(draft.body),
    success: draft.success,
    success_text: textTyped(draft.success_text),
    per_second: limitTyped(draft.per_second),
  });
  if (!read.success) return { issues: toIssues(read.error) };
  const { data } = read;
  if (data.type === 'none') return { body: { ...data, secret: null } };
  if (draft.secret !== '') return { body: { ...data, secret: draft.secret } };
  const isElsewhere = given.has_secret && smsPlace(data.url) !== smsPlace(given.url);
  return isElsewhere ? { issues: [{ path: ['secret'], rule: 'password_again', params: {} }] } : { body: data };
}

export const smsSettingsForm = defineForm({
  name: 'sms-settings',
  call: 'setSmsSettings',
  start: draftOf,
  read: (draft, _base, given: ShownSms) => {
    const read = smsTyped(draft, given);
    return 'body' in read ? { input: { body: read.body } } : read;
  },
  leave: { text: 'interface.profile.leave_question', approve: 'interface.profile.leave' },
  saved: 'areas.project-settings.saved',
});

import { defineForm } from '../define-form.ts';
import { toIssues } from '../issues.ts';
import { mobileSdkBody, pushPlace, pushServerBody, pushServerSettings, type ShownMobileSdk, type ShownPushServer } from '../mobile.ts';
import { textTyped } from './typed.ts';

const usual = {
  leave: { text: 'interface.profile.leave_question', approve: 'interface.profile.leave' },
  saved: 'areas.project-settings.saved',
} as const;

/** What is asked of mobile apps, as it is typed; a key left empty is the one that is stored. */
export const mobileSdkForm = defineForm({
  name: 'mobile-sdk',
  call: 'setMobileSdkSettings',
  start: ({ enabled }: ShownMobileSdk) => ({ enabled, api_key: '' }),
  read: ({ enabled, api_key }, _base, given: ShownMobileSdk) => {
    if (enabled && api_key === '' && !given.has_api_key) return { issues: [{ path: ['api_key'], rule: 'required', params: {} }] };
    const read = mobileSdkBody.safeParse({ enabled, ...(api_key !== '' && { api_key }) });
    return read.success ? { input: { body: read.data } } : { issues: toIssues(read.error) };
  },
  ...usual,
});

/** The push server for mobile apps, as it is typed; a token left empty is the one that is stored. */
export const pushServerForm = defineForm({
  name: 'push-server',
  call: 'setPushServerSettings',
  start: ({ enabled, url }: ShownPushServer) => ({ enabled, url: url ?? '', token: '' }),
  read: ({ token, ...typed }, _base, given: ShownPushServer) => {
    const plain = { enabled: typed.enabled, url: textTyped(typed.url) };
    const whole = pushServerSettings.safeParse(plain);
    if (!whole.success) return { issues: toIssues(whole.error) };
    const isElsewhere = given.has_token && plain.url !== null && pushPlace(plain.url) !== pushPlace(given.url);
    if (isElsewhere && token === '') return { issues: [{ path: ['token'], rule: 'password_again', params: {} }] };
    const read = pushServerBody.safeParse({ ...plain, ...(token !== '' && { token }) });
    return read.success ? { input: { body: read.data } } : { issues: toIssues(read.error) };
  },
  ...usual,
});

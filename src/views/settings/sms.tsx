import { useEffect, useState } from 'react';
import { smsSettingsForm } from '#models/forms/sms-settings.ts';
import { type ShownSms, smsBodyKinds, smsMethods, smsSuccesses, smsTypes } from '#models/sms.ts';
import { useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';
import { useForm } from '../use-form.ts';
import type { Setting } from './setting-field.tsx';
import { SettingFields, SettingForm, SettingWait, useMayChange } from './setting-form.tsx';
import { TestSms } from './test-sms.tsx';

const type: Setting = { path: 'type', kind: 'choice', words: smsTypes };
const request: readonly Setting[] = [
  { path: 'method', kind: 'choice', words: smsMethods },
  { path: 'url', kind: 'line', required: true, wide: true, placeholder: 'https://sms.example.org/send' },
  { path: 'headers', kind: 'lines', wide: true, placeholder: 'Authorization: Bearer {{secret}}' },
];
const body: readonly Setting[] = [
  { path: 'body_kind', kind: 'choice', words: smsBodyKinds },
  { path: 'body', kind: 'lines', wide: true, placeholder: '{"to": "{{phone}}", "text": "{{text}}"}' },
];
const success: Setting = { path: 'success', kind: 'choice', words: smsSuccesses };
const successText: Setting = { path: 'success_text', kind: 'line', required: true };
const pace: Setting = { path: 'per_second', kind: 'number', required: true };

/** What is asked of a gateway that is used in this way. */
function settingsOf(draft: { type: string; method: string; success: string }, secret: Setting): readonly Setting[] {
  if (draft.type === 'none') return [type];
  const outcome = draft.success === 'contains' ? [success, successText] : [success];
  return [type, ...request, secret, ...(draft.method === 'GET' ? [] : body), ...outcome, pace];
}

function SmsForm({ settings, adopt }: { settings: ShownSms; adopt: (settings: ShownSms) => void }) {
  const { t } = useText();
  const form = useForm(smsSettingsForm, settings, (saved, change) => {
    adopt(saved);
    change({ secret: '' });
  });
  const mayChange = useMayChange();
  const secret: Setting = {
    path: 'secret',
    kind: 'secret',
    ...(settings.has_secret && { placeholder: t('areas.project-settings.password_stored') }),
  };
  return (
    <>
      <SettingForm title={t('areas.project-settings.sections.sms')} about={t('areas.project-settings.sms_about')} form={form}>
        <SettingFields block="sms" settings={settingsOf(form.draft, secret)} form={form} />
      </SettingForm>
      {mayChange && form.draft.type !== 'none' && <TestSms draft={form.draft} settings={settings} check={form.save} />}
    </>
  );
}

/** The SMS gateway of the project. */
export function SmsSection() {
  const { t } = useText();
  const { run, answer, problem } = useRequest('smsSettings');
  const [changed, adopt] = useState<ShownSms | null>(null);
  useEffect(() => run({}), [run]);
  const settings = changed ?? answer;
  if (!settings) return <SettingWait title={t('areas.project-settings.sections.sms')} problem={problem} />;
  return <SmsForm settings={settings} adopt={adopt} />;
}

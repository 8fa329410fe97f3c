import { useEffect, useState } from 'react';
import { mobileSdkForm, pushServerForm } from '#models/forms/mobile-settings.ts';
import type { ShownMobileSdk, ShownPushServer } from '#models/mobile.ts';
import { useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';
import { useForm } from '../use-form.ts';
import type { Setting } from './setting-field.tsx';
import { SettingFields, SettingForm, SettingWait } from './setting-form.tsx';

/** A secret: what is stored is never shown, and stays where nothing is typed. */
function useSecret(path: string, stored: boolean, required: boolean): Setting {
  const { t } = useText();
  return { path, kind: 'secret', required: required && !stored, ...(stored && { placeholder: t('areas.project-settings.password_stored') }) };
}

function SdkForm({ settings, adopt }: { settings: ShownMobileSdk; adopt: (settings: ShownMobileSdk) => void }) {
  const { t } = useText();
  const form = useForm(mobileSdkForm, settings, (saved, change) => {
    adopt(saved);
    change({ api_key: '' });
  });
  const key = useSecret('api_key', settings.has_api_key, form.draft.enabled);
  return (
    <SettingForm title={t('areas.project-settings.sections.mobile_sdk')} about={t('areas.project-settings.mobile_sdk_about')} form={form}>
      <SettingFields block="mobile_sdk" settings={[{ path: 'enabled', kind: 'flag' }, key]} form={form} />
    </SettingForm>
  );
}

function PushForm({ settings, adopt }: { settings: ShownPushServer; adopt: (settings: ShownPushServer) => void }) {
  const { t } = useText();
  const form = useForm(pushServerForm, settings, (saved, change) => {
    adopt(saved);
    change({ token: '' });
  });
  const { enabled } = form.draft;
  const token = useSecret('token', settings.has_token, false);
  const url: Setting = { path: 'url', kind: 'line', required: enabled, placeholder: 'https://push.example.org/messages' };
  return (
    <SettingForm title={t('areas.project-settings.sections.push_server')} about={t('areas.project-settings.push_server_about')} form={form}>
      <SettingFields block="push_server" settings={[{ path: 'enabled', kind: 'flag' }, url, token]} form={form} />
    </SettingForm>
  );
}

/** What mobile apps of the project have to show, and who takes pushes on to them. */
export function MobileSection() {
  const { t } = useText();
  const [sdk, push] = [useRequest('mobileSdkSettings'), useRequest('pushServerSettings')];
  const [changedSdk, adoptSdk] = useState<ShownMobileSdk | null>(null);
  const [changedPush, adoptPush] = useState<ShownPushServer | null>(null);
  const [readSdk, readPush] = [sdk.run, push.run];
  useEffect(() => {
    readSdk({});
    readPush({});
  }, [readSdk, readPush]);
  const [settings, server] = [changedSdk ?? sdk.answer, changedPush ?? push.answer];
  if (!settings || !server) return <SettingWait title={t('areas.project-settings.sections.mobile')} problem={sdk.problem ?? push.problem} />;
  return (
    <>
      <SdkForm settings={settings} adopt={adoptSdk} />
      <PushForm settings={server} adopt={adoptPush} />
    </>
  );
}

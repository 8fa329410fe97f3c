import { useEffect, useState } from 'react';
import { registrationSettingsForm } from '#models/forms/registration-settings.ts';
import type { ShownClients, ShownGeneral } from '#models/project-settings.ts';
import { useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';
import { useForm } from '../use-form.ts';
import { ClientsForm } from './clients.tsx';
import { useGeneral } from './general.tsx';
import type { Setting } from './setting-field.tsx';
import { SettingFields, SettingForm, SettingWait } from './setting-form.tsx';

const ways: readonly Setting[] = [
  { path: 'registration.by_token', kind: 'flag' },
  { path: 'registration.simple', kind: 'flag' },
  { path: 'registration.self', kind: 'flag' },
  { path: 'password_recovery', kind: 'flag' },
];

function Ways({ settings, adopt }: { settings: ShownGeneral; adopt: (settings: ShownGeneral) => void }) {
  const { t } = useText();
  const form = useForm(registrationSettingsForm, settings, (saved) => adopt(saved));
  return (
    <SettingForm title={t('areas.project-settings.sections.registration')} form={form}>
      <SettingFields block="general" settings={ways} form={form} />
    </SettingForm>
  );
}

function Clients() {
  const { t } = useText();
  const { run, answer, problem } = useRequest('selfRegistrationSettings');
  const [changed, adopt] = useState<ShownClients | null>(null);
  useEffect(() => run({}), [run]);
  const settings = changed ?? answer;
  if (!settings) return <SettingWait title={t('areas.project-settings.sections.self_registration')} problem={problem} />;
  return <ClientsForm settings={settings} adopt={adopt} />;
}

/** How people get accounts: which ways are open, and what those become who register by themselves. */
export function RegistrationSection() {
  const { t } = useText();
  const { settings, problem, adopt } = useGeneral();
  return (
    <>
      {settings ? (
        <Ways settings={settings} adopt={adopt} />
      ) : (
        <SettingWait title={t('areas.project-settings.sections.registration')} problem={problem} />
      )}
      <Clients />
    </>
  );
}

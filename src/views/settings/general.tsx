import { useEffect, useState } from 'react';
import { identifierFormats, locales, timeFormats } from '#models/constants.ts';
import { generalSettingsForm } from '#models/forms/general-settings.ts';
import { logUnits, type ShownGeneral } from '#models/project-settings.ts';
import { hasPermission } from '#models/permissions.ts';
import { useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';
import { actorOf, useProfile } from '../profile-of.ts';
import { useSession } from '../system.ts';
import { useForm } from '../use-form.ts';
import type { Setting } from './setting-field.tsx';
import { SettingFields, SettingForm, SettingWait } from './setting-form.tsx';

const about: readonly Setting[] = [
  { path: 'name', kind: 'line', required: true },
  { path: 'description', kind: 'line' },
  { path: 'server_url', kind: 'line' },
  { path: 'admin_email', kind: 'line' },
  { path: 'notify.device_offline', kind: 'flag' },
  { path: 'notify.device_task_failed', kind: 'flag' },
];
const starts: readonly Setting[] = [
  { path: 'locale', kind: 'choice', words: locales },
  { path: 'time_zone_name', kind: 'zone' },
  { path: 'time_format', kind: 'choice', words: timeFormats },
  { path: 'identifier_format', kind: 'choice', words: identifierFormats },
];
const limits: readonly Setting[] = [
  { path: 'guest_identifier_limits.max_passes_count', kind: 'number' },
  { path: 'guest_identifier_limits.max_period_days', kind: 'number' },
  { path: 'logs_life.value', kind: 'number' },
  { path: 'logs_life.unit', kind: 'choice', words: logUnits },
  { path: 'visitor_pictures', kind: 'flag' },
];
const licence = (locked: boolean): readonly Setting[] => [
  { path: 'basic_license.period_days', kind: 'number', locked },
  { path: 'basic_license.quantity', kind: 'number', locked },
];

function GeneralForm({ settings, adopt }: { settings: ShownGeneral; adopt: (settings: ShownGeneral) => void }) {
  const { t } = useText();
  const session = useSession();
  const form = useForm(generalSettingsForm, settings, (saved) => {
    adopt(saved);
    session.send({ type: 'profile.stale' });
  });
  const mayLicence = hasPermission(actorOf(useProfile()), 'can_manage_licenses');
  const parts = [
    ['project', about],
    ['new_users', starts],
    ['limits', limits],
    ['license', licence(!mayLicence)],
  ] as const;
  return (
    <SettingForm title={t('areas.project-settings.sections.general')} form={form}>
      {parts.map(([part, settings_]) => (
        <div key={part} className="setting-part">
          <h3>{t(`areas.project-settings.sections.${part}`)}</h3>
          <SettingFields block="general" settings={settings_} form={form} />
        </div>
      ))}
    </SettingForm>
  );
}

/** Reads the general settings, and goes on with what saving brought. */
export function useGeneral() {
  const { run, answer, problem } = useRequest('generalSettings');
  const [changed, adopt] = useState<ShownGeneral | null>(null);
  useEffect(() => run({}), [run]);
  return { settings: changed ?? answer, problem, adopt };
}

/** Name and defaults of the project. */
export function GeneralSection() {
  const { t } = useText();
  const { settings, problem, adopt } = useGeneral();
  if (!settings) return <SettingWait title={t('areas.project-settings.sections.general')} problem={problem} />;
  return <GeneralForm settings={settings} adopt={adopt} />;
}

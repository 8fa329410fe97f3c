import { useEffect, useState } from 'react';
import { mailSettingsForm } from '#models/forms/mail-settings.ts';
import { mailEncryptions, mailTypes, type ShownMail } from '#models/mail-settings.ts';
import { useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';
import { useForm } from '../use-form.ts';
import type { Setting } from './setting-field.tsx';
import { SettingFields, SettingForm, SettingWait, useMayChange } from './setting-form.tsx';
import { TestMail } from './test-mail.tsx';

const type: Setting = { path: 'type', kind: 'choice', words: mailTypes };
const sender: readonly Setting[] = [
  { path: 'from_address', kind: 'line', required: true },
  { path: 'from_name', kind: 'line' },
];
const smtp: readonly Setting[] = [
  { path: 'host', kind: 'line', required: true },
  { path: 'port', kind: 'number', required: true },
  { path: 'encryption', kind: 'choice', words: mailEncryptions },
  { path: 'username', kind: 'line' },
];
const mailgun: readonly Setting[] = [
  { path: 'domain', kind: 'line', required: true },
  { path: 'api_url', kind: 'line', placeholder: 'https://api.mailgun.net' },
];

/** What a kind of mail server asks for. */
function settingsOf(kind: string, secret: Setting): readonly Setting[] {
  if (kind === 'smtp') return [type, ...smtp, secret, ...sender];
  return kind === 'mailgun' ? [type, ...mailgun, secret, ...sender] : [type];
}

function MailForm({ settings, adopt }: { settings: ShownMail; adopt: (settings: ShownMail) => void }) {
  const { t } = useText();
  const form = useForm(mailSettingsForm, settings, (saved, change) => {
    adopt(saved);
    change({ password: '' });
  });
  const mayChange = useMayChange();
  const kind = form.draft.type;
  const secret: Setting = {
    path: 'password',
    kind: 'secret',
    required: kind === 'mailgun' && !settings.has_password,
    ...(settings.has_password && { placeholder: t('areas.project-settings.password_stored') }),
  };
  return (
    <>
      <SettingForm title={t('areas.project-settings.sections.mail')} about={t('areas.project-settings.mail_about')} form={form}>
        <SettingFields block={kind === 'mailgun' ? 'mailgun' : 'mail'} settings={settingsOf(kind, secret)} form={form} />
      </SettingForm>
      {mayChange && <TestMail draft={form.draft} settings={settings} check={form.save} />}
    </>
  );
}

/** The mail server of the project. */
export function MailSection() {
  const { t } = useText();
  const { run, answer, problem } = useRequest('mailSettings');
  const [changed, adopt] = useState<ShownMail | null>(null);
  useEffect(() => run({}), [run]);
  const settings = changed ?? answer;
  if (!settings) return <SettingWait title={t('areas.project-settings.sections.mail')} problem={problem} />;
  return <MailForm settings={settings} adopt={adopt} />;
}

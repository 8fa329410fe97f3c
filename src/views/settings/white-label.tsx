import { useEffect, useState } from 'react';
import { contrast, leastContrast } from '#models/contrast.ts';
import { whiteLabelForm } from '#models/forms/white-label.ts';
import { companyCodes, type ShownWhiteLabel } from '#models/project-settings.ts';
import { Button } from '#src/components/button.tsx';
import { useFileDialog } from '#src/components/file-dialog.tsx';
import { pictureTypes } from '#src/components/picture-file.ts';
import { ProblemNote } from '#src/components/problem-note.tsx';
import { useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';
import { useProfile } from '../profile-of.ts';
import { type FormOf, useForm } from '../use-form.ts';
import type { Setting } from './setting-field.tsx';
import { SettingFields, SettingForm, SettingWait, useMayChange } from './setting-form.tsx';

const texts: readonly Setting[] = [
  { path: 'is_enabled', kind: 'flag' },
  { path: 'name', kind: 'line' },
  { path: 'email', kind: 'line' },
  { path: 'phone', kind: 'line' },
  { path: 'address', kind: 'line' },
];
const colors: readonly Setting[] = [
  { path: 'accent_color', kind: 'color' },
  { path: 'accent_text_color', kind: 'color' },
];

/** The colours as they will look, and whether what is written in them can be read. */
function Look({ draft, logo }: { draft: FormOf<typeof whiteLabelForm>['draft']; logo: string | null }) {
  const { t } = useText();
  const project = useProfile().project.name;
  const ratio = contrast(draft.accent_color, draft.accent_text_color);
  return (
    <figure className="look">
      <div className="look-head" style={{ background: draft.accent_color, color: draft.accent_text_color }}>
        {logo && <img src={logo} alt="" />}
        <strong>{draft.name.trim() || project}</strong>
      </div>
      <figcaption className="quiet small">
        {t('areas.project-settings.contrast', { ratio: (Math.floor(ratio * 10) / 10).toFixed(1) })}{' '}
        {t(`areas.project-settings.contrast_${ratio >= leastContrast ? 'good' : 'bad'}`)}
      </figcaption>
    </figure>
  );
}

function Logo({ settings, adopt }: { settings: ShownWhiteLabel; adopt: (settings: ShownWhiteLabel) => void }) {
  const { t } = useText();
  const upload = useRequest('setWhiteLabelLogo', { done: adopt });
  const removal = useRequest('removeWhiteLabelLogo', { done: adopt });
  const dialog = useFileDialog(pictureTypes, t('areas.project-settings.logo.choose'), (image) => upload.run({ files: { image } }));
  return (
    <section className="card setting-card" aria-labelledby="white-label-logo">
      <header className="card-head">
        <h2 id="white-label-logo">{t('areas.project-settings.logo.title')}</h2>
      </header>
      <div className="setting-body">
        <p className="quiet">{t('areas.project-settings.logo.about')}</p>
        <ProblemNote problem={upload.problem ?? removal.problem} />
        {settings.logo && <img className="look-logo" src={settings.logo} alt={t('areas.project-settings.logo.title')} />}
        {dialog.field}
        <div className="setting-acts">
          <Button
            tone="plain"
            icon="pi-upload"
            label={t(`areas.project-settings.logo.${settings.logo ? 'replace' : 'choose'}`)}
            loading={upload.running}
            onClick={dialog.open}
          />
          {settings.logo && (
            <Button tone="danger-quiet" label={t('areas.project-settings.logo.remove')} loading={removal.running} onClick={() => removal.run({})} />
          )}
        </div>
      </div>
    </section>
  );
}

function WhiteLabelForm({ settings, adopt }: { settings: ShownWhiteLabel; adopt: (settings: ShownWhiteLabel) => void }) {
  const { t } = useText();
  const form = useForm(whiteLabelForm, settings, (saved) => adopt(saved));
  return (
    <SettingForm
      title={t('areas.project-settings.sections.white_label')}
      about={t('areas.project-settings.white_label_about')}
      form={form}
      codes={companyCodes}
    >
      <SettingFields block="white_label" settings={texts} form={form} />
      <SettingFields block="white_label" settings={colors} form={form} />
      <Look draft={form.draft} logo={settings.logo} />
    </SettingForm>
  );
}

/** Whose product it seems to be. */
export function WhiteLabelSection() {
  const { t } = useText();
  const mayChange = useMayChange(companyCodes);
  const { run, answer, problem } = useRequest('whiteLabelSettings');
  const [changed, adopt] = useState<ShownWhiteLabel | null>(null);
  useEffect(() => run({}), [run]);
  const settings = changed ?? answer;
  if (!settings) return <SettingWait title={t('areas.project-settings.sections.white_label')} problem={problem} />;
  return (
    <>
      <WhiteLabelForm settings={settings} adopt={adopt} />
      {mayChange && <Logo settings={settings} adopt={adopt} />}
    </>
  );
}

import { useState } from 'react';
import { remoteSettings, type RemoteSettings as Written } from '#models/device-settings.ts';
import { toIssues } from '#models/issues.ts';
import { Button } from '#src/components/button.tsx';
import { TextArea } from '#src/components/text-input.tsx';
import { sayIssue, useText } from '#src/components/text.ts';

interface RemoteSettingsProps {
  /** As the device answered them. */
  settings: Readonly<Record<string, unknown>>;
  busy: boolean;
  onWrite: (settings: Written) => void;
}

const blocks = Object.keys(remoteSettings.shape) as (keyof Written)[];
const asJson = (value: unknown): string => JSON.stringify(value ?? null, null, 2);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The settings on the device itself, block by block, as it keeps them; written back only as far as they are valid. */
export function RemoteSettings({ settings, busy, onWrite }: RemoteSettingsProps) {
  const words = useText();
  const { t } = words;
  const known = blocks.filter((block) => block in settings);
  const [chosen, setChosen] = useState<keyof Written>();
  const [typed, setTyped] = useState<string>();
  const block = chosen ?? known[0];
  if (!block) return null;
  const stored = asJson(settings[block]);
  const value = typed === undefined ? undefined : parsed(typed);
  const result = typed === undefined ? undefined : remoteSettings.shape[block].safeParse(value);
  const [issue] = result && !result.success ? toIssues(result.error) : [];
  const wrong =
    typed !== undefined && value === undefined ? t('areas.devices.remote.not_json') : issue && `${issue.path.join('.')}: ${sayIssue(words, issue)}`;
  return (
    <section className="card remote-part">
      <h2>{t('areas.devices.remote.settings')}</h2>
      <p className="quiet">{t('areas.devices.remote.settings_note')}</p>
      <div className="row">
        <select
          className="plain-select"
          aria-label={t('areas.devices.remote.block')}
          value={block}
          onChange={(event) => {
            setChosen(event.target.value as keyof Written);
            setTyped(undefined);
          }}
        >
          {known.map((name) => (
            <option key={name} value={name}>
              {t(`areas.devices.fields.device_settings.${name}`)}
            </option>
          ))}
        </select>
      </div>
      <TextArea
        className="remote-json"
        rows={14}
        spellCheck={false}
        aria-label={t(`areas.devices.fields.device_settings.${block}`)}
        value={typed ?? stored}
        invalid={wrong !== undefined}
        onChange={(event) => setTyped(event.target.value)}
      />
      {wrong && <p className="field-issue">{wrong}</p>}
      <div className="row">
        <Button
          label={t('areas.devices.remote.write')}
          loading={busy}
          disabled={typed === undefined || wrong !== undefined || typed === stored}
          onClick={() => {
            if (result?.success) onWrite({ [block]: result.data } as Written);
            setTyped(undefined);
          }}
        />
        <Button tone="plain" label={t('areas.devices.remote.discard')} disabled={typed === undefined} onClick={() => setTyped(undefined)} />
      </div>
    </section>
  );
}

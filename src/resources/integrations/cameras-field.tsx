import type { IntegrationCamera } from '#models/integrations.ts';
import { AddChip } from '#src/components/chips.tsx';
import type { FieldProps } from '#src/components/fields/field-props.ts';
import { TextInput } from '#src/components/text-input.tsx';
import { useText } from '#src/components/text.ts';
import '#src/views/integrations/integrations.css';

/** The cameras of a server, one a line: what it is called, and where its picture is. */
export function CamerasField({ id, value, onChange, readOnly, label, invalid, describedBy }: FieldProps) {
  const { t } = useText();
  const cameras = Array.isArray(value) ? (value as IntegrationCamera[]) : [];
  const put = (at: number, part: Partial<IntegrationCamera>) =>
    onChange(cameras.map((camera, index) => (index === at ? { ...camera, ...part } : camera)));
  if (readOnly)
    return (
      <ul className="lines">
        {cameras.map((camera) => (
          <li key={camera.access_point} className="line">
            <span>{camera.display_name}</span>
            <code>{camera.access_point}</code>
          </li>
        ))}
        {cameras.length === 0 && <li className="field-value-none">{t('list.none')}</li>}
      </ul>
    );
  return (
    <div className="camera-lines" role="group" aria-label={label} aria-describedby={describedBy}>
      {cameras.map((camera, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- a line is known by its place
        <div className="camera-line" key={at}>
          <TextInput
            aria-label={t('areas.integrations.camera.name')}
            placeholder={t('areas.integrations.camera.name')}
            maxLength={64}
            aria-invalid={invalid && camera.display_name.trim() === ''}
            value={camera.display_name}
            onChange={({ target }) => put(at, { display_name: target.value })}
          />
          <TextInput
            aria-label={t('areas.integrations.camera.path')}
            placeholder="/snapshot.jpg"
            maxLength={64}
            aria-invalid={invalid && !camera.access_point.startsWith('/')}
            value={camera.access_point}
            onChange={({ target }) => put(at, { access_point: target.value })}
          />
          <button
            type="button"
            className="icon-button"
            aria-label={t('areas.integrations.camera.remove', { name: camera.display_name || at + 1 })}
            onClick={() => onChange(cameras.filter((_, index) => index !== at))}
          >
            <i className="pi pi-times" aria-hidden="true" />
          </button>
        </div>
      ))}
      <AddChip
        id={id}
        label={t('areas.integrations.camera.add')}
        onClick={() => onChange([...cameras, { display_name: '', access_point: cameras.length === 0 ? '/snapshot.jpg' : '' }])}
      />
    </div>
  );
}

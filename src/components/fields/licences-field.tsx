import { TextInput } from '#src/components/text-input.tsx';
import { useText } from '#src/components/text.ts';
import type { FieldProps } from './field-props.ts';

type Block = Record<string, boolean | number | string | null>;
type Licences = Record<string, Block>;

/** The licensed features, one block a feature: what is switched on, and how many seats (empty: no limit). */
export function LicencesField({ id, path, area, value, onChange, readOnly }: FieldProps) {
  const { t } = useText();
  const licences = (value ?? {}) as Licences;
  const set = (block: string, key: string, next: boolean | string) => onChange({ ...licences, [block]: { ...licences[block], [key]: next } });
  return (
    <div className="field-blocks">
      {Object.entries(licences).map(([block, flags]) => (
        <fieldset key={block} className="field-block">
          <legend>{t(`areas.${area}.fields.${path}.${block}`)}</legend>
          {Object.entries(flags).map(([key, held]) => {
            const inputId = `${id}-${block}-${key}`;
            const label = t(`areas.${area}.fields.${path}.${block}.${key}`);
            if (typeof held === 'boolean') {
              return (
                <label key={key} className="field-flag">
                  <input
                    type="checkbox"
                    className="check"
                    id={inputId}
                    checked={held}
                    disabled={readOnly}
                    onChange={(event) => set(block, key, event.target.checked)}
                  />
                  <span>{label}</span>
                </label>
              );
            }
            return (
              <div key={key} className="field-count" data-area={area} data-path={`${path}.${block}.${key}`}>
                <label htmlFor={inputId}>{label}</label>
                {readOnly ? (
                  <span>{held ?? t('list.licences.unlimited')}</span>
                ) : (
                  <TextInput
                    id={inputId}
                    inputMode="numeric"
                    value={held === null ? '' : String(held)}
                    placeholder={t('list.licences.unlimited')}
                    onChange={(event) => set(block, key, event.target.value)}
                  />
                )}
              </div>
            );
          })}
        </fieldset>
      ))}
    </div>
  );
}

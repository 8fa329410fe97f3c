import { TextInput } from '#src/components/text-input.tsx';
import { useText } from '#src/components/text.ts';
import { allLicensed, type LicenceInfo } from '#models/licence-info.ts';
import type { FieldProps } from './field-props.ts';

type Block = Record<string, boolean | number | string | null>;
type Licences = Record<string, Block>;

interface LicencesFieldProps extends FieldProps {
  /** What may be had at all: a flag that is not among it is marked, a count says how many there are. */
  given?: LicenceInfo | null | undefined;
  /** Counts are only read. */
  countsLocked?: boolean;
}

/** The keys in the order of the contract; the database keeps none. */
const inOrder = <T,>(held: Record<string, T>, order: object): [string, T][] =>
  Object.keys(order).flatMap((key): [string, T][] => (key in held ? [[key, held[key] as T]] : []));

/** The licensed features, one block a feature: what is switched on, and how many seats (empty: no limit). */
export function LicencesField({
  id,
  path,
  area,
  label: name,
  value,
  onChange,
  readOnly,
  describedBy,
  given,
  countsLocked = false,
}: LicencesFieldProps) {
  const { t } = useText();
  const licences = (value ?? {}) as Licences;
  const set = (block: string, key: string, next: boolean | string) => onChange({ ...licences, [block]: { ...licences[block], [key]: next } });
  return (
    <div className="field-blocks" role="group" aria-label={name} aria-describedby={describedBy}>
      {inOrder(licences, allLicensed).map(([block, flags]) => (
        <fieldset key={block} className="field-block">
          <legend>{t(`areas.${area}.fields.${path}.${block}`)}</legend>
          {inOrder(flags, allLicensed[block as keyof LicenceInfo]).map(([key, held]) => {
            const inputId = `${id}-${block}-${key}`;
            const label = t(`areas.${area}.fields.${path}.${block}.${key}`);
            const offered = (given as Licences | null | undefined)?.[block]?.[key];
            const lacking = offered === false;
            if (typeof held === 'boolean') {
              return (
                <label key={key} className="field-flag">
                  <input
                    type="checkbox"
                    className="check"
                    id={inputId}
                    checked={held}
                    disabled={readOnly || (lacking && !held)}
                    onChange={(event) => set(block, key, event.target.checked)}
                  />
                  <span>
                    {label}
                    {lacking && <span className="cell-sub">{t('list.licences.not_given')}</span>}
                  </span>
                </label>
              );
            }
            return (
              <div key={key} className="field-count" data-area={area} data-path={`${path}.${block}.${key}`}>
                <label htmlFor={inputId}>{label}</label>
                {readOnly || countsLocked ? (
                  <span>{held ?? t('list.licences.unlimited')}</span>
                ) : (
                  <TextInput
                    id={inputId}
                    inputMode="numeric"
                    value={held === null ? '' : String(held)}
                    placeholder={typeof offered === 'number' ? t('list.licences.up_to', { count: offered }) : t('list.licences.unlimited')}
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

import { identifierTypes } from '#models/device-events.ts';
import { isGenerated } from '#models/identifier-value.ts';
import type { FieldProps } from '#src/components/fields/field-props.ts';
import { useText } from '#src/components/text.ts';

/** The types one can make; a ukey2 is issued, in its own list. */
const made = identifierTypes.filter((type) => type !== 'ukey2');

/** The type of a new identifier, and what becomes of its value. */
export function TypeField({ id, path, value, onChange, invalid, describedBy }: FieldProps) {
  const { t } = useText();
  const noteId = `${id}-note`;
  return (
    <>
      <select
        id={id}
        name={path}
        className="plain-select"
        value={String(value)}
        aria-invalid={invalid}
        aria-describedby={[describedBy, isGenerated(value) && noteId].filter(Boolean).join(' ') || undefined}
        onChange={({ target }) => onChange(target.value)}
      >
        {made.map((type) => (
          <option key={type} value={type}>
            {t(`areas.identifiers.options.type.${type}`)}
          </option>
        ))}
      </select>
      {isGenerated(value) && (
        <p id={noteId} className="field-hint">
          {t(`areas.identifiers.made.${String(value)}`)}
        </p>
      )}
    </>
  );
}

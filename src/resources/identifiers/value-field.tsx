import { useId, useState } from 'react';
import { type IdentifierFormat, isGenerated, isNumbered, shownNumber, storedNumber } from '#models/identifier-value.ts';
import { identifierFormats } from '#models/constants.ts';
import type { FieldProps } from '#src/components/fields/field-props.ts';
import { TextInput } from '#src/components/text-input.tsx';
import { useText } from '#src/components/text.ts';
import { useProfile } from '#src/views/profile-of.ts';
import './identifiers.css';

/** In which notation numbers are typed here; one's own, unless one turns it. */
function Notation({ format, onChange }: { format: IdentifierFormat; onChange: (format: IdentifierFormat) => void }) {
  const { t } = useText();
  const name = useId();
  return (
    <span className="notation" role="radiogroup" aria-label={t('areas.identifiers.notation.choose')}>
      {identifierFormats.map((one) => (
        <label key={one} data-on={one === format}>
          <input type="radio" className="unseen" name={name} checked={one === format} onChange={() => onChange(one)} />
          {t(`areas.identifiers.notation.${one}`)}
        </label>
      ))}
    </span>
  );
}

/** The number of a card or key: typed in either notation, kept in one, the other shown below. */
function NumberField({ id, path, value, onChange, invalid, describedBy, required }: FieldProps) {
  const { t } = useText();
  const own = useProfile().profile.identifier_format;
  const [format, setFormat] = useState<IdentifierFormat>(own);
  const [typed, setTyped] = useState<string>();
  const stored = typeof value === 'string' ? value : '';
  const storedHex = storedNumber(stored, 'hex');
  // What a reader told meanwhile takes the place of what was typed.
  const ownText = typed !== undefined && (storedNumber(typed, format) ?? typed) === stored ? typed : undefined;
  const other = format === 'dec' ? 'hex' : 'dec';
  return (
    <>
      <span className="number-line">
        <TextInput
          id={id}
          name={path}
          className="identifier-value"
          autoComplete="off"
          spellCheck={false}
          maxLength={64}
          invalid={invalid}
          aria-describedby={[describedBy, storedHex && `${id}-other`].filter(Boolean).join(' ') || undefined}
          aria-required={required}
          value={ownText ?? (storedHex ? shownNumber(storedHex, format) : stored)}
          onChange={({ target }) => {
            setTyped(target.value);
            onChange(storedNumber(target.value, format) ?? target.value);
          }}
          onBlur={() => storedHex && setTyped(undefined)}
        />
        <Notation
          format={format}
          onChange={(next) => {
            setTyped(undefined);
            setFormat(next);
          }}
        />
      </span>
      {storedHex && (
        <p id={`${id}-other`} className="field-hint identifier-value">
          {t(`areas.identifiers.notation.${other}`)} {shownNumber(storedHex, other)}
        </p>
      )}
    </>
  );
}

/** What is presented at a reader: typed by the rules of the type, or made by the server and only read. */
export function ValueField(props: FieldProps) {
  const { id, path, value, onChange, readOnly, draft, invalid, describedBy, required } = props;
  const { t } = useText();
  const { type } = draft;
  const text = typeof value === 'string' ? value : '';
  const own = useProfile().profile.identifier_format;
  if (isGenerated(type) || readOnly) {
    const shown = isNumbered(type) ? shownNumber(text, own) : text;
    return <p className="field-value identifier-value">{shown || t('areas.identifiers.generated')}</p>;
  }
  // Another type is another field: what was typed for the last one does not stay.
  if (isNumbered(type)) return <NumberField {...props} key={String(type)} />;
  return (
    <TextInput
      id={id}
      name={path}
      className="identifier-value"
      autoComplete="off"
      spellCheck={false}
      maxLength={64}
      inputMode={type === 'access_code' ? 'numeric' : 'text'}
      invalid={invalid}
      aria-describedby={describedBy}
      aria-required={required}
      value={text}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

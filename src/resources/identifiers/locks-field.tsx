import type { FieldProps } from '#src/components/fields/field-props.ts';
import { useText } from '#src/components/text.ts';
import './identifiers.css';

/** Which locks of a device are opened, as buttons; none pressed is all of them. */
export function LocksField({ id, value, onChange, meta, label, readOnly, describedBy }: FieldProps) {
  const { t } = useText();
  const chosen = Array.isArray(value) ? value.map(Number) : [];
  if (readOnly) return <p className="field-value">{chosen.length > 0 ? chosen.join(', ') : t('areas.identifiers.all_locks')}</p>;
  const turn = (lock: number) =>
    onChange(chosen.includes(lock) ? chosen.filter((other) => other !== lock) : [...chosen, lock].toSorted((one, other) => one - other));
  return (
    <div className="locks" role="group" aria-label={label} aria-describedby={describedBy}>
      {Array.from({ length: meta.max ?? 0 }, (_, index) => index + 1).map((lock, index) => (
        <button
          key={lock}
          type="button"
          {...(index === 0 && { id })}
          className="chip chip-add lock"
          aria-pressed={chosen.includes(lock)}
          aria-label={t('areas.identifiers.lock', { number: lock })}
          onClick={() => turn(lock)}
        >
          {lock}
        </button>
      ))}
    </div>
  );
}

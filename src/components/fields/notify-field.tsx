import { useEffect } from 'react';
import { AddChip } from '#src/components/chips.tsx';
import { useText } from '#src/components/text.ts';
import type { Chosen, FieldProps } from './field-props.ts';

interface Notified {
  user: Chosen;
  device_offline: boolean;
  device_task_failed: boolean;
}
const kinds = ['device_offline', 'device_task_failed'] as const;

/** A person as the sheet hands them back: with the boxes they had; somebody new is told of everything. */
type Picked = Chosen & Partial<Omit<Notified, 'user'>>;
const asPicked = ({ user, ...boxes }: Notified): Picked => ({ ...user, ...boxes });

/** One line of the table, whether it was there before or has just come from the sheet. */
export const asNotified = (entry: Notified | Picked): Notified =>
  'user' in entry
    ? entry
    : {
        user: { id: entry.id, name: entry.name },
        device_offline: entry.device_offline ?? true,
        device_task_failed: entry.device_task_failed ?? true,
      };

/** Who is told when a device falls silent or a task fails; one line a person. */
export function NotifyField({ id, path, area, value, onChange, readOnly, pick, label, describedBy }: FieldProps) {
  const { t } = useText();
  const given = Array.isArray(value) ? (value as (Notified | Picked)[]) : [];
  const entries = given.map(asNotified);
  const fresh = given.some((entry) => !('user' in entry));
  // The sheet hands back people; the draft holds lines, so that it can be checked and sent.
  useEffect(() => {
    if (fresh) onChange(entries);
    // oxlint-disable-next-line react/exhaustive-deps -- once for what the sheet has handed back
  }, [fresh]);
  const set = (at: number, part: Partial<Notified>) => onChange(entries.map((entry, index) => (index === at ? { ...entry, ...part } : entry)));
  return (
    <div>
      {entries.length > 0 && (
        <table className="notify" aria-label={label} aria-describedby={describedBy}>
          <thead>
            <tr>
              <th scope="col">{t(`areas.${area}.fields.${path}.user`)}</th>
              {kinds.map((kind) => (
                <th key={kind} scope="col">
                  {t(`areas.${area}.fields.${path}.${kind}`)}
                </th>
              ))}
              {!readOnly && <th aria-hidden="true" />}
            </tr>
          </thead>
          <tbody>
            {entries.map((entry, at) => (
              <tr key={entry.user.id}>
                <td>{entry.user.name}</td>
                {kinds.map((kind) => (
                  <td key={kind}>
                    <label className="box-area">
                      <input
                        type="checkbox"
                        className="check"
                        checked={entry[kind]}
                        disabled={readOnly}
                        aria-label={`${entry.user.name}: ${t(`areas.${area}.fields.${path}.${kind}`)}`}
                        onChange={(event) => set(at, { [kind]: event.target.checked })}
                      />
                    </label>
                  </td>
                ))}
                {!readOnly && (
                  <td className="cell-menu">
                    <button
                      type="button"
                      className="icon-button"
                      aria-label={t('list.fields.remove', { name: entry.user.name })}
                      onClick={() => onChange(entries.filter((_, index) => index !== at))}
                    >
                      <i className="pi pi-times" aria-hidden="true" />
                    </button>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {readOnly && entries.length === 0 && <span className="field-value-none">{t('list.none')}</span>}
      {!readOnly && (
        <AddChip
          id={id}
          label={t('list.notify.add')}
          onClick={() => pick?.({ area: area === 'groups' ? 'users' : area, multiple: true, path, chosen: entries.map(asPicked) })}
        />
      )}
    </div>
  );
}

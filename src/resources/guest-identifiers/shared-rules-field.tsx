import type { FieldProps } from '#src/components/fields/field-props.ts';
import { Failure } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { useReading } from '#src/views/area/use-reading.ts';
import './guests.css';

const idOf = (item: unknown): string => (item !== null && typeof item === 'object' && 'id' in item ? String(item.id) : String(item));
/** The group the guest visits, as the draft holds it. */
export const groupIn = (draft: Record<string, unknown>): string | undefined => (draft['domain'] ? idOf(draft['domain']) : undefined);

/** Which of the rules that one may share the guest is given, with the doors that each opens. */
export function SharedRulesField({ id, value, onChange, label, describedBy, draft }: FieldProps) {
  const { t } = useText();
  const chosen = Array.isArray(value) ? value.map(idOf) : [];
  const domain = groupIn(draft);
  const { answer, problem, reload } = useReading('availableAccessRules', domain ? { query: { domain } } : {});
  if (problem) return <Failure problem={problem} onRetry={reload} />;
  if (!answer) return <SkeletonLines label={t('list.loading')} />;
  // What was given before and is not one's own to give stays.
  const others = (Array.isArray(value) ? value : []).filter((item) => !answer.some((rule) => rule.id === idOf(item)));
  const rules = [...answer, ...others.map((item) => ({ id: idOf(item), name: (item as { name?: string }).name ?? '…', devices: [] }))];
  if (rules.length === 0) return <p className="quiet">{t('areas.guest-identifiers.no_rules')}</p>;
  const turn = (rule: string, on: boolean) => onChange(on ? [...chosen, rule] : chosen.filter((other) => other !== rule));
  return (
    <fieldset className="shared-rules" aria-label={label} aria-describedby={describedBy}>
      {rules.map((rule, index) => (
        <label key={rule.id} className="shared-rule">
          <input
            type="checkbox"
            className="check"
            {...(index === 0 && { id })}
            checked={chosen.includes(rule.id)}
            onChange={({ target }) => turn(rule.id, target.checked)}
          />
          <span>
            {rule.name}
            <span className="cell-sub">{rule.devices.join(', ')}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

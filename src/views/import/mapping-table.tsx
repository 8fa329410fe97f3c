import type { ImportColumn } from '#models/import-columns.ts';
import type { ImportArea, ImportAttempt } from '#models/import.ts';
import { importColumns } from '#models/import-columns.ts';
import type { importPlanForm } from '#models/forms/import-plan.ts';
import type { Issue } from '#models/issues.ts';
import { sayIssue, useText } from '#src/components/text.ts';
import { type FormOf, issueOf } from '#src/views/use-form.ts';

type Plan = FormOf<typeof importPlanForm>;
interface MappingProps {
  area: ImportArea;
  attempt: ImportAttempt;
  draft: Plan['draft'];
  issues: readonly Issue[];
  onChange: Plan['change'];
}

/** What a field is in all rows. */
function Constant({ area, column, value, onChange }: { area: string; column: ImportColumn; value: string; onChange: (value: string) => void }) {
  const { t } = useText();
  const { field, options = [] } = column;
  return (
    <select className="plain-select" aria-label={t('list.import.same_for_all')} value={value} onChange={(event) => onChange(event.target.value)}>
      {options.map((option) => (
        <option key={option} value={option}>
          {t(`areas.${area}.options.${field}.${option}`)}
        </option>
      ))}
    </select>
  );
}

/** One field: the column it is read from, and what that holds. */
function FieldRow({ area, column, attempt, draft, issues, onChange }: MappingProps & { column: ImportColumn }) {
  const words = useText();
  const { t } = words;
  const { field, required, constant } = column;
  const at = draft.mapping[field] ?? null;
  const name = t(`areas.${area}.fields.${field}`);
  const issue = issueOf(issues, field);
  const samples = at === null ? [] : (attempt.columns[at]?.samples ?? []);
  return (
    <tr>
      <th scope="row">
        {name}
        {required && (
          <span className="field-required" aria-hidden="true">
            *
          </span>
        )}
      </th>
      <td>
        <select
          className="plain-select"
          aria-label={name}
          aria-invalid={issue !== undefined}
          value={at === null ? '' : String(at)}
          onChange={({ target }) => onChange({ mapping: { ...draft.mapping, [field]: target.value === '' ? null : Number(target.value) } })}
        >
          <option value="">{t(constant ? 'list.import.same_for_all' : 'list.import.unused')}</option>
          {attempt.columns.map(({ heading }, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- columns of a file have no other name that is theirs alone
            <option key={index} value={index}>
              {heading || t('list.import.unnamed', { number: index + 1 })}
            </option>
          ))}
        </select>
        {issue && <p className="field-issue">{sayIssue(words, issue)}</p>}
      </td>
      <td className="import-sample">
        {constant && at === null ? (
          <Constant
            area={area}
            column={column}
            value={draft.constants[field] ?? ''}
            onChange={(value) => onChange({ constants: { ...draft.constants, [field]: value } })}
          />
        ) : (
          samples.join(' · ')
        )}
      </td>
    </tr>
  );
}

/** Which column of the file holds what, as it was guessed and as the person changes it. */
export function MappingTable(props: MappingProps) {
  const { t } = useText();
  return (
    <>
      <div className="import-scroll">
        <table className="import-table import-mapping">
          <caption className="unseen">{t('list.import.mapping')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('list.import.field')}</th>
              <th scope="col">{t('list.import.column')}</th>
              <th scope="col">{t('list.import.sample')}</th>
            </tr>
          </thead>
          <tbody>
            {importColumns[props.area].map((column) => (
              <FieldRow key={column.field} {...props} column={column} />
            ))}
          </tbody>
        </table>
      </div>
      <p className="field-hint">{t('list.import.empty_cells')}</p>
    </>
  );
}

import { useId } from 'react';
import { type ImportAction, importActions, type ImportCounts, type ImportIssue, type ImportResult } from '#models/import.ts';
import { Button } from '#src/components/button.tsx';
import { sayIssue, useText } from '#src/components/text.ts';

const shownIssues = 50;

/** The first things that are wrong, by row and column. */
function IssueTable({ issues }: { issues: readonly ImportIssue[] }) {
  const words = useText();
  const { t } = words;
  const shown = issues.slice(0, shownIssues);
  return (
    <>
      <div className="import-scroll import-issues">
        <table className="import-table">
          <caption className="unseen">{t('list.import.counts.bad')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('list.import.row')}</th>
              <th scope="col">{t('list.import.column')}</th>
              <th scope="col">{t('list.import.problem')}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((issue) => (
              <tr key={`${issue.row} ${issue.field} ${issue.rule} ${JSON.stringify(issue.params)}`}>
                <td className="import-number">{issue.row}</td>
                <td>{issue.column ?? '–'}</td>
                <td>{sayIssue(words, issue)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {issues.length > shown.length && <p className="field-hint">{t('list.import.first_issues', { count: shown.length })}</p>}
    </>
  );
}

/** What becomes of rows that exist already and differ. */
function Duplicates({ count, action, onAction }: { count: number; action: ImportAction; onAction: (action: ImportAction) => void }) {
  const { t } = useText();
  const name = useId();
  return (
    <fieldset className="field-block import-duplicates">
      <legend>{t('list.import.duplicates', { count })}</legend>
      {importActions.map((option) => (
        <label key={option} className="field-flag">
          <input type="radio" className="check" name={name} checked={action === option} onChange={() => onAction(option)} />
          <span>{t(`list.import.actions.${option}`)}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** Why there is nothing to import. */
function nothingToDo({ same, bad }: ImportCounts): string {
  if (bad === 0) return 'list.import.nothing';
  return same > 0 ? 'list.import.nothing_besides' : 'list.import.nothing_good';
}

interface CheckResultProps {
  result: ImportResult;
  /** Fetches the bad rows; null where there are none. */
  onFetch: (() => void) | null;
  action: ImportAction;
  onAction: (action: ImportAction) => void;
}

/** What an import would do: how many rows are new, the same, different and wrong; the wrong ones by name, and to be fetched. */
export function CheckResult({ result, onFetch, action, onAction }: CheckResultProps) {
  const { t } = useText();
  const { counts, issues } = result;
  return (
    <div className="stack">
      <dl className="import-counts">
        {(['new', 'changed', 'same', 'bad'] as const).map((kind) => (
          <div key={kind} data-kind={kind} data-none={counts[kind] === 0}>
            <dt>{t(`list.import.counts.${kind}`)}</dt>
            <dd>{counts[kind]}</dd>
          </div>
        ))}
      </dl>
      <p className="quiet">{counts.new + counts.changed > 0 ? t('list.import.checked') : t(nothingToDo(counts))}</p>
      {counts.changed > 0 && <Duplicates count={counts.changed} action={action} onAction={onAction} />}
      {issues.length > 0 && <IssueTable issues={issues} />}
      {onFetch && (
        <div className="import-fetch">
          <Button tone="plain" small icon="pi-download" label={t('list.import.bad_rows')} onClick={onFetch} />
          <p className="field-hint">{t('list.import.bad_rows_hint')}</p>
        </div>
      )}
    </div>
  );
}

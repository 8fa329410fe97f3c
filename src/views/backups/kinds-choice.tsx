import { type BackupKind, backupKinds } from '#models/backups.ts';
import type { Issue } from '#models/issues.ts';
import { sayIssue, useText } from '#src/components/text.ts';

interface KindsChoiceProps {
  chosen: readonly BackupKind[];
  issue: Issue | undefined;
  onChange: (chosen: readonly BackupKind[]) => void;
}

/** What a backup holds: everything, or some kinds of entities. */
export function KindsChoice({ chosen, issue, onChange }: KindsChoiceProps) {
  const words = useText();
  const { t } = words;
  const all = chosen.length === backupKinds.length;
  const flag = (label: string, checked: boolean, change: (on: boolean) => void, hint?: string) => (
    <label className="field-flag" key={label}>
      <input type="checkbox" className="check" checked={checked} onChange={({ target }) => change(target.checked)} />
      <span>
        {label}
        {hint && <span className="backup-kind-hint quiet small">{hint}</span>}
      </span>
    </label>
  );
  return (
    <fieldset className="backup-kinds">
      <legend>{t('areas.backups.fields.entities')}</legend>
      {flag(t('areas.backups.everything'), all, (on) => onChange(on ? backupKinds : []))}
      <div className="backup-kinds-list">
        {backupKinds.map((kind) =>
          flag(
            t(`areas.backups.kinds.${kind}.title`),
            chosen.includes(kind),
            (on) => onChange(on ? [...chosen, kind] : chosen.filter((other) => other !== kind)),
            t(`areas.backups.kinds.${kind}.about`),
          ),
        )}
      </div>
      {issue && (
        <p className="field-issue" role="alert">
          {sayIssue(words, issue)}
        </p>
      )}
    </fieldset>
  );
}

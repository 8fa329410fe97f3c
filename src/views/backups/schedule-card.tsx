import type { BackupOverview } from '#models/backups.ts';
import { backupScheduleForm } from '#models/forms/backup.ts';
import { Button } from '#src/components/button.tsx';
import { LineField } from '#src/components/fields/line-field.tsx';
import { ProblemNote } from '#src/components/problem-note.tsx';
import { useText } from '#src/components/text.ts';
import { issueOf, useForm } from '../use-form.ts';
import { useSubmit } from '../use-submit.ts';
import { KindsChoice } from './kinds-choice.tsx';

const zoneText = ({ hours, name }: BackupOverview['zone']): string => name ?? `UTC${hours < 0 ? '−' : '+'}${Math.abs(hours)}`;

/** When backups are made by themselves, and how many of these are kept. */
export function ScheduleCard({ overview, adopt }: { overview: BackupOverview; adopt: (overview: BackupOverview) => void }) {
  const { t } = useText();
  const { draft, issues, problem, running, changed, change, save } = useForm(backupScheduleForm, overview.schedule, adopt);
  const submit = useSubmit({ issues, running, save });
  const line = (field: 'hour' | 'keep') => (
    <LineField
      field={field}
      label={t(`areas.backups.schedule.${field}`)}
      hint={t(`areas.backups.schedule.${field}_hint`, { zone: zoneText(overview.zone) })}
      value={draft[field]}
      issue={issueOf(issues, field)}
      required
      inputMode="numeric"
      onChange={(value) => change({ [field]: value })}
    />
  );
  return (
    <section className="card" aria-labelledby="backup-schedule">
      <header className="card-head">
        <h2 id="backup-schedule">{t('areas.backups.schedule.title')}</h2>
      </header>
      <form className="card-body stack" {...submit}>
        <label className="field-flag">
          <input type="checkbox" className="check" checked={draft.is_active} onChange={({ target }) => change({ is_active: target.checked })} />
          <span>{t('areas.backups.schedule.is_active')}</span>
        </label>
        {draft.is_active && (
          <>
            <div className="backup-times">
              {line('hour')}
              {line('keep')}
            </div>
            <KindsChoice chosen={draft.entities} issue={issueOf(issues, 'entities')} onChange={(entities) => change({ entities })} />
          </>
        )}
        <ProblemNote problem={problem} />
        <div className="row">
          <Button tone="plain" label={t('areas.backups.schedule.save')} loading={running} disabled={!changed} type="submit" />
        </div>
      </form>
    </section>
  );
}

import { hasPermission } from '#models/permissions.ts';
import { Button } from '#src/components/button.tsx';
import { Failure } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { NoAccess } from '../area/no-access.tsx';
import { actorOf, useProfile } from '../profile-of.ts';
import { usePageTitle } from '../shell/page-title.ts';
import { ByPeriod } from './by-period.tsx';
import { ReportTools } from './report-tools.tsx';
import { UsedNow } from './used-now.tsx';
import { useReport } from './use-report.ts';
import './reports.css';

function Report() {
  const { t } = useText();
  const { address, used: now, period, file, change } = useReport();
  const [used, report] = [now.last, period.last];
  const download = (format: 'csv' | 'xlsx') => (
    <Button
      tone="plain"
      small
      icon="pi-download"
      label={t(`areas.reports.download.${format}`)}
      disabled={file.running || !report || report.points.length === 0}
      onClick={() => file.run({ body: { ...address, format } })}
    />
  );
  return (
    <div className="report-page">
      <ReportTools address={address} group={(report ?? used)?.group?.name ?? null} onChange={change} />
      {now.problem && <Failure problem={now.problem} onRetry={now.reload} />}
      {!now.problem && (used ? <UsedNow used={used} /> : <SkeletonLines lines={4} label={t('interface.loading')} />)}
      {!now.problem && (
        <section className="card" aria-labelledby="report-period">
          <header className="card-head report-head">
            <h2 id="report-period" className="grow">
              {t('areas.reports.by_period')}
            </h2>
            {download('csv')}
            {download('xlsx')}
          </header>
          <div className="card-body">
            {file.problem && <Failure problem={file.problem} onRetry={file.reset} />}
            {period.problem && <Failure problem={period.problem} onRetry={period.reload} />}
            {!period.problem &&
              (report ? (
                <ByPeriod report={report} step={address.step} busy={period.running} />
              ) : (
                <SkeletonLines lines={8} label={t('interface.loading')} />
              ))}
          </div>
        </section>
      )}
    </div>
  );
}

/** How many seats of the licences are and were in use. */
export function LicenceReportPage() {
  const { t } = useText();
  const actor = actorOf(useProfile());
  usePageTitle(t('interface.menu.reports-licenses'));
  return hasPermission(actor, 'can_view_licenses_used_report') ? <Report /> : <NoAccess />;
}

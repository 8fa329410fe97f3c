import { useState } from 'react';
import { hasPermission } from '#models/permissions.ts';
import type { LicenceOverview } from '#models/licences.ts';
import { Button } from '#src/components/button.tsx';
import { ConsistencyPanel } from '#src/components/consistency.tsx';
import { EmptyState } from '#src/components/empty-state.tsx';
import { Failure } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { NoAccess } from '../area/no-access.tsx';
import { actorOf, useProfile } from '../profile-of.ts';
import { usePageTitle } from '../shell/page-title.ts';
import { AddLicence } from './add-licence.tsx';
import { BasicSettings } from './basic-settings.tsx';
import { Features } from './features.tsx';
import { InstanceId } from './instance-id.tsx';
import { LicenceLine } from './licence-line.tsx';
import { SeatCounts } from './seat-counts.tsx';
import { TypesDialog } from './types-dialog.tsx';
import { type Licences, useLicences } from './use-overview.ts';
import './licences.css';

function LicenceList({ licences, overview, mayManage }: { licences: Licences; overview: LicenceOverview; mayManage: boolean }) {
  const { t } = useText();
  const [explained, setExplained] = useState(false);
  return (
    <section className="card" aria-labelledby="licences-title">
      <header className="card-head">
        <h2 id="licences-title" className="grow">
          {t('areas.licenses.list')}
        </h2>
        <Button tone="quiet" small icon="pi-question-circle" label={t('areas.licenses.types_info')} onClick={() => setExplained(true)} />
      </header>
      {overview.licenses.length === 0 ? (
        <EmptyState icon="pi-verified" text={t(overview.is_required ? 'areas.licenses.none' : 'areas.licenses.not_required')} />
      ) : (
        <ul className="licence-list">
          {overview.licenses.map((licence) => (
            <LicenceLine key={licence.id} licence={licence} licences={licences} mayManage={mayManage} />
          ))}
        </ul>
      )}
      {explained && <TypesDialog onClose={() => setExplained(false)} />}
    </section>
  );
}

function Inconsistent({ overview: { consistency } }: { overview: LicenceOverview }) {
  const { t } = useText();
  if (consistency.length === 0) return null;
  return (
    <section className="card licence-conflicts" role="status" aria-labelledby="conflicts-title">
      <i className="pi pi-exclamation-triangle" aria-hidden="true" />
      <div>
        <h2 id="conflicts-title">{t('areas.licenses.conflicts')}</h2>
        <ConsistencyPanel items={consistency} />
      </div>
    </section>
  );
}

/** The licences of the project: what there is, what it gives, who holds seats, and how to add more. */
export function LicencesPage() {
  const { t } = useText();
  const mayManage = hasPermission(actorOf(useProfile()), 'can_manage_licenses');
  const licences = useLicences();
  const { overview, problem, load } = licences;
  usePageTitle(t('interface.menu.licenses'));
  if (problem?.code === 'forbidden') return <NoAccess />;
  if (problem)
    return (
      <div className="card">
        <Failure problem={problem} onRetry={load} />
      </div>
    );
  if (!overview) return <SkeletonLines lines={8} label={t('interface.loading')} />;
  return (
    <div className="licences-page">
      <div className="stack">
        <Inconsistent overview={overview} />
        <LicenceList licences={licences} overview={overview} mayManage={mayManage} />
        <Features features={overview.features} />
      </div>
      <div className="licences-side">
        {mayManage && <AddLicence licences={licences} hasCloud={overview.has_cloud} />}
        <SeatCounts seats={overview.seats} />
        <InstanceId id={overview.instance_id} />
        {mayManage && <BasicSettings key={JSON.stringify(overview.settings)} licences={licences} settings={overview.settings} />}
      </div>
    </div>
  );
}

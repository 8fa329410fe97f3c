import { useSelector } from '@xstate/react';
import { useState } from 'react';
import type { AddressRange } from '#models/forms/address-range.ts';
import { may } from '#models/permissions.ts';
import { Button } from '#src/components/button.tsx';
import { EmptyState } from '#src/components/empty-state.tsx';
import { useProblemText, useText } from '#src/components/text.ts';
import { NoAccess } from '../area/no-access.tsx';
import { actorOf, useProfile } from '../profile-of.ts';
import { usePageTitle } from '../shell/page-title.ts';
import { useServices } from '../system.ts';
import { useDeviceSearch } from '../view-child.ts';
import { FoundDevices } from './found-devices.tsx';
import { RangeDialog } from './range-dialog.tsx';
import '#src/components/controls.css';
import '../area/area.css';
import './devices.css';

/** Looking for devices in the network: a range, live progress, and putting what was found into the project. */
export function SearchPage() {
  const { t } = useText();
  const sayProblem = useProblemText();
  const profile = useProfile();
  const { freshId } = useServices();
  const actor = useDeviceSearch();
  const search = useSelector(actor, (snapshot) => snapshot?.context.search ?? null);
  const problem = useSelector(actor, (snapshot) => snapshot?.context.problem ?? null);
  const running = useSelector(actor, (snapshot) => snapshot?.hasTag('running') ?? false);
  const [range, setRange] = useState<AddressRange>({ start_ip: '', end_ip: '' });
  const [asking, setAsking] = useState(false);
  usePageTitle(t('areas.devices.search.title'));
  if (!may(actorOf(profile), 'create', 'devices')) return <NoAccess />;
  const start = (wanted: AddressRange) => {
    setRange(wanted);
    setAsking(false);
    actor?.send({ type: 'search.start', ...wanted, request_id: freshId() });
  };
  return (
    <div className="area-list device-search">
      <div className="list-tools">
        <p className="quiet search-lead">
          {search ? t('areas.devices.search.range', { from: range.start_ip, to: range.end_ip }) : t('areas.devices.search.lead')}
        </p>
        <div className="list-does">
          {running && <Button tone="plain" label={t('areas.devices.search.stop')} onClick={() => actor?.send({ type: 'search.cancel' })} />}
          {(search || running) && (
            <Button
              className="tool-main"
              icon="pi-search"
              label={t('areas.devices.search.again')}
              disabled={running}
              onClick={() => setAsking(true)}
            />
          )}
        </div>
      </div>
      {problem && (
        <div className="notice notice-bad" role="alert">
          <i className="pi pi-exclamation-circle" aria-hidden="true" />
          <span>{sayProblem(problem)}</span>
        </div>
      )}
      <section className="card area-card">
        {!search && !running && (
          <EmptyState icon="pi-search" text={t('areas.devices.search.nothing_yet')}>
            <Button label={t('areas.devices.search.start')} onClick={() => setAsking(true)} />
          </EmptyState>
        )}
        {(search || running) && (
          <div className="search-progress">
            <progress max={Math.max(1, search?.total ?? 1)} value={search?.done ?? 0} aria-label={t('areas.devices.search.progress')} />
            <span role="status">
              {t(`areas.devices.search.states.${running ? 'running' : (search?.state ?? 'running')}`, {
                done: search?.done ?? 0,
                total: search?.total ?? 0,
              })}
              {search && ` · ${t('areas.devices.search.found', { count: search.found.length })}`}
            </span>
          </div>
        )}
        {search && <FoundDevices search={search} running={running} />}
      </section>
      {asking && <RangeDialog range={range} onStart={start} onClose={() => setAsking(false)} />}
    </div>
  );
}

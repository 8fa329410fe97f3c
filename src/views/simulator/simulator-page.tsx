import { type ReactNode, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { Problem } from '#models/problem.ts';
import { EmptyState } from '#src/components/empty-state.tsx';
import { Failure } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { NoAccess } from '../area/no-access.tsx';
import { NotFound } from '../session/not-found.tsx';
import { usePageTitle } from '../shell/page-title.ts';
import { CallsCard } from './calls-card.tsx';
import { ChannelCard } from './channel-card.tsx';
import { DeviceList } from './device-list.tsx';
import { DeviceStage } from './device-stage.tsx';
import { LicenceCard } from './licence-card.tsx';
import { MobileKeyCard } from './mobile-key-card.tsx';
import { ScenariosCard } from './scenarios-card.tsx';
import { useSimulator } from './use-simulator.ts';
import './simulator.css';

function Simulator({
  state,
  adopt,
}: Pick<ReturnType<typeof useSimulator>, 'adopt'> & { state: NonNullable<ReturnType<typeof useSimulator>['state']> }) {
  const { t } = useText();
  const [address, setAddress] = useSearchParams();
  const [sought, seek] = useState('');
  const wanted = address.get('device');
  const { devices } = state;
  const device =
    devices.find(({ id }) => id === wanted) ?? devices.find(({ type, identifiers }) => type === 'panel' && identifiers > 0) ?? devices[0];
  const choose = (id: string): void => setAddress({ device: id }, { replace: true });
  return (
    <div className="simulator">
      <p className="quiet simulator-lead">{t('simulator.lead')}</p>
      <div className="simulator-columns">
        <DeviceList devices={devices} chosen={device?.id ?? null} sought={sought} onSeek={seek} onChoose={choose} />
        <div className="simulator-stage">
          {device ? (
            <DeviceStage key={device.id} device={device} adopt={adopt} />
          ) : (
            <div className="card">
              <EmptyState icon="pi-tablet" text={t('simulator.no_devices')} />
            </div>
          )}
        </div>
        <div className="simulator-side">
          <ScenariosCard run={state.run} adopt={adopt} onChoose={choose} />
          <CallsCard calls={state.calls} />
          <MobileKeyCard />
          <ChannelCard state={state.channel} adopt={adopt} />
          <LicenceCard state={state.cloud} adopt={adopt} />
        </div>
      </div>
    </div>
  );
}

function Refused({ problem, reload }: { problem: Problem; reload: () => void }) {
  return (
    <div className="card">
      <Failure problem={problem} onRetry={reload} />
    </div>
  );
}

function Titled({ children }: { children: ReactNode }) {
  usePageTitle(useText().t('simulator.title'));
  return children;
}

/** Where anybody may stage a scene in the demo's building: at one device, or a whole script. Without the demo there is no such page. */
export function SimulatorPage() {
  const { t } = useText();
  const { state, problem, adopt, reload } = useSimulator();
  if (!state && problem?.code === 'not_found') return <NotFound />;
  return (
    <Titled>
      {state ? (
        <Simulator state={state} adopt={adopt} />
      ) : problem?.code === 'forbidden' ? (
        <NoAccess />
      ) : problem ? (
        <Refused problem={problem} reload={reload} />
      ) : (
        <SkeletonLines lines={10} label={t('interface.loading')} />
      )}
    </Titled>
  );
}

import { useSelector } from '@xstate/react';
import type { LogFilter } from '#machines/system-watch.machine.ts';
import { hasPermission } from '#models/permissions.ts';
import { ProblemNote } from '#src/components/problem-note.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { NoAccess } from '../area/no-access.tsx';
import { actorOf, useProfile } from '../profile-of.ts';
import { usePageTitle } from '../shell/page-title.ts';
import { useSystemWatch } from '../view-child.ts';
import { FactsCard } from './facts-card.tsx';
import { FiguresCard } from './figures-card.tsx';
import { IpBlockingCard } from './ip-blocking-card.tsx';
import { LogCard } from './log-card.tsx';
import { ServicesCard } from './services-card.tsx';
import './system-info.css';

const plainFilter: LogFilter = { level: 'info', search: '' };

function Watched() {
  const { t } = useText();
  const watch = useSystemWatch();
  const info = useSelector(watch, (snapshot) => snapshot?.context.info ?? null);
  const problem = useSelector(watch, (snapshot) => snapshot?.context.problem ?? null);
  const filter = useSelector(watch, (snapshot) => snapshot?.context.filter ?? plainFilter);
  const held = useSelector(watch, (snapshot) => snapshot?.hasTag('held') ?? false);
  return (
    <div className="system-page">
      <ProblemNote problem={problem} />
      {!info && !problem && <SkeletonLines lines={8} label={t('interface.loading')} />}
      {info && (
        <>
          <div className="system-top">
            <FactsCard info={info} />
            <ServicesCard services={info.services} mayRestart={info.is_operator} refresh={() => watch?.send({ type: 'watch.refresh' })} />
          </div>
          <FiguresCard history={info.history} />
          {info.is_operator && (
            <LogCard
              lines={info.logs}
              filter={filter}
              held={held}
              onFilter={(wanted) => watch?.send({ type: 'watch.filter', ...wanted })}
              onHold={(on) => watch?.send({ type: on ? 'watch.hold' : 'watch.follow' })}
            />
          )}
        </>
      )}
      {info?.is_operator && <IpBlockingCard />}
    </div>
  );
}

/** What whoever runs the server needs to see of it. */
export function SystemPage() {
  const { t } = useText();
  const actor = actorOf(useProfile());
  usePageTitle(t('interface.menu.system-info'));
  return hasPermission(actor, 'can_view_system_info') ? <Watched /> : <NoAccess />;
}

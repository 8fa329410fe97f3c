import { Suspense } from 'react';
import { lazyPart } from '#src/components/lazy-part.ts';
import { hasPermission, scopesOf } from '#models/permissions.ts';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { actorOf, useProfile } from '../profile-of.ts';
import { figureLines } from './figure-lines.ts';
import { HomeFrame } from './home-card.tsx';
import { useFigures } from './use-figures.ts';

const TrendFigures = lazyPart(() => import('./figures.tsx'));

/** The server keeps them as long. */
const pause = 30_000;
const icons = { passes: 'pi-chart-bar', refusals: 'pi-ban', availability: 'pi-wifi' } as const;

function Standing({ which }: { which: keyof typeof icons }) {
  const { t } = useText();
  return (
    <HomeFrame title={t(`home.${which}.title`)} icon={icons[which]} lines={figureLines} foot={<span />} footShown={false}>
      <SkeletonLines lines={figureLines} label={t('interface.loading')} />
    </HomeFrame>
  );
}

function Shown({ all }: { all: readonly (keyof typeof icons)[] }) {
  const figures = useFigures('homeFigures', ['device-events'], pause);
  return all.map((which) => (
    <Suspense key={which} fallback={<Standing which={which} />}>
      <TrendFigures which={which} figures={figures} />
    </Suspense>
  ));
}

/** Passes, refusals and availability, for those who may see the events of devices. */
export function Trends() {
  const actor = actorOf(useProfile());
  if (scopesOf(actor, 'view', 'device-events').length === 0) return null;
  return <Shown all={hasPermission(actor, 'can_view_device_heartbeat') ? ['passes', 'refusals', 'availability'] : ['passes', 'refusals']} />;
}

import { useSelector } from '@xstate/react';
import { memo, Suspense, useEffect } from 'react';
import { lazyPart } from '#src/components/lazy-part.ts';
import { useAlarms, useEmergency, useNotifications, usePhone, usePreview, useSounds } from '../system.ts';

const banners = () => import('../alarms/banners.tsx');
const Banners = lazyPart(banners);
const ImportantStack = lazyPart(() => import('../notifications/important-stack.tsx'));

const settling = 3_000;
/** An alarm does not wait for the code that shows it: that is there before the first one comes. */
function useFetchedAhead(sees: boolean): void {
  useEffect(() => {
    if (!sees) return;
    const later = setTimeout(() => void banners().catch(() => {}), settling);
    return () => clearTimeout(later);
  }, [sees]);
}

/** What comes up by itself over any page: emergency alerts, alarms, a console that cannot be heard, important notifications. */
export const Watch = memo(function Watch() {
  const alarms = useSelector(useAlarms(), (snapshot) => (snapshot?.context.alarms.length ?? 0) > 0);
  const sees = useSelector(useAlarms(), (snapshot) => snapshot?.context.sees ?? false);
  const emergency = useEmergency();
  const alerted = useSelector(emergency, (snapshot) => (snapshot?.context.alerts.length ?? 0) > 0);
  useFetchedAhead(sees || emergency !== undefined);
  const silent = useSelector(useSounds(), (snapshot) => snapshot?.hasTag('refused') ?? false);
  const mute = useSelector(usePhone(), (snapshot) => snapshot?.context.mirror.sound === 'refused');
  const previewed = usePreview() !== undefined;
  const important = useSelector(useNotifications(), (snapshot) => (snapshot?.context.inbox?.important.length ?? 0) > 0);
  return (
    <>
      <Suspense>{(alerted || alarms || silent || mute || previewed) && <Banners />}</Suspense>
      <Suspense>{important && <ImportantStack />}</Suspense>
    </>
  );
});

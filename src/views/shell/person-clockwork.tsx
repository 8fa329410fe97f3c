import { useSelector } from '@xstate/react';
import { type ReactNode, useContext, useMemo } from 'react';
import { clockworkOf, ClockworkContext } from '#src/components/when.tsx';
import { useServices, useSession } from '../system.ts';

/** Messages and questions stand above the signed-in shell: how the person reads time is asked of the session. */
export function PersonClockwork({ children }: { children: ReactNode }) {
  const { now } = useServices();
  const reading = useSelector(useSession(), ({ context }) => context.profile?.profile);
  const unread = useContext(ClockworkContext);
  const clockwork = useMemo(() => (reading ? clockworkOf(reading, now) : unread), [reading, unread, now]);
  return <ClockworkContext value={clockwork}>{children}</ClockworkContext>;
}

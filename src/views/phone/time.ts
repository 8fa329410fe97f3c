import { useEffect, useState } from 'react';
import { constants } from '#models/constants.ts';
import { useServices } from '../system.ts';

/** The present moment in ms, told anew every second while `runs` (clause CALL-20). */
export function useNow(runs = true): number {
  const { now } = useServices();
  const [moment, setMoment] = useState(now);
  useEffect(() => {
    if (!runs) return;
    const timer = setInterval(() => setMoment(now()), constants.callTimerStep);
    return () => clearInterval(timer);
  }, [runs, now]);
  return moment;
}

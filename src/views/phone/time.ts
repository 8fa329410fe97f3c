import { useEffect, useState } from 'react';
import { constants } from '#models/constants.ts';
import { useServices } from '../system.ts';

const two = (value: number): string => String(value).padStart(2, '0');

/** So many seconds as days, hours, minutes and seconds, padded; what is nought in front is left out, minutes are not. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const parts = [Math.floor(whole / 86_400), Math.floor(whole / 3_600) % 24, Math.floor(whole / 60) % 60, whole % 60];
  const from = Math.min(
    parts.findIndex((part) => part > 0),
    2,
  );
  return parts
    .slice(from < 0 ? 2 : from)
    .map(two)
    .join(':');
}

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

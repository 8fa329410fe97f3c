import { useContext, useEffect, useState } from 'react';
import { useText } from '#src/components/text.ts';
import { ClockworkContext } from '#src/components/when.tsx';

/** Often enough that no second is skipped, ms. */
const step = 200;

/** The seconds that are left, as a ring that runs out: what a person at the reader is to do meanwhile stands below. */
export function Countdown({ seconds, reader }: { seconds: number; reader: string }) {
  const { t } = useText();
  const { now } = useContext(ClockworkContext);
  const [begun] = useState(now);
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil(seconds - (now() - begun) / 1_000))), step);
    return () => clearInterval(timer);
  }, [now, begun, seconds]);
  return (
    <div className="enrol-waiting">
      <div className="enrol-ring" role="timer" aria-label={t('areas.identifiers.enrol.left', { count: left })}>
        <svg viewBox="0 0 96 96" aria-hidden="true">
          <circle className="enrol-ring-ground" cx="48" cy="48" r="44" />
          <circle className="enrol-ring-left" cx="48" cy="48" r="44" pathLength={1} strokeDashoffset={seconds > 0 ? 1 - left / seconds : 0} />
        </svg>
        <span aria-hidden="true">{left}</span>
      </div>
      <p className="enrol-what" role="status">
        {t('areas.identifiers.enrol.present', { reader })}
      </p>
      <p className="quiet">{t('areas.identifiers.enrol.opens_nothing')}</p>
    </div>
  );
}

import { useSelector } from '@xstate/react';
import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { OpenAlarmActor } from '#machines/open-alarm.machine.ts';
import { useAboveAll } from '#src/components/top-layer.ts';
import { useAlarms, usePhone, useSounds } from '../system.ts';
import { AlarmStrip, Processing } from './alarm-strip.tsx';
import { SoundStrip } from './sound-strip.tsx';
import './alarms.css';

/** What lies below makes room for the strips: their height is known to the page as `--strips`. */
function useRoom() {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = box;
    const page = document.documentElement.style;
    if (!current) return;
    const measure = (): void => page.setProperty('--strips', `${current.offsetHeight}px`);
    const watch = new ResizeObserver(measure);
    watch.observe(current);
    measure();
    return () => {
      watch.disconnect();
      page.removeProperty('--strips');
    };
  }, []);
  return box;
}

/** What must be seen whatever is open: alarms, and that they cannot be heard. */
export default function Strips() {
  const [alarms, sounds] = [useAlarms(), useSounds()];
  const refused = useSelector(sounds, (snapshot) => snapshot?.hasTag('refused') ?? false);
  const phone = usePhone();
  // A ring that nobody could hear is graver than a sound of notifications: it stays until sound is on.
  const isMute = useSelector(phone, (snapshot) => snapshot?.context.mirror.sound === 'refused');
  const arm = (): void => {
    sounds?.send({ type: 'sound.arm' });
    phone?.send({ type: 'ringer.arm' });
  };
  const place = useAboveAll();
  const box = useRoom();
  const [processing, setProcessing] = useState<OpenAlarmActor | null>(null);
  const close = useCallback(() => setProcessing(null), []);
  return (
    <>
      {createPortal(
        <div ref={box} className="strips">
          {(refused || isMute) && <SoundStrip onArm={arm} onDismiss={isMute ? undefined : () => sounds?.send({ type: 'sound.dismiss' })} />}
          {alarms && <AlarmStrip alarms={alarms} onProcess={setProcessing} />}
        </div>,
        place,
      )}
      {processing && <Processing key={processing.id} actor={processing} onClose={close} />}
    </>
  );
}

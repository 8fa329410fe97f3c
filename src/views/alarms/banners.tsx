import { useSelector } from '@xstate/react';
import { useCallback, useState } from 'react';
import { createPortal } from 'react-dom';
import type { OpenAlarmActor } from '#machines/alarms/open-alarm.machine.ts';
import { useAboveAll } from '#src/components/above-all.ts';
import { PreviewBanner } from '../preview/preview-banner.tsx';
import { useRoom } from '../shell/room.ts';
import { useAlarms, useEmergency, usePhone, usePreview, useSounds } from '../system.ts';
import { AlarmBanner, Processing } from './alarm-banner.tsx';
import { SoundBanner } from './sound-banner.tsx';
import { EmergencyBanner } from './emergency-banner.tsx';
import './alarms.css';

/** What must be seen whatever is open: emergency alerts, alarms, and that they cannot be heard. */
export default function Banners() {
  const [alarms, sounds] = [useAlarms(), useSounds()];
  const refused = useSelector(sounds, (snapshot) => snapshot?.hasTag('refused') ?? false);
  const phone = usePhone();
  // A ring that nobody could hear is graver than a sound of notifications: it stays until sound is on.
  const isMute = useSelector(phone, (snapshot) => snapshot?.context.mirror.sound === 'refused');
  const arm = (): void => {
    sounds?.send({ type: 'sound.arm' });
    phone?.send({ type: 'ringer.arm' });
  };
  const emergency = useEmergency();
  const preview = usePreview();
  const place = useAboveAll();
  const box = useRoom('--banners');
  const [processing, setProcessing] = useState<OpenAlarmActor | null>(null);
  const close = useCallback(() => setProcessing(null), []);
  return (
    <>
      {createPortal(
        <div ref={box} className="banners">
          {emergency && <EmergencyBanner emergency={emergency} />}
          {(refused || isMute) && <SoundBanner onArm={arm} onDismiss={isMute ? undefined : () => sounds?.send({ type: 'sound.dismiss' })} />}
          {preview && <PreviewBanner preview={preview} />}
          {alarms && <AlarmBanner alarms={alarms} onProcess={setProcessing} />}
        </div>,
        place,
      )}
      {processing && <Processing key={processing.id} actor={processing} onClose={close} />}
    </>
  );
}

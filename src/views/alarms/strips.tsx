import { useSelector } from '@xstate/react';
import { useCallback, useState } from 'react';
import { createPortal } from 'react-dom';
import type { OpenAlarmActor } from '#machines/alarms/open-alarm.machine.ts';
import { useAboveAll } from '#src/components/above-all.ts';
import { PreviewStrip } from '../preview/preview-strip.tsx';
import { useRoom } from '../shell/room.ts';
import { useAlarms, useEmergency, usePhone, usePreview, useSounds } from '../system.ts';
import { AlarmStrip, Processing } from './alarm-strip.tsx';
import { SoundStrip } from './sound-strip.tsx';
import { EmergencyStrip } from './emergency-strip.tsx';
import './alarms.css';

/** What must be seen whatever is open: emergency alerts, alarms, and that they cannot be heard. */
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
  const emergency = useEmergency();
  const preview = usePreview();
  const place = useAboveAll();
  const box = useRoom('--strips');
  const [processing, setProcessing] = useState<OpenAlarmActor | null>(null);
  const close = useCallback(() => setProcessing(null), []);
  return (
    <>
      {createPortal(
        <div ref={box} className="strips">
          {emergency && <EmergencyStrip emergency={emergency} />}
          {(refused || isMute) && <SoundStrip onArm={arm} onDismiss={isMute ? undefined : () => sounds?.send({ type: 'sound.dismiss' })} />}
          {preview && <PreviewStrip preview={preview} />}
          {alarms && <AlarmStrip alarms={alarms} onProcess={setProcessing} />}
        </div>,
        place,
      )}
      {processing && <Processing key={processing.id} actor={processing} onClose={close} />}
    </>
  );
}

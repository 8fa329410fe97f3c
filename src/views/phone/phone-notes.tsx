import type { PhoneActor } from '#machines/phone/phone.machine.ts';
import { Button } from '#src/components/button.tsx';
import { useText } from '#src/components/text.ts';
import { isLive } from './call-words.ts';
import { SoundNote } from './sound-note.tsx';
import { useMirror } from './use-phone.ts';

/** What keeps this desk from being reached, each with the press that helps. */
export function PhoneNotes({ phone }: { phone: PhoneActor }) {
  const { t } = useText();
  const registration = useMirror(phone, (mirror) => mirror.registration);
  const sound = useMirror(phone, (mirror) => mirror.sound);
  const isCurrent = useMirror(phone, (mirror) => mirror.isCurrent);
  const isInCall = useMirror(phone, ({ calls }) => calls.some(isLive));
  const isReconnecting = isInCall && (registration === 'error' || registration === 'registering');
  const isOff = registration === 'unregistered' || registration === 'error' || registration === 'invalid_registration';
  return (
    <div className="phone-notes">
      {(isOff || isReconnecting) && (
        <div className="phone-note" role="status">
          <i className="pi pi-exclamation-triangle" aria-hidden="true" />
          <span>{t(isReconnecting ? 'phone.off.reconnecting' : `phone.off.${registration}`)}</span>
          {registration === 'unregistered' && <Button small label={t('phone.go_on_duty')} onClick={() => phone.send({ type: 'phone.register' })} />}
        </div>
      )}
      <SoundNote sound={sound} send={phone.send} />
      {registration === 'registered' && !isCurrent && (
        <div className="phone-note" role="status">
          <i className="pi pi-clock" aria-hidden="true" />
          <span>{t('phone.not_current')}</span>
        </div>
      )}
    </div>
  );
}

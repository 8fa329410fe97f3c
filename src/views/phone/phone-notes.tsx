import { useSelector } from '@xstate/react';
import { useContext } from 'react';
import type { PhoneActor } from '#machines/phone/phone.machine.ts';
import { Button } from '#src/components/button.tsx';
import { useText } from '#src/components/text.ts';
import { isLive } from './call-texts.ts';
import { OwnerContext } from './names.ts';
import { SoundNote } from './sound-note.tsx';
import { useMirror } from './use-phone.ts';

function Note({ icon, text }: { icon: `pi-${string}`; text: string }) {
  return (
    <div className="phone-note" role="status">
      <i className={`pi ${icon}`} aria-hidden="true" />
      <span>{text}</span>
    </div>
  );
}

/** Which tab has the sound of a call, and where the tabs of this browser cannot agree on one. */
function TabsNote({ phone, isInCall }: { phone: PhoneActor; isInCall: boolean }) {
  const { t } = useText();
  const isOwner = useContext(OwnerContext);
  const isAlone = useSelector(
    useSelector(phone, ({ children }) => children.tabs),
    (snapshot) => snapshot?.matches('alone') ?? false,
  );
  if (isAlone) return <Note icon="pi-clone" text={t('phone.tabs_note.alone')} />;
  return isInCall && !isOwner && <Note icon="pi-clone" text={t('phone.tabs_note.elsewhere')} />;
}

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
      {/* That sound is refused stands in a banner across the page. */}
      {sound === 'unarmed' && <SoundNote sound={sound} send={phone.send} />}
      <TabsNote phone={phone} isInCall={isInCall} />
      {registration === 'registered' && !isCurrent && <Note icon="pi-clock" text={t('phone.not_current')} />}
    </div>
  );
}

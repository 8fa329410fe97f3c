import { useSelector } from '@xstate/react';
import { useSyncExternalStore } from 'react';
import type { PhoneActor } from '#machines/phone/phone.machine.ts';
import { useText } from '#src/components/text.ts';
import { useProfile } from '../profile-of.ts';
import { useServices } from '../system.ts';
import { registrationLooks } from './registration-looks.ts';
import { useMirror, useSelfTest } from './use-phone.ts';
import './phone-button.css';

function Sign({ mark, ringing }: { mark: 'loading' | 'locked' | 'disabled' | null; ringing: boolean }) {
  return (
    <span className="phone-sign" data-mark={ringing ? 'ringing' : mark} aria-hidden="true">
      <i className={`pi ${mark === 'loading' && !ringing ? 'pi-spin pi-spinner' : 'pi-phone'}`} />
      {mark === 'locked' && !ringing && <i className="pi pi-lock phone-mark" />}
    </span>
  );
}

/** The phone's button: registration, ringing, whether this console can be heard, and the last check, in a sign and in words. */
export default function PhoneButton({ phone }: { phone: PhoneActor }) {
  const { t } = useText();
  const services = useServices();
  const desk = useSyncExternalStore(services.phoneDesk.follow, services.phoneDesk.get);
  const { profile } = useProfile();
  const registration = useMirror(phone, (mirror) => mirror.registration);
  const ringing = useMirror(phone, (mirror) => mirror.ringing !== null);
  const sound = useMirror(phone, (mirror) => mirror.sound);
  const checkFailed = useSelector(useSelfTest(phone), (snapshot) => snapshot?.hasTag('failed') ?? false);
  const { tone, mark } = registrationLooks[registration];
  const number = profile.sip_number?.number ?? '';
  const about = [
    t('phone.button.label', { number }),
    t(ringing ? 'phone.button.ringing' : `phone.registration.${registration}`),
    t(`phone.sound_state.${sound}`),
    ...(checkFailed ? [t('phone.self_test.result.failed')] : []),
  ].join('. ');
  return (
    <button
      type="button"
      className="phone-button"
      data-tone={tone}
      data-ringing={ringing}
      aria-expanded={desk.isOpen}
      aria-label={about}
      title={about}
      onClick={() => services.phoneDesk.set({ ...desk, isOpen: !desk.isOpen })}
    >
      <Sign mark={mark} ringing={ringing} />
      <span className="phone-number" aria-hidden="true">
        {number}
      </span>
      {sound !== 'armed' && <i className="pi pi-volume-off phone-extra" aria-hidden="true" />}
      {checkFailed && <i className="pi pi-exclamation-triangle phone-extra" aria-hidden="true" />}
    </button>
  );
}

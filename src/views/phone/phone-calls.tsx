import { useContext } from 'react';
import type { PhoneActor } from '#machines/phone/phone.machine.ts';
import { useText } from '#src/components/text.ts';
import { useProfile } from '../profile-of.ts';
import { CallCard } from './call-card.tsx';
import { CallControl } from './call-control.tsx';
import { isAtDesk } from './call-words.ts';
import { ContactsContext } from './names.ts';
import { useCalls, useDial, useMirror } from './use-phone.ts';

/** All calls of this desk: SOS first, the one that is talked in with its controls, those that wait (clause DIAL-26). */
export function PhoneCalls({ phone }: { phone: PhoneActor }) {
  const { t } = useText();
  const { profile } = useProfile();
  const calls = useCalls(phone);
  const devices = useMirror(phone, (mirror) => mirror.devices);
  const contacts = useContext(ContactsContext);
  const dial = useDial(phone);
  if (calls.length === 0) return null;
  return (
    <ul className="calls" aria-label={t('phone.calls')}>
      {calls.map((call) =>
        isAtDesk(call, calls) ? (
          <CallControl
            key={call.speechId}
            call={call}
            own={profile.sip_number?.number ?? ''}
            others={calls.filter((other) => other !== call && other.isHeld && other.status !== 'destroyed')}
            devices={devices}
            contacts={contacts}
            send={phone.send}
            onDial={(number) => dial(number, false)}
          />
        ) : (
          <CallCard key={call.speechId} call={call} send={phone.send} />
        ),
      )}
    </ul>
  );
}

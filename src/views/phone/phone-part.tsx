import { useSelector } from '@xstate/react';
import { useContext } from 'react';
import type { PhoneActor } from '#machines/phone/phone.machine.ts';
import { useProfile } from '../profile-of.ts';
import { Contacts } from './contacts.tsx';
import { Doors } from './doors.tsx';
import { Interception } from './interception.tsx';
import { Keypad } from './keypad.tsx';
import { ContactsContext } from './names.ts';
import type { Part } from './parts.ts';
import { PhoneSettings } from './phone-settings.tsx';
import { Recents } from './recents.tsx';
import { useDial, useHandOn, useReady } from './use-phone.ts';
import './parts.css';

/** One part of the panel over its own actor. */
export function PhonePart({ phone, part }: { phone: PhoneActor; part: Part }) {
  const { profile } = useProfile();
  const dial = useDial(phone);
  const handOn = useHandOn(phone);
  const ready = useReady(phone);
  const { keypad, contacts, recents, door, interception } = useSelector(phone, ({ children }) => children);
  const desks = useContext(ContactsContext).filter(({ isDesk }) => isDesk);
  const own = profile.sip_number?.number ?? '';
  switch (part) {
    case 'keypad':
      return keypad && <Keypad keypad={keypad} own={own} ready={ready} desks={desks} handOn={handOn} onRedial={(number) => dial(number, false)} />;
    case 'contacts':
      return contacts && <Contacts actor={contacts} own={own} ready={ready} handOn={handOn} onDial={dial} />;
    case 'recents':
      return recents && <Recents actor={recents} own={own} ready={ready} onDial={dial} />;
    case 'doors':
      return door && <Doors actor={door} ready={ready} onDial={dial} />;
    case 'interception':
      return interception && <Interception actor={interception} />;
    case 'settings':
      return <PhoneSettings phone={phone} />;
  }
}

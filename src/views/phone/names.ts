import { createContext, useContext } from 'react';
import { contactName } from '#machines/phone/contacts/contact-groups.ts';
import type { DoorActor } from '#machines/phone/door.machine.ts';
import type { CallMirror } from '#machines/phone/mirror.ts';
import type { Contact, RecentCall } from '#machines/phone/ports.ts';

/** The contacts as last read, for whatever calls a number by its name. */
export const ContactsContext = createContext<readonly Contact[]>([]);

/** The latest calls of this desk as last read, newest first, for what a call that rings is about. */
export const RecentCallsContext = createContext<readonly RecentCall[]>([]);

/** The doors of this desk, for a panel that rings; undefined for those who may open none. */
export const DoorsContext = createContext<DoorActor | undefined>(undefined);

/** Whether this tab has the sound and the pictures of the calls it shows; else another tab of this browser has them. */
export const OwnerContext = createContext(true);

/** Who has taken a call, by the name that is told with it, else as people call that number; null where nobody has but me. */
export function useTakerOf({ takenBy, takenByName }: Pick<CallMirror, 'takenBy' | 'takenByName'>): string | null {
  const name = useNameOf(takenBy);
  return takenBy === null ? null : (takenByName ?? name);
}

/** What people call a number: the contact's name, the number itself where there is none. */
export function useNameOf(number: string | null): string {
  const contact = useContext(ContactsContext).find((one) => one.number === number);
  return contact ? contactName(contact) : (number ?? '');
}

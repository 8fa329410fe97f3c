import type { Contact } from '../ports.ts';

const holds = ({ user, name, number, title, group }: Contact, text: string): boolean =>
  [user?.name, name, number, user?.description, title, group].some((part) => part?.toLowerCase().includes(text) ?? false);

/** Contacts that hold the text in user name, contact name, number or description, whatever the case (clause DIAL-15). */
export function foundContacts(contacts: readonly Contact[], text: string): readonly Contact[] {
  const wanted = text.trim().toLowerCase();
  return wanted === '' ? contacts : contacts.filter((contact) => holds(contact, wanted));
}

/** What people call a contact. */
export const contactName = ({ user, name, number }: Contact): string => user?.name || name || number;

/** Contacts under their first letter, `#` last for what begins with none, in the order of the language. */
export function byLetter(contacts: readonly Contact[], locale: string): readonly { letter: string; contacts: readonly Contact[] }[] {
  const groups = new Map<string, Contact[]>();
  for (const contact of contacts.toSorted((a, b) => contactName(a).localeCompare(contactName(b), locale))) {
    const first = contactName(contact).trim().charAt(0).toLocaleUpperCase(locale);
    const letter = /\p{L}/u.test(first) ? first : '#';
    groups.set(letter, [...(groups.get(letter) ?? []), contact]);
  }
  return [...groups]
    .map(([letter, list]) => ({ letter, contacts: list }))
    .toSorted((one, other) => Number(one.letter === '#') - Number(other.letter === '#'));
}

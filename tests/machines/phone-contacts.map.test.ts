import type { EventFromLogic } from 'xstate';
import { describe, expect, it } from 'vitest';
import { byLetter, foundContacts } from '#machines/phone/contacts/contact-groups.ts';
import { contactsMachine } from '#machines/phone/contacts/contacts.machine.ts';
import type { Contact } from '#machines/phone/ports.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';

const contact = (name: string, number: string, more: Partial<Contact> = {}): Contact => ({
  name,
  number,
  title: null,
  user: null,
  group: null,
  isReachable: null,
  isDesk: false,
  ...more,
});
const samples = {
  'contacts.open': { type: 'contacts.open' },
  'contacts.refresh': { type: 'contacts.refresh' },
  'contacts.search': { type: 'contacts.search', text: 'an' },
} satisfies Samples<EventFromLogic<typeof contactsMachine>>;

describe('the contacts', () => {
  mapTests(contactsMachine, { inputs: [undefined as never], samples, answers: { readContacts: [[contact('Anna', '1001')]] } });

  it('are found by name, user, number and description, whatever the case', () => {
    const all = [
      contact('Anna', '1001'),
      contact('Flat 7', '2007', { user: { id: '1', name: 'Boris', description: 'second floor' } }),
      contact('Lobby', '3001'),
    ];
    const names = (text: string): string[] => foundContacts(all, text).map(({ name }) => name);
    expect([names('ANN'), names('boris'), names('FLOOR'), names('300'), names('  '), names('nobody')]).toEqual([
      ['Anna'],
      ['Flat 7'],
      ['Flat 7'],
      ['Lobby'],
      ['Anna', 'Flat 7', 'Lobby'],
      [],
    ]);
  });

  it('stand under their first letter, what begins with none last', () => {
    const all = [contact('Ёлка', '1'), contact('7th floor', '2'), contact('anna', '3'), contact('Alex', '4')];
    expect(byLetter(all, 'ru').map(({ letter, contacts }) => [letter, contacts.map(({ number }) => number)])).toEqual([
      ['Ё', ['1']],
      ['A', ['4', '3']],
      ['#', ['2']],
    ]);
  });
});

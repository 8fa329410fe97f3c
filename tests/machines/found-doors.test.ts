import { expect, it } from 'vitest';
import { foundDoors } from '#machines/phone/found-doors.ts';
import type { ConciergeDoor } from '#machines/phone/ports.ts';

const door = (name: string, number: string | null, ...path: string[]): ConciergeDoor => ({
  id: name,
  token: name,
  name,
  number,
  path,
  isOnline: null,
  hasCamera: false,
});
const doors = [door('Lobby', '701', 'Riverside', 'Tower A'), door('Lobby', '702', 'Riverside', 'Tower B'), door('Garage', null, 'Riverside')];
const found = (search: string) => foundDoors(doors, search, 'en').map((one) => doors.indexOf(one));

it.each([
  ['nothing typed finds all', '  ', [0, 1, 2]],
  ['a name, whatever its case', 'LOBBY', [0, 1]],
  ['a part of a number', '02', [1]],
  ['each word, wherever it stands', 'tower lob a', [0]],
  ['a group above', 'riverside', [0, 1, 2]],
  ['a word that nothing has', 'lobby gate', []],
])('of the doors, %s', (_what, search, expected) => expect(found(search)).toEqual(expected));

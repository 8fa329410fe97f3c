import { expect, it } from 'vitest';
import { serverCall } from '#models/call.ts';
import type { Principal } from '#server/context.ts';
import { callFor } from '#server/realtime/caller.ts';
import { uuid } from '#tests/support/people.ts';

const principal = (more: Partial<Principal>): Principal => ({ id: uuid(1), permissions: [], domains: ['north'], locale: 'en', ...more }) as Principal;
const call = serverCall.parse({
  id: uuid(7),
  caller: '2001',
  callee: '700',
  type: 'awaiting',
  status: 'answered',
  answered_by: '1002',
  answered_by_name: 'Olga Petrova',
  created_at: 1,
  info: { address: 'Tower A', user: null, door: true },
});
const caller = { userId: null, place: [], paths: [] };
const nameOf = (who: Principal, taker: { userId: string | null; paths: string[] }, more: Partial<typeof call> = {}) =>
  callFor(who, { ...call, ...more }, { caller, taker }).answered_by_name;

it('who took a call is named to those who may see that person, and to nobody else', () => {
  const olga = { userId: uuid(2), paths: ['town', 'north'] };
  expect(nameOf(principal({}), olga)).toBe('Olga Petrova');
  expect(nameOf(principal({ domains: ['south'] }), olga)).toBeNull();
  expect(nameOf(principal({ domains: [], permissions: ['can_view_all_users'] }), olga)).toBe('Olga Petrova');
  expect(nameOf(principal({ id: uuid(2), domains: [] }), olga)).toBe('Olga Petrova');
});

it('a device that was called and has answered is named, somebody unknown in its place is not', () => {
  const nobody = { userId: null, paths: [] };
  expect(nameOf(principal({}), nobody, { callee: '2005', answered_by: '2005', answered_by_name: 'Garage' })).toBe('Garage');
  expect(nameOf(principal({}), nobody)).toBeNull();
});

it('that there is a door is told to all who hear of the call', () => {
  expect(callFor(principal({ domains: [] }), call, { caller, taker: { userId: null, paths: [] } }).info).toEqual({
    address: null,
    user: null,
    door: true,
  });
});

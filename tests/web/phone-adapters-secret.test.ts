import { expect, it } from 'vitest';
import { openSipSecret } from '#src/adapters/phone/sip-secret.ts';

const answer = (sip: unknown) => ({ data: { id: 'u', profile: { address: null, sip_number: sip } } });

it('the SIP password is taken out of a profile and kept for its number alone', () => {
  const secret = openSipSecret();
  const given = answer({ number: '1001', name: 'Anna', password: 'p-1' });
  expect(secret.takeOut(given)).toEqual(answer({ number: '1001', name: 'Anna' }));
  expect(given.data.profile.sip_number).toHaveProperty('password');
  expect([secret.of('1001'), secret.of('1002')]).toEqual([{ name: 'Anna', password: 'p-1' }, null]);
  secret.takeOut(answer({ number: '1001', password: 'p-2' }));
  expect(secret.of('1001')).toEqual({ name: '1001', password: 'p-2' });
});
it.each([
  null,
  'text',
  [1],
  { data: null },
  { data: [] },
  { data: { profile: null } },
  answer(null),
  answer({ number: '1001', name: 'x' }),
  answer({ number: 7, password: 'p' }),
])('anything else is left as it is: %j', (body) => expect(openSipSecret().takeOut(body)).toBe(body));

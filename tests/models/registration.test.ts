import { expect, it } from 'vitest';
import { selfRegistrationBody } from '#models/registration-calls.ts';
import { toIssues } from '#models/issues.ts';

/** An address of so many characters, which are more in its domain than before it. */
const address = (length: number): string => {
  const [start, end] = ['anna@mail.', '.example.org'];
  return start + 'm'.repeat(length - start.length - end.length) + end;
};
const registering = (length: number) =>
  selfRegistrationBody.safeParse({
    user_name: 'Anna',
    user_email: address(length),
    user_type: 'owner',
    object_name: '',
    user_password: 'Doorward-2026',
  });

it('an address that becomes a login is as long as a login may be', () => {
  expect(registering(64).error).toBeUndefined();
  const { error } = registering(65);
  expect(error && toIssues(error).map(({ path, rule, params }) => [path, rule, params])).toEqual([[['user_email'], 'max_length', { length: 64 }]]);
});

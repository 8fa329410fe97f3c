import { expect, it } from 'vitest';
import { isGuestKey, keyInAddress } from '#models/guest-address.ts';

const key = 'x_IIAC4krLfDicgGzC-C1g';

it('the address of a guest’s page names its key, also one that was cut short or carries what came with it', () => {
  expect([`/guest-access/${key}`, `/guest-access/${key}/`, `/guest-access/${key}?utm=1`].map(keyInAddress)).toEqual([key, key, key]);
  expect(['/guest-access/abc', `/guest-access/${key}.`, `/guest-access/${key})`].map(keyInAddress)).toEqual(['abc', `${key}.`, `${key})`]);
  expect([key, 'abc', `${key}.`, ''].map(isGuestKey)).toEqual([true, false, false, false]);
});

it('pages of the console below the same path are its own', () => {
  const id = 'a1402327-c56d-4f80-a6fa-716d20ea4602';
  for (const path of ['/guest-access', '/guest-access/', '/guest-access/add', `/guest-access/${id}`, `/guest-access/${id}/edit`, `/guests/${key}`])
    expect(keyInAddress(path), path).toBeNull();
});

import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { uuid } from '#tests/support/people.ts';
import { annaWith, openPage, rowsAnswer } from './support/area-page.ts';
import { fill } from './support/user.ts';

const row = {
  id: uuid(70),
  version: 1,
  created_at: '2026-01-02T03:04:05.000Z',
  updated_at: '2026-01-02T03:04:05.000Z',
  name: 'Piano tuner',
  description: null,
  type: 'access_code',
  value: '4711',
  guestType: 'guest',
  selectedAccessRules: [],
  domain: null,
  host: null,
  state: 'active',
  visit: 'expected',
  restrictPeriod: false,
  validatePeriod: { from: null, to: null },
  restrictPassCount: false,
  passLimit: null,
  passes_count: 0,
  keyMessage: null,
  url: '/guest-access/abc',
  revoked_at: null,
  last_used_at: null,
  created_by: null,
};
const mail = `/identifiers/guests/${uuid(70)}/mail`;

describe('the key of a guest', () => {
  it('is passed on by its code, its link or a mail, to an address that is checked before', async () => {
    let answer: { status?: number; body: object } = { status: 500, body: { error: { code: 'unavailable', message: 'no' } } };
    const { user, server } = await openPage(
      '/guest-access',
      { 'GET /identifiers/guests': () => rowsAnswer([row]), [`POST ${mail}`]: () => answer },
      annaWith('can_view_own_identifiers', 'can_create_guest_identifiers', 'can_edit_identifiers'),
    );
    await user.click(await screen.findByRole('button', { name: 'Share' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Piano tuner' }));
    expect(dialog.getByText('4711')).toBeTruthy();
    const field = dialog.getByRole<HTMLInputElement>('textbox', { name: /Send by e-mail/ });
    await fill(user, field, 'nobody');
    await user.click(dialog.getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
    expect(server.asked('POST', mail)).toEqual([]);
    await fill(user, field, 'tuner@example.org');
    await user.click(dialog.getByRole('button', { name: 'Send' }));
    await dialog.findByRole('alert');
    expect(field.value).toBe('tuner@example.org');
    answer = { body: { data: null } };
    await user.click(dialog.getByRole('button', { name: 'Send' }));
    await screen.findByText(/tuner@example\.org/);
    expect(server.asked('POST', mail).map(({ body }) => body)).toEqual(
      Array.from({ length: 2 }, () => ({ email: 'tuner@example.org', locale: 'en' })),
    );
  });
});

describe('the access log', () => {
  it('names a guest where nobody of the house passed', async () => {
    const event = {
      id: uuid(80),
      version: 1,
      created_at: '2026-01-02T03:04:05.000Z',
      updated_at: '2026-01-02T03:04:05.000Z',
      type: 'access_granted',
      device: { id: uuid(81), name: 'Main gate' },
      device_name: 'Main gate',
      path: ['Riverside'],
      user: null,
      guest: 'Maria',
      identifier: uuid(82),
      identifier_type: 'qr',
      identifier_mask: '98rg',
      reason: null,
      rule: 'Gates',
      schedule: null,
      has_card: false,
      image_url: null,
      occurred_at: '2026-01-02T03:04:05.000Z',
    };
    await openPage('/access-control/events', { 'GET /access-control/events': () => rowsAnswer([event]) }, annaWith('can_view_access_control_events'));
    expect(await screen.findByText('Maria')).toBeTruthy();
    expect(screen.getByText('Guest')).toBeTruthy();
  });
});

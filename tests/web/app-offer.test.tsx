import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { allLicensed } from '#models/licence-info.ts';
import { anna } from '#tests/support/people.ts';
import { enterShell } from './support/shell.tsx';

const link = 'https://app.example/get';
const withoutApp = { ...allLicensed, mobile_app: { ...allLicensed.mobile_app, is_enabled: false } };

const serverWith = (change: Partial<typeof anna>) => ({
  'GET /profile': () => ({ body: { data: { ...anna, app_url: link, ...change } } }),
  'PATCH /profile/app-popup': () => ({ body: { data: null } }),
});
const shows = () => screen.findByRole<HTMLInputElement>('checkbox', { name: 'Show its QR code after I sign in' });

describe('the mobile app in the profile', () => {
  it('has its link, and its offer can be switched on again', async () => {
    const { server, user } = await enterShell('/profile', serverWith({}));
    expect((await shows()).checked).toBe(false);
    expect(screen.getByRole<HTMLAnchorElement>('link', { name: 'Open the link on this device' }).href).toBe(link);
    await user.click(await shows());
    await waitFor(async () => expect((await shows()).checked && !(await shows()).disabled).toBe(true));
    expect(server.asked('PATCH', '/profile/app-popup').map(({ body }) => body)).toEqual([{ is_app_popup_active: true }]);
  });
  it.each([
    ['where there is none', { app_url: null }],
    ['without a licence for it', { license_info: withoutApp }],
  ])('is not shown %s', async (_why, change) => {
    await enterShell('/profile', serverWith(change));
    await screen.findByRole('button', { name: 'Change password' });
    expect(screen.queryByRole('heading', { name: 'Mobile app' })).toBeNull();
  });
});

import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { allLicensed } from '#models/licence-info.ts';
import { anna } from '#tests/support/people.ts';
import { freshPages } from './support/fresh-pages.ts';
import { enterShell } from './support/shell.tsx';

const enter = freshPages(enterShell);
const link = 'https://app.example/get';
const withoutApp = { ...allLicensed, mobile_app: { ...allLicensed.mobile_app, is_enabled: false } };

const serverWith = (change: Partial<typeof anna>) => ({
  'GET /profile': () => ({ body: { data: { ...anna, app_url: link, ...change } } }),
  'PATCH /profile/app-popup': () => ({ body: { data: null } }),
});
const shows = () => screen.findByRole<HTMLInputElement>('checkbox', { name: 'Show its QR code after I sign in' });

describe('the mobile app in the profile', () => {
  it('has its link, and its offer can be switched on again', async () => {
    const { server } = await enter('/profile', serverWith({}));
    expect((await shows()).checked).toBe(false);
    expect(screen.getByRole<HTMLAnchorElement>('link', { name: 'Open the link on this device' }).href).toBe(link);
    await userEvent.click(await shows());
    await expect.poll(async () => (await shows()).checked && !(await shows()).disabled).toBe(true);
    expect(server.asked('PATCH', '/profile/app-popup').map(({ body }) => body)).toEqual([{ is_app_popup_active: true }]);
  });
  it.each([
    ['where there is none', { app_url: null }],
    ['without a licence for it', { license_info: withoutApp }],
  ])('is not shown %s', async (_why, change) => {
    const page = await enter('/profile', serverWith(change));
    await page.shows('Change password');
    expect(screen.queryByRole('heading', { name: 'Mobile app' })).toBeNull();
  });
});

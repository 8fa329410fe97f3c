import { act } from 'react';
import { describe, expect, it } from 'vitest';
import { openPromotion } from '#src/adapters/app-promotion.ts';
import { anna } from '#tests/support/people.ts';
import { memoryDrawer } from './support/drawers.ts';
import { freshPages } from './support/fresh-pages.ts';
import { button, enterShell, one } from './support/shell.tsx';

const enter = freshPages(enterShell);
const link = 'https://app.example/get';

/** A server that offers an app, and remembers what was switched off. */
function offering() {
  let active = true;
  return {
    'GET /profile': () => ({ body: { data: { ...anna, app_url: link, profile: { ...anna.profile, is_app_popup_active: active } } } }),
    'PATCH /profile/app-popup': ({ body }: { body: unknown }) => {
      active = (body as { is_app_popup_active: boolean }).is_app_popup_active;
      return { body: { data: null } };
    },
  };
}
const code = (): Element | null => document.querySelector('.qr-code');

describe('the offer of the mobile app', () => {
  it('shows a code and the link; the focus is on “not now”, and “do not show again” is told to the server', async () => {
    const { server, until } = await enter('/home', offering());
    await until('the code', () => code() !== null);
    expect(one('.qr-code').getAttribute('aria-label')).toBe(`QR code with the link ${link}`);
    // Three corners of seven modules each, within four modules of quiet: a code of version 2 at least.
    expect(one('.qr-code').getAttribute('viewBox')).toMatch(/^0 0 (\d+) \1$/);
    expect(one('.qr-code path').getAttribute('d')).toContain('M4 4h1v1h-1z');
    expect([one<HTMLAnchorElement>('.app-link').href, document.activeElement?.textContent]).toEqual([link, 'Not now']);
    await act(async () => button('Do not show again').click());
    await until('told', () => server.asked('PATCH', '/profile/app-popup').length === 1);
    expect(server.asked('PATCH', '/profile/app-popup').map(({ body }) => body)).toEqual([{ is_app_popup_active: false }]);
    expect(code()).toBeNull();
  });

  it('waits until another dialog is closed', async () => {
    const { app, until, shows } = await enter('/profile', offering());
    await shows('Change password');
    await act(async () => button('Change password').click());
    await until('another dialog', () => document.querySelector('dialog') !== null);
    await until('its turn in the queue', () => app.system.get('alerts').getSnapshot().matches('asking'));
    expect(code()).toBeNull();
    await act(async () => button('Cancel').click());
    await until('the code', () => code() !== null);
  });

  it('is closed for the session and made anew with the next sign-in, for each person by themselves', () => {
    let person: string | null = 'anna';
    const store = openPromotion(memoryDrawer(), () => person);
    expect(store.wasClosed()).toBe(false);
    store.keepClosed();
    expect(store.wasClosed()).toBe(true);
    person = 'boris';
    expect(store.wasClosed()).toBe(false);
    person = 'anna';
    store.forget();
    expect(store.wasClosed()).toBe(false);
  });
});

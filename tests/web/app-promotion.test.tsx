import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { AnyActorRef } from 'xstate';
import { openPromotion } from '#src/adapters/app-promotion.ts';
import { anna } from '#tests/support/people.ts';
import { memoryStore } from './support/stores.ts';
import { enterShell } from './support/shell.tsx';

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
const name = `QR code with the link ${link}`;

describe('the offer of the mobile app', () => {
  it('shows a code and the link; the focus is on “not now”, and “do not show again” is told to the server', async () => {
    const { user, server } = await enterShell('/home', offering());
    const code = await screen.findByRole('img', { name });
    // Three corners of seven modules each, within four modules of quiet: a code of version 2 at least.
    expect(code.getAttribute('viewBox')).toMatch(/^0 0 (\d+) \1$/);
    expect(code.firstElementChild?.getAttribute('d')).toContain('M4 4h1v1h-1z');
    const dialog = within(screen.getByRole('dialog'));
    expect(dialog.getByRole<HTMLAnchorElement>('link').href).toBe(link);
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Not now'));
    await user.click(dialog.getByRole('button', { name: 'Do not show again' }));
    await waitFor(() => expect(server.asked('PATCH', '/profile/app-popup')).toHaveLength(1));
    expect(server.asked('PATCH', '/profile/app-popup').map(({ body }) => body)).toEqual([{ is_app_popup_active: false }]);
    expect(screen.queryByRole('img', { name })).toBeNull();
  });

  it('waits until another dialog is closed', async () => {
    const { user, app } = await enterShell('/profile', offering());
    const promotion = (app.getSnapshot().children.console as AnyActorRef | undefined)?.getSnapshot().children.appPromotion as AnyActorRef;
    // The offer stays away until the dialog is open, however long that takes here.
    promotion.send({ type: 'desk.busy' });
    await user.click(await screen.findByRole('button', { name: 'Change password' }));
    const other = within(await screen.findByRole('dialog', { name: 'Change password' }));
    promotion.send({ type: 'desk.quiet' });
    await waitFor(() => expect(app.system.get('alerts').getSnapshot().matches('asking')).toBe(true));
    expect(screen.queryByRole('img', { name })).toBeNull();
    await user.click(other.getByRole('button', { name: 'Cancel' }));
    await screen.findByRole('img', { name });
  });

  it('is closed for the session and made anew with the next sign-in, for each person by themselves', () => {
    let person: string | null = 'anna';
    const store = openPromotion(memoryStore(), () => person);
    expect(store.wasClosed()).toBe(false);
    store.saveClosed();
    expect(store.wasClosed()).toBe(true);
    person = 'boris';
    expect(store.wasClosed()).toBe(false);
    person = 'anna';
    store.forget();
    expect(store.wasClosed()).toBe(false);
  });
});

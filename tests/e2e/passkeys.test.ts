import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { barriers } from './support/barriers.ts';
import { launchBrowser } from './support/browser.ts';
import { sitDown, type Person } from './support/person.ts';
import { api, demoPassword, freePort, type RunningServer, startServer, tokenOf } from './support/server.ts';
import type { Stage } from './support/stage.ts';

/** Browsers have no passkeys for addresses of digits: this server goes by a name. */
let server: RunningServer;
let browser: Browser;
let stage: Stage;
beforeAll(async () => {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const env = { DOORWARD_PUBLIC_URL: url, DOORWARD_SIGN_IN_TRIES: '500', DOORWARD_SIGN_IN_TRIES_PER_IP: '500' };
  [server, browser] = await Promise.all([startServer({ port, env, copy: inject('seeded') }), launchBrowser()]);
  const token = await tokenOf(server, 'admin');
  stage = { server: { ...server, url }, browser, token, remembered: () => Promise.reject(new Error('nobody stays signed in here')) };
});
afterAll(async () => {
  await browser?.close();
  await server?.discard();
});

/** Gives this window an authenticator built into the device, whose owner agrees to everything. */
async function giveAuthenticator({ page, context }: Person): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}
async function isSound({ page }: Person): Promise<void> {
  expect(await barriers(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBeLessThanOrEqual(1);
}
async function leave(person: Person): Promise<void> {
  await person.page.locator('.person-button').click();
  await person.page
    .getByRole('menuitem', { name: 'Sign out', exact: true })
    .or(person.page.getByRole('button', { name: 'Sign out', exact: true }))
    .first()
    .click();
  await person.page.waitForURL('**/login**');
}

it('somebody adds a passkey, signs out, signs in with it, and removes it', async () => {
  const irina = await sitDown(stage);
  await giveAuthenticator(irina);
  await irina.enter('manager');
  await irina.page.goto('/profile');
  await irina.press('Add a passkey');
  await irina.page.locator('#passkey-name').fill('Work laptop');
  await irina.page.locator('#passkey-password').fill(demoPassword);
  await isSound(irina);
  await irina.press('Create passkey');
  await irina.showsNotice('Passkey added');
  await irina.sees('Work laptop');
  await leave(irina);

  await irina.page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
  await isSound(irina);
  await irina.press('Sign in with a passkey');
  await irina.page.locator('.person-button').waitFor();
  await irina.page.goto('/profile');
  await irina.sees('Last used');
  await irina.press('Remove passkey “Work laptop”');
  await irina.page.locator('#own-password').fill(demoPassword);
  await irina.page.locator('dialog[open] button[type=submit]').click();
  await irina.showsNotice('Passkey removed');
  await leave(irina);
  await irina.press('Sign in with a passkey');
  await irina.sees('The passkey could not be verified');
  await irina.close();
});

it('a role that requires a second factor takes a passkey for it, and the password no longer', async () => {
  const { body } = await api<{ data: { id: string; name: string }[] }>(server, 'GET', '/roles?size=100', { token: stage.token });
  const role = body.data.find(({ name }) => name === 'Concierge')?.id ?? '';
  expect((await api(server, 'PATCH', `/roles/${role}`, { token: stage.token, body: { requires_second_factor: true } })).status).toBe(200);
  const leila = await sitDown(stage, { width: 390, height: 844, dark: true });
  await giveAuthenticator(leila);
  await leila.page.goto('/login');
  await leila.page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
  await leila.signIn('concierge2');
  await leila.page.waitForURL('**/second-factor**');
  await leila.press('Use a passkey');
  await leila.page.locator('#passkey-password').fill(demoPassword);
  await isSound(leila);
  await leila.press('Create passkey');
  await leila.page.waitForURL('**/home');
  await leila.page.goto('/profile');
  await leila.sees('so the last passkey cannot be removed');
  await isSound(leila);
  await leave(leila);
  await leila.signIn('concierge2');
  await leila.sees('sign in with your passkey');
  await leila.press('Sign in with a passkey');
  await leila.page.locator('.person-button').waitFor();
  await leila.close();
});

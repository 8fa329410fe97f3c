import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { freePort, startServer } from './support/server.ts';
import { sitDown } from './support/person.ts';
import { setStage } from './support/stage.ts';

// Open pages may speak to the SIP server they were told of, no other: it is there again after a restart.
const sipPort = String(await freePort());
const stage = setStage({ DOORWARD_SIP_PORT: sipPort });
const lost = /Live updates are off|not responding|No connection/;
const isControlled = (page: Page): Promise<unknown> => page.waitForFunction(() => navigator.serviceWorker.controller !== null);
const storedAnswers = (page: Page): Promise<number> => page.evaluate(async () => (await (await caches.open('doorward-last-answers')).keys()).length);

it('the console is kept in the browser: it opens while the server is away, says so, opens what it never fetched, and goes on by itself', async () => {
  const { page, context, errors, signIn } = await sitDown(stage, { offline: true });
  await signIn('admin', { remember: true });
  await page.locator('.person-button').waitFor();
  await isControlled(page);

  // Somebody who lives here has looked at what concerns them.
  const resident = await sitDown(stage, { offline: true, width: 390, height: 844 });
  await resident.enter('resident', { remember: true });
  const reserved = await resident.page.locator('.home-what a[href^="/amenities/reservations/"]').first().innerText();
  await isControlled(resident.page);
  await resident.page.goto('/conversations');
  const talk = await resident.page.locator('.talk-line-title').first().innerText();
  await expect.poll(() => storedAnswers(resident.page)).toBeGreaterThan(6);

  const { data, url } = stage.server;
  expect(await stage.server.stop()).toBe(0);
  await page.getByText(lost).first().waitFor();
  // A dialog whose code nobody has asked for yet.
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').waitFor();
  await page.keyboard.press('Escape');
  // What a guest was sent is not answered with the console.
  const guest = await context.newPage();
  await expect(guest.goto('/guest-access/0123456789012345678901')).rejects.toThrow('ERR_CONNECTION_REFUSED');
  await guest.close();
  // What was never seen cannot be shown, and the console says so.
  await page.goto('/users');
  await page
    .locator('.top-status')
    .getByText(/No connection: last updated/)
    .waitFor();
  await page.getByRole('button', { name: 'Try again' }).first().waitFor();

  await resident.page.goto('/home');
  await resident.page
    .locator('.top-status')
    .getByText(/No connection: last updated/)
    .waitFor();
  await resident.page.getByText(reserved).first().waitFor();
  await resident.page.goto('/conversations');
  await resident.page.getByText(talk).first().waitFor();

  const env = { DOORWARD_SIGN_IN_TRIES: '500', DOORWARD_SIGN_IN_TRIES_PER_IP: '500', DOORWARD_SIP_PORT: sipPort };
  const again = await startServer({ env, data, port: Number(new URL(url).port) });
  onTestFinished(async () => void (await again.stop()));
  await page.locator('.person-button').waitFor();
  for (const one of [page, resident.page]) await one.getByText(lost).first().waitFor({ state: 'detached' });
  // Whoever signs out leaves nothing behind.
  await resident.page.locator('.person-button').click();
  await resident.page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect.poll(() => storedAnswers(resident.page)).toBe(0);
  await resident.context.close();

  const session = await context.newCDPSession(page);
  const { errors: faults, data: manifest } = await session.send('Page.getAppManifest');
  expect(faults).toEqual([]);
  const { icons } = JSON.parse(manifest ?? '{}') as { icons: { src: string; type: string }[] };
  for (const { src, type } of icons) {
    const answer = await fetch(again.url + src);
    expect([src, answer.status, answer.headers.get('content-type')]).toEqual([src, 200, type]);
  }
  await context.close();
  expect(errors.filter((error) => !/WebSocket|ERR_CONNECTION|net::/.test(error))).toEqual([]);
});

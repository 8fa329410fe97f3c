import { expect, it, onTestFinished } from 'vitest';
import { freePort, startServer } from './support/server.ts';
import { sitDown } from './support/person.ts';
import { setStage } from './support/stage.ts';

// Open pages may speak to the SIP server they were told of, no other: it is there again after a restart.
const sipPort = String(await freePort());
const stage = setStage({ DOORWARD_SIP_PORT: sipPort });
const lost = /Live updates are off|not responding|No connection/;

it('the console is kept in the browser: it opens while the server is away, says so, opens what it never fetched, and goes on by itself', async () => {
  const { page, context, errors, signIn } = await sitDown(stage, { offline: true });
  await signIn('admin', { remember: true });
  await page.locator('.person-button').waitFor();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, { timeout: 60_000 });

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
  await page.goto('/users');
  await page
    .getByText(/not responding/)
    .first()
    .waitFor();

  const env = { DOORWARD_SIGN_IN_TRIES: '500', DOORWARD_SIGN_IN_TRIES_PER_IP: '500', DOORWARD_SIP_PORT: sipPort };
  const again = await startServer({ env, data, port: Number(new URL(url).port) });
  onTestFinished(async () => void (await again.stop()));
  await page.locator('.person-button').waitFor();
  await page.getByText(lost).first().waitFor({ state: 'detached' });

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

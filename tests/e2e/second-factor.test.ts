import { expect, it } from 'vitest';
import { codeOf, stepOf } from '#server/modules/second-factor/totp.ts';
import { barriers } from './support/barriers.ts';
import { sitDown, type Person } from './support/person.ts';
import { api, demoPassword } from './support/server.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();

/** The codes of an app; each may be used once, so the next one is that of the next half minute, which counts already. */
function appOf(secret: string) {
  let last = 0;
  return () => {
    last = Math.max(last + 1, stepOf(new Date()));
    return codeOf(secret, last);
  };
}
const secretOn = async ({ page }: Person): Promise<string> => (await page.locator('.second-secret').innerText()).replaceAll(/\s/g, '');
async function isSound({ page }: Person): Promise<void> {
  expect(await barriers(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBeLessThanOrEqual(1);
}
async function giveCode({ page }: Person, code: string): Promise<void> {
  await page.locator('#second-code').fill(code);
  await page.locator('form button[type=submit]').click();
}
const rolesNamed = async (name: string): Promise<string> => {
  const { body } = await api<{ data: { id: string; name: string }[] }>(stage.server, 'GET', '/roles?size=100', { token: stage.token });
  return body.data.find((role) => role.name === name)?.id ?? '';
};

it('somebody sets up an app, signs in with its code, then with a recovery code, and turns it off', async () => {
  const irina = await sitDown(stage);
  await irina.enter('manager');
  await irina.page.goto('/profile');
  await irina.press('Set up');
  await irina.page.locator('#own-password').fill(demoPassword);
  await irina.press('Continue');
  await irina.page.locator('.second-secret').waitFor();
  await isSound(irina);
  const app = appOf(await secretOn(irina));
  await irina.page.locator('#app-code').fill(app());
  await irina.press('Turn on');
  await irina.sees('Keep these recovery codes in a safe place');
  const recovery = await irina.page.locator('.recovery-codes code').allInnerTexts();
  expect(recovery).toHaveLength(10);
  await irina.press('I have saved them');
  await irina.sees('10 recovery codes left');
  await irina.close();

  const again = await sitDown(stage, { width: 390, height: 844, dark: true });
  await again.signIn('manager');
  await again.sees('Enter the code');
  await isSound(again);
  await giveCode(again, '000000');
  await again.sees('The code is not valid.');
  await giveCode(again, app());
  await again.page.waitForURL('**/home');
  await again.close();

  const lost = await sitDown(stage, { locale: 'ru-RU' });
  await lost.signIn('manager');
  await lost.sees('Введите код');
  await giveCode(lost, recovery[0] ?? '');
  await lost.page.waitForURL('**/home');
  await lost.page.goto('/profile');
  // What one reads in from here on is the person's language, no longer the browser's.
  await lost.sees('9 recovery codes left');
  await lost.press('Turn off');
  await lost.page.locator('#own-password').fill(demoPassword);
  await lost.page.locator('dialog[open] button[type=submit]').click();
  await lost.showsNotice('Two-factor sign-in turned off');
  await lost.close();
});

it('a role that requires a second factor lets nobody past without', async () => {
  const role = await rolesNamed('Concierge');
  expect((await api(stage.server, 'PATCH', `/roles/${role}`, { token: stage.token, body: { requires_second_factor: true } })).status).toBe(200);
  const leila = await sitDown(stage, { width: 390, height: 844 });
  await leila.signIn('concierge2');
  await leila.page.waitForURL('**/second-factor**');
  await leila.sees('Your role requires a code');
  await leila.page.goto('/users');
  await leila.page.waitForURL('**/second-factor?redirect=%2Fusers');
  await isSound(leila);
  const token = await leila.page.evaluate(() => (JSON.parse(sessionStorage.getItem('doorward.session') ?? '{}') as { token?: string }).token);
  const refused = await api<{ error: { code: string } }>(stage.server, 'GET', '/users', { token: String(token) });
  expect([refused.status, refused.body.error.code]).toEqual([403, 'second_factor_required']);
  await leila.page.locator('#own-password').fill(demoPassword);
  await leila.press('Continue');
  const app = appOf(await secretOn(leila));
  await leila.page.locator('#app-code').fill(app());
  await leila.press('Turn on');
  await leila.press('I have saved them');
  await leila.page.waitForURL('**/users');
  await leila.page.goto('/profile');
  await leila.sees('Your role requires it');
  await leila.close();
});

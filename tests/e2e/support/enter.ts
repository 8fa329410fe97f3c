import type { Page } from 'playwright-core';
import { longestWait } from '#tests/support/in-time.ts';
import { demoPassword } from './server.ts';

interface SignIn {
  password?: string;
  remember?: boolean;
}

/** Fills the sign-in form; goes there first where the page shows something else. */
async function fillIn(page: Page, login: string, { password = demoPassword, remember = false }: SignIn): Promise<void> {
  if (!page.url().includes('/login')) await page.goto('/login');
  await page.locator('#login').fill(login);
  await page.locator('#password').fill(password);
  if (remember) await page.getByLabel('Stay signed in on this device').check();
}
const press = (page: Page): Promise<void> => page.locator('form button[type=submit]').click();

/** Sends the sign-in form once, and waits for no answer. */
export async function enterOnce(page: Page, login: string, options: SignIn = {}): Promise<void> {
  await fillIn(page, login, options);
  await press(page);
}

/** What the page says after three seconds without an answer, whether that comes later or not. */
const tooLate = /The server did not respond in time|Сервер не ответил вовремя/;

/** Sends the sign-in form. @returns whether the page gave up on the server's answer */
async function givesUp(page: Page): Promise<boolean> {
  await press(page);
  await page.locator('form[aria-busy="true"]').waitFor({ state: 'hidden' });
  return page.getByText(tooLate).isVisible();
}

/** Sends the sign-in form; again where the server is too slow for the page, as one may be that has just started on a busy machine. */
export async function enter(page: Page, login: string, options: SignIn = {}): Promise<void> {
  await fillIn(page, login, options);
  const until = performance.now() + 4 * longestWait;
  while ((await givesUp(page)) && performance.now() < until);
}

/** Signs in and waits for the console. @throws Error with what the page says instead */
export async function enterConsole(page: Page, login: string, options: SignIn = {}): Promise<void> {
  await enter(page, login, options);
  const inside = page.locator('.person-button').waitFor();
  await inside.catch(async () => {
    throw new Error(`${login} could not sign in: ${await page.locator('main, body').first().innerText()}`);
  });
}

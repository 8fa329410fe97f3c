import type { Page } from 'playwright-core';
import { demoPassword } from './server.ts';

/** Fills the sign-in form and sends it; goes there first where the page shows something else. */
export async function enter(page: Page, login: string, { password = demoPassword, remember = false } = {}): Promise<void> {
  if (!page.url().includes('/login')) await page.goto('/login');
  await page.locator('#login').fill(login);
  await page.locator('#password').fill(password);
  if (remember) await page.getByLabel('Stay signed in on this device').check();
  await page.locator('form button[type=submit]').click();
}

/**
 * Signs in until the console is there: a page gives up on a server that needs more than three seconds, as one may that has just started on a busy
 * machine. @throws Error with what the page says after the third try
 */
export async function enterConsole(page: Page, login: string, options: { password?: string; remember?: boolean } = {}): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    await enter(page, login, options);
    const inside = await page
      .locator('.person-button')
      .waitFor({ timeout: 15_000 })
      .then(
        () => true,
        () => false,
      );
    if (inside) return;
    if (tries === 3) throw new Error(`${login} could not sign in: ${await page.locator('main, body').first().innerText()}`);
  }
}

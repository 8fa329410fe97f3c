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

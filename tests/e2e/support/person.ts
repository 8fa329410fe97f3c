import { expect } from 'vitest';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { openWindow } from './browser.ts';
import { demoPassword } from './server.ts';

/** Somebody at a window of the console, in the words people use; what they do goes through the real buttons. */
export interface Person {
  page: Page;
  context: BrowserContext;
  /** Errors the page must not have had; check it is empty at the end. */
  errors: string[];
  signIn: (login: string, password?: string, remember?: boolean) => Promise<void>;
  /** Opens a screen from the side menu. */
  open: (entry: string) => Promise<void>;
  /** The input with this label. */
  field: (label: string) => Locator;
  /** The frame of the field at this path of the draft, with label, control and message. */
  frame: (path: string) => Locator;
  fill: (label: string, value: string) => Promise<void>;
  /** Chooses rows of another area in the sheet of a field; searches for each by name. */
  choose: (path: string, ...names: string[]) => Promise<void>;
  press: (button: string) => Promise<void>;
  /** Waits until a message with this text stands in the alerts area. */
  told: (text: string | RegExp) => Promise<void>;
  sees: (text: string | RegExp) => Promise<void>;
  close: () => Promise<void>;
}

export async function sitDown(browser: Browser, url: string, options: Parameters<typeof openWindow>[2] = {}): Promise<Person> {
  const { page, context, errors } = await openWindow(browser, url, options);
  const field = (label: string) => page.getByRole('textbox', { name: label, exact: true });
  const frame = (path: string) => page.locator(`.field[data-path="${path}"]`);
  const press = (button: string) => page.getByRole('button', { name: button, exact: true }).click();
  const choose = async (path: string, ...names: string[]) => {
    await frame(path).locator('button').last().click();
    const sheet = page.locator('dialog.sheet[open]');
    for (const name of names) {
      await sheet.getByRole('searchbox').fill(name);
      await sheet.locator('.sheet-line', { hasText: name }).first().click();
    }
    const done = sheet.getByRole('button', { name: /^Choose \d+$/ });
    if (await sheet.isVisible().catch(() => false)) if (await done.isVisible().catch(() => false)) await done.click();
    await sheet.waitFor({ state: 'hidden' });
  };
  return {
    page,
    context,
    errors,
    field,
    frame,
    press,
    choose,
    signIn: async (login, password = demoPassword, remember = false) => {
      if (!page.url().includes('/login')) await page.goto('/login');
      await page.locator('#login').fill(login);
      await page.locator('#password').fill(password);
      if (remember) await page.getByLabel('Stay signed in on this device').check();
      await page.locator('form button[type=submit]').click();
    },
    open: async (entry) => {
      await page.getByRole('navigation').getByRole('link', { name: entry, exact: true }).click();
    },
    fill: (label, value) => field(label).fill(value),
    told: async (text) => {
      await page.locator('.alert-stack .alert', { hasText: text }).first().waitFor();
    },
    sees: async (text) => {
      await page.getByText(text).first().waitFor();
    },
    close: async () => {
      await context.close();
      expect(errors).toEqual([]);
    },
  };
}

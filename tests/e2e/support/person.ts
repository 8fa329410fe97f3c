import { expect } from 'vitest';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { longestWait } from '#tests/support/in-time.ts';
import { openWindow } from './browser.ts';
import { enter, enterConsole } from './enter.ts';
import type { Stage } from './stage.ts';

/** What a window is like, and where it looks. */
type WindowOptions = Parameters<typeof openWindow>[2] & { url?: string };

/** Somebody at a window of the console, in the words people use; what they do goes through the real buttons. */
export interface Person {
  page: Page;
  context: BrowserContext;
  /** Errors the page must not have had; check it is empty at the end. */
  errors: string[];
  signIn: (login: string, options?: { password?: string; remember?: boolean }) => Promise<void>;
  /** Signs in, and stands in the console after it. */
  enter: (login: string, options?: { password?: string; remember?: boolean }) => Promise<void>;
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
  showsNotice: (text: string | RegExp, timeout?: number) => Promise<void>;
  sees: (text: string | RegExp, timeout?: number) => Promise<void>;
  close: () => Promise<void>;
}

/** Somebody who sits down at a new window and has not signed in. */
export async function sitDown(stage: Stage, { url = stage.server.url, ...options }: WindowOptions = {}): Promise<Person> {
  const { page, context, errors } = await openWindow(stage.browser, url, options);
  const field = (label: string) => page.getByRole('textbox', { name: label, exact: true });
  const frame = (path: string) => page.locator(`.field[data-path="${path}"]`);
  const press = (button: string) => page.getByRole('button', { name: button, exact: true }).click();
  const choose = async (path: string, ...names: string[]) => {
    await frame(path).locator('button').last().click();
    const sheet = page.locator('dialog.sheet[open]');
    for (const name of names) {
      await sheet.getByRole('searchbox').first().fill(name);
      // By how the line begins: below its name stands a place, in which the name may occur as well.
      await sheet
        .locator('.sheet-line', { hasText: new RegExp(`^${name.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)}`) })
        .first()
        .click();
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
    signIn: (login, options) => enter(page, login, options),
    enter: (login, options) => enterConsole(page, login, options),
    open: async (entry) => {
      await page.getByRole('navigation').getByRole('link', { name: entry, exact: true }).click();
    },
    fill: (label, value) => field(label).fill(value),
    showsNotice: async (text, timeout) => {
      await page
        .locator('.alert-stack .alert', { hasText: text })
        .first()
        .waitFor({ ...(timeout !== undefined && { timeout }) });
    },
    sees: async (text, timeout) => {
      await page
        .getByText(text)
        .first()
        .waitFor({ ...(timeout !== undefined && { timeout }) });
    },
    close: async () => {
      await context.close();
      expect(errors, errors.join('\n')).toEqual([]);
    },
  };
}

/** Somebody who has just signed in by the form and has the home page before them. */
export async function signedIn(
  stage: Stage,
  login: string,
  { remember = false, ...options }: WindowOptions & { remember?: boolean } = {},
): Promise<Person> {
  const person = await sitDown(stage, options);
  await person.enter(login, { remember });
  return person;
}

/**
 * Somebody who signed in once before and has the page at this path before them, the home page where none is said. All such windows share one
 * session: it must not be ended or renewed.
 */
export async function atWork(stage: Stage, login = 'admin', { at = '/home', ...options }: WindowOptions & { at?: string } = {}): Promise<Person> {
  const person = await sitDown(stage, { storageState: await stage.remembered(login), ...options });
  await person.page.goto(at);
  await person.page.locator('.person-button').waitFor();
  return person;
}

/** Adds a record from its list by the form, and comes back to the list. */
export async function add(person: Person, kind: 'group' | 'role' | 'user', fill: () => Promise<void>): Promise<void> {
  await person.open(`${kind.charAt(0).toUpperCase()}${kind.slice(1)}s`);
  await person.press(`Add ${kind}`);
  await fill();
  await person.press('Save');
  const isSaved = (): boolean => new URL(person.page.url()).pathname === `/${kind}s`;
  // Where the answer did not come in time, the page says that one may safely try again.
  const again = person.page.getByRole('button', { name: 'Try again', exact: true });
  const insist = async (): Promise<boolean> => {
    if (!isSaved()) await again.click({ timeout: 200 }).catch(() => {});
    return isSaved();
  };
  await expect.poll(insist, { timeout: 3 * longestWait }).toBe(true);
  await person.showsNotice('Done');
}

/** Adds a person by the form, finds them in the list and opens them. */
export async function addUser(person: Person, user: { name: string; login: string; email: string; role: string; group: string }): Promise<void> {
  await add(person, 'user', async () => {
    await person.fill('Name', user.name);
    await person.fill('Login', user.login);
    await person.fill('E-mail', user.email);
    await person.choose('role', user.role);
    await person.choose('domains', user.group);
  });
  await person.page.getByRole('searchbox').fill(user.email);
  await person.page.locator('tbody tr', { hasText: user.name }).first().click();
}

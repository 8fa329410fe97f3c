import type { Page, Response, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { inTime } from '#tests/support/in-time.ts';
import { crash } from './support/browser.ts';
import { enter } from './support/enter.ts';
import { calm, expireToken } from './support/expiry.ts';
import { type Person, signedIn } from './support/person.ts';
import { setStage } from './support/stage.ts';

// One tab may die without the other: browsers let tabs of one site share a process where there are many.
const stage = setStage({}, ['--process-per-tab', '--renderer-process-limit=50']);

/** Opens more tabs of the window in which somebody works, at the list of users. */
const openTabs = ({ context }: Person, count: number): Promise<Page[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const tab = await context.newPage();
      await tab.goto('/users');
      await tab.locator('tbody tr').first().waitFor();
      return tab;
    }),
  );
/** Goes to another screen in this tab, which comes to the front: the browser draws no other. */
const goTo = async (page: Page, entry: string): Promise<void> => {
  await page.bringToFront();
  await page.getByRole('navigation').getByRole('link', { name: entry, exact: true }).click();
};

const tokenIn = (page: Page): Promise<string> =>
  page.evaluate(
    () =>
      Object.values(localStorage)
        .join(' ')
        .match(/"token":"([^"]+)"/)?.[1] ?? '',
  );
const isUsers = (answer: Response): boolean => new URL(answer.url()).pathname.endsWith('/users');

describe('an outdated token of two tabs', () => {
  it('is exchanged by one of them (S6)', async () => {
    const one = await signedIn(stage, 'manager', { remember: true });
    const [two] = (await openTabs(one, 1)) as [Page];
    await goTo(two, 'Home');
    await Promise.all([one.page, two].map(calm));
    const [first, second] = [await expireToken(one.page), await expireToken(two)];
    const answers = [one.page, two].map((tab) => tab.waitForResponse((answer) => answer.ok() && isUsers(answer)));
    await goTo(one.page, 'Users');
    await goTo(two, 'Users');
    await Promise.all(answers);
    expect(first.refreshes() + second.refreshes()).toBe(1);
    await one.close();
  });

  it('is exchanged by the other where the first dies in it (S7)', async () => {
    const one = await signedIn(stage, 'manager', { remember: true });
    const [two] = (await openTabs(one, 1)) as [Page];
    await goTo(two, 'Home');
    await two.getByRole('link', { name: /^See all \d+ users$/ }).waitFor();
    await Promise.all([one.page, two].map(calm));
    const [, second] = [await expireToken(one.page), await expireToken(two)];
    const hanging: Route[] = [];
    await one.page.route('**/api/v0/refresh', (route) => void hanging.push(route));
    await goTo(one.page, 'Users');
    await expect.poll(() => hanging.length).toBe(1);
    await goTo(two, 'Users');
    await expect.poll(second.rejected).toBeGreaterThan(0);
    expect(second.refreshes()).toBe(0);
    const answered = two.waitForResponse((answer) => answer.ok() && isUsers(answer));
    const started = performance.now();
    await crash(one.page);
    await answered;
    expect(performance.now() - started).toBeLessThan(inTime(5_000));
    await two.locator('tbody tr').nth(3).waitFor();
    expect(second.refreshes()).toBe(1);
    expect(new URL(two.url()).pathname).toBe('/users');
    await one.close();
  });
});

it('signing out in one tab signs out all three at once, and the token is dead (S9)', async ({ annotate }) => {
  const person = await signedIn(stage, 'concierge', { remember: true });
  const tabs = [person.page, ...(await openTabs(person, 2))];
  const times: number[] = [];
  await person.page.bringToFront();
  for (let round = 0; round < 5; round += 1) {
    const authorization = `Bearer ${await tokenIn(person.page)}`;
    expect((await fetch(`${stage.server.url}/api/v0/profile`, { headers: { authorization } })).status).toBe(200);
    await person.page.getByRole('button', { name: /^Profile menu/ }).click();
    const started = performance.now();
    await person.press('Sign out');
    await Promise.all(tabs.map((tab) => tab.waitForURL(/\/login/, { waitUntil: 'commit' })));
    times.push(performance.now() - started);
    // The pages do not wait for the server's answer.
    await expect
      .poll(async () => (await fetch(`${stage.server.url}/api/v0/profile`, { headers: { authorization } })).status, { timeout: inTime(5_000) })
      .toBe(401);
    await enter(person.page, 'concierge', { remember: true });
    await Promise.all(tabs.map((tab) => tab.locator('.person-button').waitFor()));
  }
  const [, , median = 0] = times.toSorted((one, other) => one - other);
  await annotate(`median of five: ${Math.round(median)} ms`);
  expect(median).toBeLessThan(inTime(2_000));
  await person.close();
});

import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { inTime } from '#tests/support/in-time.ts';
import { barriers } from './support/barriers.ts';
import { atWork } from './support/person.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();
/** What is to happen within a second, and how long a busy machine may take to draw it. */
const soon = { timeout: inTime(5_000) };

it('a poll goes to Tower B: a resident answers, the results follow, nobody else sees it, and stopping closes it everywhere', async () => {
  const title = `Lamps ${randomUUID().slice(0, 6)}`;
  const manager = await atWork(stage, 'manager', { at: '/announces/add' });
  const { page } = manager;
  await page.getByLabel('Type').selectOption('poll');
  await manager.fill('Title', title);
  await page.getByRole('textbox', { name: 'Text' }).fill('Which lamps shall we buy?');
  await page.getByRole('button', { name: 'Bold' }).click();
  await manager.press('Save');
  await manager.sees('Choose recipients for the announcement');
  await manager.sees('Add answers to the poll, or allow a custom answer');
  await manager.press('Add answer');
  await page.getByRole('textbox', { name: 'Answer 1' }).fill('Warm white');
  await manager.press('Add answer');
  await page.getByRole('textbox', { name: 'Answer 2' }).fill('<b>Cold</b> white');
  await manager.choose('domains', 'Tower B');
  await page.locator('.reach-line', { hasText: /\d+ recipients/ }).waitFor();
  await manager.press('Save');
  await page.locator('tbody tr', { hasText: title }).click();
  await manager.press('Send');
  const dialog = page.locator('dialog.modal[open]');
  await dialog.getByText(/\d+ recipients/).waitFor();
  await dialog.getByText('Which lamps shall we buy?').waitFor();
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Responses', exact: true }).last().click();
  await page.getByRole('heading', { name: title, exact: true }).waitFor();

  const outsider = await atWork(stage, 'concierge2', { at: '/notifications' });
  await outsider.page.locator('.inbox-head, .empty-state').first().waitFor();
  expect(await outsider.page.getByText(title).count()).toBe(0);

  const resident = await atWork(stage, 'resident');
  // It stands on the home page too.
  await resident.page.locator('.home-row', { hasText: title }).getByText('Answer requested').waitFor(soon);
  await resident.page.goto('/notifications');
  await resident.page.locator('.inbox-row', { hasText: title }).locator('.inbox-ways a').click();
  await resident.page.waitForURL('**/announce/*');
  await resident.page.getByRole('heading', { name: title, exact: true }).waitFor();
  // What somebody typed is text.
  await resident.page.getByRole('radio', { name: '<b>Cold</b> white' }).check();
  const submitted = performance.now();
  const result = page.locator('.poll-result', { hasText: '<b>Cold</b> white' });
  const counted = result
    .getByText('1 vote')
    .waitFor(soon)
    .then(() => console.info(`a vote was counted in the results ${Math.round(performance.now() - submitted)} ms after it was submitted`));
  await resident.press('Submit answer');
  await resident.sees('You answered: <b>Cold</b> white');
  await counted;
  await page.locator('.responses-table tr', { hasText: '<b>Cold</b> white' }).waitFor(soon);
  const [file] = await Promise.all([page.waitForEvent('download'), manager.press('Download CSV')]);
  expect(file.suggestedFilename()).toBe(`${title}.csv`);

  await outsider.page.goto(new URL(resident.page.url()).pathname);
  await outsider.sees('This announcement was not found, or it was not sent to you.');

  await page.goBack();
  await manager.press('Withdraw');
  await page.locator('dialog.modal[open]').getByRole('button', { name: 'Withdraw', exact: true }).click();
  await resident.page.getByText('This announcement was withdrawn.').waitFor(soon);
  expect(await resident.page.getByText('Which lamps shall we buy?').count()).toBe(0);
  await outsider.close();
  await resident.close();
  await manager.close();
});

it('an announcement stands on the screens of Tower B until it is withdrawn; hostile text is text there too', async () => {
  const title = `Pipes ${randomUUID().slice(0, 6)} <script>alert(1)</script>`;
  const manager = await atWork(stage, 'manager', { at: '/announces/add' });
  const { page } = manager;
  await manager.fill('Title', title);
  await page.getByRole('textbox', { name: 'Text' }).fill('Water is off from 9 to 11 <b>today</b> 🚰');
  await page.getByRole('checkbox', { name: 'E-mail' }).uncheck();
  await page.getByRole('checkbox', { name: 'Device screens' }).check();
  await manager.choose('domains', 'Tower B');
  await page.locator('.reach-line', { hasText: /shown on \d+ screens/ }).waitFor();
  expect(await barriers(page)).toEqual([]);
  await manager.press('Save');
  await page.locator('tbody tr', { hasText: title }).click();
  await manager.press('Send');
  const dialog = page.locator('dialog.modal[open]');
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });

  const stager = await atWork(stage, 'admin', { at: '/simulator' });
  await stager.page.getByRole('searchbox', { name: 'Find a device' }).fill('Monitor B 22');
  await stager.page.locator('.simulator-row', { hasText: 'Monitor B 22' }).first().click();
  const screen = stager.page.getByRole('region', { name: 'On the screen' });
  await screen.getByRole('heading', { name: title }).waitFor();
  await screen.getByText('Water is off from 9 to 11 <b>today</b> 🚰').waitFor();
  expect(await barriers(stager.page)).toEqual([]);
  await page
    .locator('.announce-channel', { hasText: 'Device screens' })
    .getByText(/\d+ shown/)
    .waitFor();

  await manager.press('Withdraw');
  await page.locator('dialog.modal[open]').getByRole('button', { name: 'Withdraw', exact: true }).click();
  await screen.getByRole('heading', { name: title }).waitFor({ state: 'detached' });
  await stager.close();
  await manager.close();
});

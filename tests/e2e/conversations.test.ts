import { expect, it } from 'vitest';
import { inTime } from '#tests/support/in-time.ts';
import { barriers } from './support/barriers.ts';
import { atWork, type Person } from './support/person.ts';
import { api, tokenOf } from './support/server.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();
const fresh = (text: string): string => `${text} ${crypto.randomUUID().slice(0, 8)}`;
const said = ({ page }: Person, text: string) => page.locator('.talk-text', { hasText: text });
const write = async ({ page }: Person, text: string): Promise<void> => {
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill(text);
  await page.keyboard.press('Enter');
};

/** A resident writes to the desk from their home; the desk has the conversation open. */
async function talk(subject: string): Promise<{ resident: Person; desk: Person }> {
  const [resident, desk] = [await atWork(stage, 'resident'), await atWork(stage, 'concierge')];
  await resident.page.getByRole('link', { name: 'Message the front desk' }).click();
  const dialog = resident.page.getByRole('dialog');
  await dialog.getByRole('listitem').filter({ hasText: 'Marcus Webb' }).first().waitFor();
  await dialog.getByRole('textbox', { name: 'Subject', exact: true }).fill(subject);
  await dialog.getByRole('textbox', { name: 'Message', exact: true }).fill('Is anybody there?');
  expect(await barriers(resident.page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Send' }).click();
  await said(resident, 'Is anybody there?').waitFor();
  await desk.page.goto('/conversations');
  await desk.page.getByRole('link', { name: subject }).click();
  await said(desk, 'Is anybody there?').waitFor();
  return { resident, desk };
}

it('a resident and the desk talk live, and each sees what the other has read', async () => {
  const { resident, desk } = await talk(fresh('Visitor'));
  const begun = performance.now();
  await write(desk, 'Good evening, Marcus here.');
  await said(resident, 'Good evening, Marcus here.').waitFor();
  expect(performance.now() - begun).toBeLessThan(inTime(3_000));
  await desk.page.getByText(/Read/).last().waitFor();
  await write(resident, '<img src=x onerror=alert(1)> \u202Etxt.exe');
  await said(desk, '<img src=x onerror=alert(1)>').waitFor();
  expect(await desk.page.locator('.talk-text img').count()).toBe(0);
  expect(await barriers(desk.page)).toEqual([]);
  await resident.close();
  await desk.close();
});

it('what is written offline outlives a reload and is delivered once', async () => {
  const { resident, desk } = await talk(fresh('Elevator'));
  // The page itself comes through, so that it can be reloaded while nothing can be sent.
  await resident.page.route('**/api/v0/conversations/*/messages', (route) =>
    route.request().method() === 'PUT' ? route.abort('connectionreset') : route.continue(),
  );
  await write(resident, 'Written in the elevator');
  await resident.page.getByText('Waiting to be sent').waitFor();
  await resident.page.reload();
  await said(resident, 'Written in the elevator').waitFor();
  await resident.page.getByText('Waiting to be sent').waitFor();
  expect(await said(desk, 'Written in the elevator').count()).toBe(0);
  await resident.page.unroute('**/api/v0/conversations/*/messages');
  await said(desk, 'Written in the elevator').waitFor();
  await resident.page.getByText('Waiting to be sent').waitFor({ state: 'detached' });
  for (const person of [resident, desk]) {
    await person.page.reload();
    await said(person, 'Written in the elevator').waitFor();
    expect(await said(person, 'Written in the elevator').count()).toBe(1);
  }
  await resident.context.close();
  await desk.close();
});

it('what was typed stays over a reload, and the menu counts what is unread', async () => {
  const { resident, desk } = await talk(fresh('Parking'));
  await resident.page.getByRole('textbox', { name: 'Message', exact: true }).fill('Half a thou');
  await resident.page.reload();
  const box = resident.page.getByRole('textbox', { name: 'Message', exact: true });
  await box.waitFor();
  await expect.poll(() => box.inputValue(), { timeout: inTime(5_000) }).toBe('Half a thou');
  await desk.page.goto('/home');
  const entry = desk.page.getByRole('navigation').getByRole('link', { name: /^Conversations/ });
  await entry.waitFor();
  await box.fill('Are you still there?');
  await box.press('Enter');
  await entry.filter({ hasText: /unread/ }).waitFor();
  await resident.close();
  await desk.close();
});

it('a long conversation opens at its end; older messages come as one scrolls up, and what one reads stays in its place', async () => {
  const { resident, desk } = await talk(fresh('Long'));
  const [id] = /[\da-f-]{36}/.exec(desk.page.url()) ?? [];
  const token = await tokenOf(stage.server, 'resident');
  for (let number = 1; number <= 70; number += 1)
    await api(stage.server, 'PUT', `/conversations/${id}/messages`, {
      token,
      body: { client_id: crypto.randomUUID(), text: `Line number ${number}.` },
    });
  await desk.page.reload();
  await said(desk, 'Line number 70.').waitFor();
  expect(await said(desk, 'Line number 15.').count()).toBe(0);
  const log = desk.page.getByRole('log');
  // On a busy machine the page is still on its way to the end, and takes a first scroll back.
  await expect
    .poll(async () => {
      await log.evaluate((box) => box.scrollTo({ top: 300 }));
      await log.evaluate((box) => box.scrollTo({ top: 100 }));
      return said(desk, 'Line number 15.')
        .waitFor({ state: 'attached', timeout: 3_000 })
        .then(
          () => true,
          () => false,
        );
    })
    .toBe(true);
  // What was at the top is still within the page, not pushed away by those put before it.
  const [line, box] = [await said(desk, 'Line number 22.').boundingBox(), await log.boundingBox()];
  expect(Math.abs((line?.y ?? 0) - (box?.y ?? 0))).toBeLessThan(400);
  await resident.close();
  await desk.close();
});

import { afterAll, describe, expect, it } from 'vitest';
import { openAlarms, quieten, sense, simulated } from './support/alarms.ts';
import { openWindow } from './support/browser.ts';
import { type Desk, fakeMedia, giveSenses, leftNothing, onDuty, seesPictures } from './support/desk.ts';
import { panelAt } from './support/panel.ts';
import { setStage } from './support/stage.ts';

const stage = setStage({}, fakeMedia);
const windows: Desk[] = [];
afterAll(async () => {
  for (const { context } of windows) await context.close();
});

const card = ({ page }: Desk, name: string) => page.locator('.desk-calls .call', { has: page.locator('.call-title', { hasText: name }) });
const standing = (desk: Desk, name: string, text: string) => card(desk, name).locator('.call-standing').getByText(text, { exact: true }).waitFor();
/** Presses a key once the card offers what it does: a call that has just been answered takes a moment before it can be held, or its door is known. */
async function pressOffered(desk: Desk, name: string, button: string, key: string): Promise<void> {
  await card(desk, name).getByRole('button', { name: button, exact: true }).waitFor();
  await desk.page.keyboard.press(key);
}
const focused = (desk: Desk): Promise<string> =>
  desk.page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '');

/** A concierge at a small screen whose mouse is not plugged in: a press of it fails the test. */
async function atSmallScreen(): Promise<Desk> {
  const { page, context, errors } = await openWindow(stage.browser, stage.server.url, {
    width: 1280,
    height: 720,
    storageState: await stage.remembered('concierge'),
  });
  await giveSenses(
    context,
    700,
    "window.clicked = []; addEventListener('pointerdown', ({ target }) => window.clicked.push(target.outerHTML), true);",
  );
  const desk = { page, context, errors, pitch: 700 };
  windows.push(desk);
  await page.goto('/home');
  await page.locator('.phone-button[data-tone="good"]').waitFor();
  return desk;
}

describe('a shift by keyboard alone at 1280 × 720', () => {
  it('two calls, an SOS, hold and resume, a door, a transfer, a door of the list, an alarm', async () => {
    const desk = await atSmallScreen();
    const resident = await onDuty(stage, 'resident', 1_100);
    windows.push(resident);
    const { page } = desk;
    const { keyboard } = page;
    const lobby = await panelAt(stage, 'Tower A lobby');
    const gate = await panelAt(stage, 'River gate');

    // The first visitor is answered and put on hold; the door answers for itself.
    await lobby.call();
    await card(desk, 'Tower A lobby').waitFor();
    await keyboard.press('Alt+KeyA');
    await standing(desk, 'Tower A lobby', 'Talking');
    await pressOffered(desk, 'Tower A lobby', 'Hold', 'Alt+KeyH');
    await standing(desk, 'Tower A lobby', 'On hold (music playing)');
    await pressOffered(desk, 'Tower A lobby', 'Resume', 'Alt+KeyH');
    await standing(desk, 'Tower A lobby', 'Talking');
    await card(desk, 'Tower A lobby').getByRole('button', { name: 'Hold', exact: true }).waitFor();

    // An SOS during the call: its key asks, the key once more agrees.
    await gate.sos();
    await card(desk, 'River gate').waitFor();
    await keyboard.press('Alt+KeyA');
    await page.getByText('Hold Tower A lobby and answer the SOS call from River gate?').waitFor();
    await expect.poll(() => focused(desk)).toBe('Hold and answer');
    await keyboard.press('Alt+KeyA');
    await standing(desk, 'River gate', 'Talking');
    await pressOffered(desk, 'River gate', 'Open door', 'Alt+KeyO');
    await card(desk, 'River gate').getByText('Opened, confirmed by the device').waitFor();
    await keyboard.press('Alt+KeyQ');
    await page.locator('.desk-calls .call[data-status="destroyed"]').waitFor();
    await pressOffered(desk, 'Tower A lobby', 'Resume', 'Alt+KeyH');
    await standing(desk, 'Tower A lobby', 'Talking');

    // From talking to transferred in six presses.
    await seesPictures(desk);
    let presses = 0;
    const press = async (key: string): Promise<void> => {
      presses += 1;
      await keyboard.press(key);
    };
    await press('Alt+KeyT');
    await page.locator('.transfer input:focus').waitFor();
    for (const letter of 'hal') await press(letter);
    await page.locator('.transfer-found').getByText('Boris Hale').waitFor();
    await press('Enter');
    await press('Enter');
    expect(presses).toBeLessThanOrEqual(6);
    await card(resident, 'Tower A lobby').waitFor();
    await resident.page.keyboard.press('Alt+KeyA');
    await standing(resident, 'Tower A lobby', 'Talking');
    await resident.page.keyboard.press('Alt+KeyQ');
    await expect.poll(() => page.locator('.desk-calls .call').count()).toBe(0);

    // A door of the list: found by its place, held open by the key.
    await keyboard.press('Alt+KeyK');
    await page.getByRole('searchbox', { name: 'Find a door or place' }).and(page.locator(':focus')).waitFor();
    await keyboard.type('lobby tower b');
    await page.locator('.phone-part').getByRole('button', { name: 'Open door: Tower B lobby', exact: true }).waitFor();
    for (let steps = 0; steps < 8 && (await focused(desk)) !== 'Open door: Tower B lobby'; steps += 1) await keyboard.press('Tab');
    await keyboard.down('Enter');
    await page.locator('.phone-part .door-outcome').waitFor();
    await keyboard.up('Enter');
    await page.locator('.phone-part').getByText('Opened, confirmed by the device').waitFor();

    // An alarm is taken on and processed.
    await sense(stage, await simulated(stage, 'Gym'), 'trip', 'smoke');
    await page.locator('.alarm-row', { hasText: 'Gym' }).waitFor();
    await keyboard.press('Alt+KeyL');
    expect(await focused(desk)).toBe('Acknowledge');
    await keyboard.press('Enter');
    await page.locator('.alarm-row').getByText('Acknowledged by you').waitFor();
    await keyboard.press('Alt+KeyL');
    expect(await focused(desk)).toBe('Resolve');
    await keyboard.press('Enter');
    await page.locator('dialog[open] textarea:focus').waitFor();
    await keyboard.type('Burnt toast');
    for (let steps = 0; steps < 4 && (await focused(desk)) !== 'Resolve'; steps += 1) await keyboard.press('Tab');
    await keyboard.press('Enter');
    await page.locator('.alarm-row').waitFor({ state: 'detached' });
    expect(await openAlarms(stage)).toEqual([]);

    expect(await page.evaluate('clicked')).toEqual([]);
    await Promise.all([leftNothing(desk), leftNothing(resident)]);
    await quieten(stage);
  });
});

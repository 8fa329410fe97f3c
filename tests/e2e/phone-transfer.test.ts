import { afterEach, describe, expect, it } from 'vitest';
import { isFull } from '#tests/support/extent.ts';
import { type Desk, dial, fakeMedia, hears, hearsNothingOf, leftNothing, onDuty, press, sees, seesPictures } from './support/desk.ts';
import { type Panel, panelAt } from './support/panel.ts';
import { api } from './support/server.ts';
import { setStage } from './support/stage.ts';

const stage = setStage({}, fakeMedia);
const desks: Desk[] = [];
let panel: Panel | undefined;
const visitor = 'Tower A lobby';
const sit = async (login: string, pitch: number): Promise<Desk> => {
  const desk = await onDuty(stage, login, pitch);
  desks.push(desk);
  return desk;
};
afterEach(async () => {
  for (const { context } of desks.splice(0)) await context.close();
  await panel?.hangUp();
  panel = undefined;
});

const card = ({ page }: Desk, name: string) => page.locator('.desk-calls .call', { has: page.locator('.call-title', { hasText: name }) });
const acts = (desk: Desk, name: string, button: string | RegExp) => card(desk, name).getByRole('button', { name: button, exact: true });
/** Somebody stands before the panel and is answered by the desk. */
async function answered(): Promise<Desk> {
  const concierge = await sit('concierge', 700);
  panel = await panelAt(stage, visitor);
  await panel.call();
  await press(concierge, 'Answer');
  await seesPictures(concierge);
  return concierge;
}
const tab = ({ page }: Desk, name: string): Promise<void> => page.getByRole('tab', { name, exact: true }).click();
/** The ways to whoever is to have the call: at once, or after a word. */
const ways = {
  'the card': async (desk: Desk, how: 'Transfer now' | 'Talk first') => {
    await press(desk, 'Transfer');
    await desk.page.getByLabel('Transfer to').fill('1003');
    await desk.page.locator('.transfer').getByRole('button', { name: how, exact: true }).click();
  },
  'the keypad': async (desk: Desk, how: 'Transfer now' | 'Talk first') => {
    await tab(desk, 'Keypad');
    await desk.page.locator('.keypad-number').fill('1003');
    await desk.page.locator('.keypad').getByRole('button', { name: how, exact: true }).click();
  },
  'the contacts': async (desk: Desk, how: 'Transfer now' | 'Talk first') => {
    await tab(desk, 'Contacts');
    await desk.page.getByPlaceholder('Name, number or group').fill('1003');
    const name = how === 'Transfer now' ? 'Transfer the call to Boris Hale' : 'Talk to Boris Hale first';
    await desk.page.getByRole('button', { name, exact: true }).click();
  },
};

/** Each way with `npm run test:full`; one of them otherwise. */
const waysOf = (one: keyof typeof ways) => Object.entries(ways).filter(([name]) => isFull || name === one);

/** What comes in is no silence: the panel speaks, and nobody else is there to. */
async function hearsSomebody({ page }: Desk): Promise<void> {
  const energy = (): Promise<number> => page.evaluate("statOf('inbound-rtp', 'audio', 'totalAudioEnergy')");
  const before = await energy();
  await expect.poll(energy).toBeGreaterThan(before);
}

/** The resident is in talk with the visitor and lets them in; nothing of it is left at the desk. */
async function talksWithVisitor(resident: Desk, concierge: Desk): Promise<void> {
  await card(resident, visitor).locator('.call-standing', { hasText: 'Talking' }).waitFor();
  await Promise.all([hearsSomebody(resident), sees(concierge, 'Transferred'), leftNothing(concierge)]);
  await press(resident, 'Open door');
  await sees(resident, 'Opened, confirmed by the device');
  await expect.poll(() => concierge.page.locator('.call').count()).toBe(0);
}

describe('a visitor is handed on at once', () => {
  it('by keys alone, in six presses after the answer', async () => {
    const resident = await sit('resident', 1_100);
    const concierge = await sit('concierge', 700);
    panel = await panelAt(stage, visitor);
    await panel.call();
    await card(concierge, visitor).waitFor();
    const { keyboard } = concierge.page;
    await keyboard.press('Alt+KeyA');
    await seesPictures(concierge);
    await keyboard.press('Alt+KeyT');
    await concierge.page.locator('.transfer input:focus').waitFor();
    await keyboard.type('hal');
    await concierge.page.locator('.transfer-found').getByText('Boris Hale').waitFor();
    await keyboard.press('Enter');
    await keyboard.press('Enter');
    await card(resident, visitor).waitFor();
    await resident.page.keyboard.press('Alt+KeyA');
    await talksWithVisitor(resident, concierge);
    await resident.page.keyboard.press('Alt+KeyQ');
    await leftNothing(resident);
  });

  it.each(waysOf('the card'))('from %s', async (_, handOn) => {
    const resident = await sit('resident', 1_100);
    const concierge = await answered();
    await handOn(concierge, 'Transfer now');
    await card(resident, visitor).waitFor();
    await press(resident, 'Answer');
    await talksWithVisitor(resident, concierge);
    await press(resident, 'End');
    await leftNothing(resident);
  });
});

describe('a visitor is handed on after a word', () => {
  it.each(waysOf('the contacts'))('from %s', async (_, handOn) => {
    const resident = await sit('resident', 1_100);
    const concierge = await answered();
    await handOn(concierge, 'Talk first');
    await press(resident, 'Answer');
    await Promise.all([hears(resident, 700), hears(concierge, 1_100)]);
    await acts(concierge, 'Boris Hale', `Connect with ${visitor}`).click();
    await talksWithVisitor(resident, concierge);
    await seesPictures(resident);
    await resident.page.locator('.desk-calls video').waitFor();
    await panel?.hangUp();
    await sees(resident, 'The other party hung up');
    await leftNothing(resident);
    const { data } = (await api(stage.server, 'GET', '/calls/history?size=5', { token: stage.token })).body as { data: object[] };
    expect(data).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ from: expect.objectContaining({ name: visitor }), to: expect.objectContaining({ number: '1003' }) }),
        expect.objectContaining({ end_reason: 'transferred', answered_by: expect.objectContaining({ number: '1001' }) }),
      ]),
    );
  });

  it('or is gone back to, whoever is asked: rings in vain, declines, talks, or hangs up first', async () => {
    const resident = await sit('resident', 1_100);
    const concierge = await answered();
    const ask = () => ways['the card'](concierge, 'Talk first');
    await ask();
    await resident.page.getByRole('button', { name: 'Answer', exact: true }).waitFor();
    await acts(concierge, 'Boris Hale', `Cancel and go back to ${visitor}`).click();
    await seesPictures(concierge);
    await ask();
    await press(resident, 'Decline');
    await sees(concierge, 'Busy');
    await acts(concierge, visitor, 'Resume').click();
    await seesPictures(concierge);
    await ask();
    await press(resident, 'Answer');
    await hears(concierge, 1_100);
    await acts(concierge, 'Boris Hale', `End and go back to ${visitor}`).click();
    await seesPictures(concierge);
    await sees(resident, 'The other party hung up');
    await ask();
    await press(resident, 'Answer');
    await hears(concierge, 1_100);
    await press(resident, 'End');
    await acts(concierge, visitor, 'Resume').click();
    await seesPictures(concierge);
    await hearsNothingOf(concierge, 1_100);
    await ask();
    await press(resident, 'Answer');
    await hears(concierge, 1_100);
    await panel?.hangUp();
    await card(concierge, visitor)
      .getByText('The caller hung up')
      .or(card(concierge, visitor).getByText('The other party hung up'))
      .first()
      .waitFor();
    expect(await concierge.page.locator('.call-on-hold').count()).toBe(0);
    await hears(concierge, 1_100);
    await press(concierge, 'End');
    await Promise.all([leftNothing(concierge), leftNothing(resident)]);
  });

  it('also where the desk holds the call and calls by itself', async () => {
    const resident = await sit('resident', 1_100);
    const concierge = await answered();
    await press(concierge, 'Hold');
    await sees(concierge, 'On hold (music playing)');
    await dial(concierge, '1003');
    await press(resident, 'Answer');
    await hears(concierge, 1_100);
    await acts(concierge, 'Boris Hale', `Connect with ${visitor}`).click();
    await talksWithVisitor(resident, concierge);
    await press(resident, 'End');
    await leftNothing(resident);
  });
});

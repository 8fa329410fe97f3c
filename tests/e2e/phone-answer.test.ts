import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { openWindow } from './support/browser.ts';
import { type Desk, fakeMedia, giveSenses, leftNothing, onDuty, openPhone } from './support/desk.ts';
import { type Panel, panelAt } from './support/panel.ts';
import { setSipGate, type SipGate } from './support/sip-gate.ts';
import { setStage } from './support/stage.ts';

const stage = setStage({}, fakeMedia);
const desks: Desk[] = [];
let panel: Panel | undefined;
afterEach(async () => {
  await panel?.hangUp();
  panel = undefined;
  for (const { context } of desks.splice(0)) await context.close();
});

const calls = '.desk-calls .calls';
const button = (page: Page, name: string | RegExp) => page.locator(calls).getByRole('button', { name, exact: true });
const standing = (page: Page, text: string) => page.locator(`${calls} .call-standing`).getByText(text, { exact: true }).waitFor();

/** A desk whose calls wait at a gate. */
async function gated(size: { width: number; height: number }): Promise<{ desk: Desk; sip: SipGate }> {
  const { page, context, errors } = await openWindow(stage.browser, stage.server.url, { ...size, storageState: await stage.remembered('concierge') });
  await giveSenses(context, 700);
  const desk = { page, context, errors, pitch: 700 };
  desks.push(desk);
  const sip = await setSipGate(page);
  await page.goto('/home');
  await openPhone(page);
  return { desk, sip };
}

/** Acts in the page the moment a card with an Answer is drawn, faster than any hand; what it did is kept in `pressed`. */
const atOnce = (act: string): string => `
  window.pressed = 0;
  new MutationObserver((_, watch) => {
    const answer = [...document.querySelectorAll('${calls} button')].find(({ textContent }) => textContent === 'Answer');
    if (!answer) return;
    watch.disconnect();
    window.pressed += 1;
    ${act}
  }).observe(document.body, { childList: true, subtree: true });
`;

describe('Answer pressed the moment a call appears', () => {
  it.each([
    ['with the mouse', 'answer.click();'],
    ['by its key', "document.dispatchEvent(new KeyboardEvent('keydown', { code: 'KeyA', altKey: true, bubbles: true, cancelable: true }));"],
  ])('is carried out: %s', async (_, act) => {
    const desk = await onDuty(stage, 'concierge', 700);
    desks.push(desk);
    panel = await panelAt(stage, 'Tower A lobby');
    await desk.page.evaluate(atOnce(act));
    await panel.call();
    await standing(desk.page, 'Talking');
    expect(await desk.page.evaluate('pressed')).toBe(1);
    await panel.hangUp();
    await desk.page.locator(`${calls} .call[data-status="destroyed"]`).waitFor();
    await leftNothing(desk);
  });
});

describe('the card of a call', () => {
  it.each([
    [1440, 900],
    [1280, 720],
    [390, 844],
  ])('has Answer in one place from its first word to the ring, and nothing that ends the call comes there (%i x %i)', async (width, height) => {
    const { desk, sip } = await gated({ width, height });
    const { page } = desk;
    sip.hold('offer', 'answer');
    panel = await panelAt(stage, 'Tower A lobby');
    await panel.call();
    await standing(page, 'Waiting in the queue');
    const place = await button(page, 'Answer').boundingBox();
    if (!place) throw new Error('no Answer');
    await sip.pass('offer');
    await standing(page, 'Ringing');
    expect(await button(page, 'Answer').boundingBox()).toEqual(place);
    const [x, y] = [place.x + place.width / 2, place.y + place.height / 2];
    const under = () => page.evaluate<string>(`document.elementFromPoint(${x}, ${y})?.closest('button')?.textContent ?? ''`);
    await page.mouse.click(x, y);
    await standing(page, 'Answering…');
    expect(await under()).toBe('Answering…');
    await sip.pass('answer');
    await standing(page, 'Talking');
    expect(await under()).not.toMatch(/End|Decline|Cancel/);
  });
});

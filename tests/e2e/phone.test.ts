import { afterEach, describe, expect, it } from 'vitest';
import { inTime } from '#tests/support/in-time.ts';
import { type Desk, dial, fakeMedia, hears, hearsNothingOf, leftNothing, onDuty, openPhone, press, sees, seesPictures } from './support/desk.ts';
import { expireToken } from './support/expiry.ts';
import { type Panel, panelAt } from './support/panel.ts';
import { setStage } from './support/stage.ts';

const stage = setStage({}, fakeMedia);
const desks: Desk[] = [];
const rung: Panel[] = [];
const sit = async (login: string, pitch: number): Promise<Desk> => {
  const desk = await onDuty(stage, login, pitch);
  desks.push(desk);
  return desk;
};
afterEach(async () => {
  for (const { context } of desks.splice(0)) await context.close();
  // A call of the queue outlives its desk; the visitors go.
  for (const panel of rung.splice(0)) await panel.hangUp();
});

/** Somebody does something at a panel of the demo. */
async function atPanel(name: string, act: 'call' | 'sos'): Promise<void> {
  const panel = await panelAt(stage, name);
  rung.push(panel);
  await panel[act]();
}

/** Takes a call back that waits, whoever of us two had it. */
const back = ({ page }: Desk): Promise<void> =>
  page
    .getByRole('button', { name: /^(Resume|Rejoin|Take)$/ })
    .first()
    .click();

/** Writes where a call is to be handed on to, and presses what becomes of it. */
async function handOn({ page }: Desk, to: string, how: 'Transfer now' | 'Talk first'): Promise<void> {
  await page.getByRole('button', { name: 'Transfer', exact: true }).click();
  await page.getByLabel('Transfer to').fill(to);
  await page.getByRole('button', { name: how, exact: true }).click();
}
/** The card names whom one talks with. */
const talksWith = ({ page }: Desk, name: string): Promise<void> => page.locator('.call-live .call-title', { hasText: name }).waitFor();
const ask = async ({ page }: Desk, button: string): Promise<void> =>
  page.locator('dialog[open], [role=dialog]').getByRole('button', { name: button }).click();

describe('two people', () => {
  it('talk: each hears the other, a hold is silence; the call goes on to a third and back; nothing is left when one hangs up', async () => {
    const [concierge, resident, colleague] = [await sit('concierge', 700), await sit('resident', 1_100), await sit('concierge2', 1_500)];
    await dial(concierge, '1003');
    await press(resident, 'Answer');
    await Promise.all([sees(concierge, 'Talking'), sees(resident, 'Talking')]);
    await Promise.all([hears(resident, 700), hears(concierge, 1_100)]);
    await press(concierge, 'Hold');
    await Promise.all([sees(concierge, 'On hold'), hearsNothingOf(resident, 700)]);
    await press(concierge, 'Resume');
    await sees(concierge, 'Talking');
    await Promise.all([hears(resident, 700), hears(concierge, 1_100)]);
    await press(concierge, 'Mute');
    await hearsNothingOf(resident, 700);
    await press(concierge, 'Unmute');
    await hears(resident, 700);
    // Without a word: whoever takes it hears who was handed on.
    await handOn(concierge, '1002', 'Transfer now');
    await Promise.all([press(colleague, 'Answer'), sees(concierge, 'Transferred')]);
    await Promise.all([hears(colleague, 1_100), hears(resident, 1_500), talksWith(resident, 'Leila Haddad'), leftNothing(concierge)]);
    // After a word: the two who are left are connected.
    await handOn(colleague, '1001', 'Talk first');
    await press(concierge, 'Answer');
    await Promise.all([hears(concierge, 1_500), hearsNothingOf(resident, 1_500)]);
    await colleague.page.getByRole('button', { name: /^Connect with / }).click();
    await sees(colleague, 'Transferred');
    await Promise.all([hears(concierge, 1_100), hears(resident, 700), leftNothing(colleague)]);
    await Promise.all([talksWith(concierge, 'Boris Hale'), talksWith(resident, 'Marcus Webb')]);
    await press(resident, 'End');
    await Promise.all([sees(concierge, 'The other party hung up'), sees(resident, 'You ended the call')]);
    await Promise.all([leftNothing(concierge), leftNothing(resident)]);
  });

  it('see each other in a video call, which an expired session does not disturb and signing out ends only when told to', async () => {
    const [concierge, resident] = [await sit('concierge', 700), await sit('resident', 1_100)];
    await dial(concierge, '1003', 'Video call');
    await press(resident, 'Answer with camera');
    await Promise.all([seesPictures(concierge), seesPictures(resident), hears(resident, 700)]);
    await press(concierge, 'Camera off');
    const expired = await expireToken(concierge.page);
    await concierge.page.getByRole('link', { name: 'Users', exact: true }).first().click();
    await concierge.page.locator('tbody tr').first().waitFor();
    await expect.poll(() => expired.refreshes()).toBe(1);
    await Promise.all([seesPictures(concierge), hears(resident, 700)]);
    const signOut = async (): Promise<void> => {
      await concierge.page.locator('.person-button').click();
      await press(concierge, 'Sign out');
      await sees(concierge, /^You are talking to .* Signing out ends the call\.$/);
    };
    await signOut();
    await ask(concierge, 'Cancel');
    await hears(resident, 700);
    await signOut();
    await ask(concierge, 'Sign out and end the call');
    await sees(resident, 'The other party hung up');
    await concierge.page.locator('#login').waitFor();
    await Promise.all([leftNothing(concierge), leftNothing(resident)]);
  });
});

/** Opens a door from the list of doors, whatever else one does, and waits for the device's own word. */
async function openByToken({ page }: Desk, door: string): Promise<void> {
  await page.getByRole('tab', { name: 'Doors', exact: true }).click();
  const part = page.locator('.phone-part');
  await part.getByRole('searchbox', { name: 'Find a door or place' }).fill(door);
  await part.getByRole('button', { name: `Open door: ${door}`, exact: true }).click({ delay: 900 });
  await part.getByText('Opened, confirmed by the device').waitFor();
}

/** Checks before the shift, with a microphone or without. */
async function check({ page }: Desk, hasMicrophone: boolean): Promise<void> {
  await page.evaluate(
    hasMicrophone
      ? 'navigator.mediaDevices.getUserMedia = window.given'
      : "window.given = navigator.mediaDevices.getUserMedia; navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('none', 'NotFoundError'))",
  );
  await page.locator('.phone-head').getByRole('button', { name: 'Phone settings', exact: true }).click();
  await page.getByRole('button', { name: 'Check now', exact: true }).click();
  await page.locator(`.check-line[data-outcome="${hasMicrophone ? 'passed' : 'failed'}"]`, { hasText: 'Microphone' }).waitFor();
}

describe('a panel and the desk', () => {
  it('a visitor rings the queue, is seen, is let in by key and by token, waits while an SOS is answered, and is taken back', async () => {
    const concierge = await sit('concierge', 700);
    await atPanel('Tower A lobby', 'call');
    // Who and where, before anybody has answered.
    await concierge.page.locator('.calls .call-title', { hasText: 'Tower A lobby' }).waitFor();
    await press(concierge, 'Answer');
    await sees(concierge, 'Talking');
    await seesPictures(concierge);
    await press(concierge, 'Open door');
    await sees(concierge, 'Opened, confirmed by the device');
    await press(concierge, 'Hold');
    await sees(concierge, 'On hold (music playing)');
    await atPanel('Tower B lobby', 'sos');
    await sees(concierge, 'SOS');
    await press(concierge, 'Answer');
    await sees(concierge, 'Talking');
    await press(concierge, 'End');
    await back(concierge);
    await sees(concierge, 'Talking');
    await seesPictures(concierge);
    await press(concierge, 'End');
    await sees(concierge, /^(You ended the call|The call was ended)$/);
    await leftNothing(concierge);
    await openByToken(concierge, 'Tower A lobby');
  });

  it('of two at the desk one takes the call, the other falls silent and is told; a check before found what was wrong, and typing goes on', async () => {
    const [one, other] = [await sit('concierge', 700), await sit('admin', 900)];
    const button = one.page.locator('.phone-button');
    await check(one, false);
    await press(one, 'Close phone');
    expect(await button.getAttribute('aria-label')).toContain('The last check found a fault');
    await button.click();
    await check(one, true);
    expect(await button.getAttribute('aria-label')).not.toContain('The last check');

    await other.page.goto('/groups/add');
    const name = other.page.locator('.field[data-path="name"] input');
    await name.pressSequentially('Flat ');
    await atPanel('Tower A lobby', 'call');
    await Promise.all([sees(one, 'Ringing'), sees(other, 'Ringing')]);
    await other.page.keyboard.type('12 x');
    expect(await name.inputValue()).toBe('Flat 12 x');
    // What a form does with these keys it does; the call rings on.
    await other.page.keyboard.press('Escape');
    await other.page.keyboard.press('Enter');
    expect(await other.page.locator('.phone-button').getAttribute('data-ringing')).toBe('true');
    await press(one, 'Answer');
    await sees(one, 'Talking');
    await expect.poll(() => other.page.locator('.phone-button').getAttribute('data-ringing')).toBe('false');
    await press(one, 'End');
    await leftNothing(one);
  });
});

describe('tabs of one person', () => {
  it('one owns the phone, the other steers it, and takes over when the first is closed; what rings rings on over a reload', async () => {
    const concierge = await sit('concierge', 700);
    const resident = await sit('resident', 1_100);
    const second = await concierge.context.newPage();
    await second.goto('/home');
    await openPhone(second);
    await dial(resident, '1001');
    await second.bringToFront();
    await second.getByRole('button', { name: 'Answer', exact: true }).first().click();
    await sees({ ...concierge, page: second }, 'Talking');
    // The first tab has the microphone, although the second was pressed.
    expect(await second.evaluate('tracks.length')).toBe(0);
    await hears(resident, 700);
    const takenOver = second.waitForEvent('websocket', (socket) => !socket.url().includes('/api/'));
    await concierge.page.close();
    await sees(resident, 'The other party hung up');
    await takenOver;
    await openPhone(second);
    await dial(resident, '1001');
    const answer = second.getByRole('button', { name: 'Answer', exact: true }).first();
    await answer.waitFor();
    await second.reload();
    await openPhone(second);
    await answer.click();
    await hears(resident, 700);
    await second.getByRole('button', { name: 'End', exact: true }).first().click();
    await leftNothing(resident);
  });

  it('a reload in a call from the queue offers to rejoin it', async () => {
    const concierge = await sit('concierge', 700);
    await atPanel('Tower A lobby', 'call');
    await press(concierge, 'Answer');
    await sees(concierge, 'Talking');
    await concierge.page.reload();
    await openPhone(concierge.page);
    const from = performance.now();
    await back(concierge);
    expect(performance.now() - from).toBeLessThan(inTime(6_000));
    await sees(concierge, 'Talking');
    await seesPictures(concierge);
    await press(concierge, 'End');
    await leftNothing(concierge);
  });
});

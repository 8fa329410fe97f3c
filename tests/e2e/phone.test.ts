import { afterEach, describe, expect, it } from 'vitest';
import { simulated } from './support/alarms.ts';
import { type Desk, dial, fakeMedia, hears, hearsNothingOf, leftNothing, onDuty, openPhone, press, sees, seesPictures } from './support/desk.ts';
import { api } from './support/server.ts';
import { setStage } from './support/stage.ts';

const stage = setStage({}, fakeMedia);
const desks: Desk[] = [];
const rung: string[] = [];
const sit = async (login: string, pitch: number): Promise<Desk> => {
  const desk = await onDuty(stage, login, pitch);
  desks.push(desk);
  return desk;
};
afterEach(async () => {
  for (const { context } of desks.splice(0)) await context.close();
  // A call of the queue outlives its desk; the visitors go.
  for (const panel of rung.splice(0)) await atPanel(panel, 'hang_up');
});

/** Somebody does something at a panel of the demo. */
async function atPanel(name: string, act: 'call' | 'sos' | 'hang_up'): Promise<void> {
  const id = await simulated(stage, name);
  if (act !== 'hang_up') rung.push(name);
  const { status } = await api(stage.server, 'POST', `/simulator/devices/${id}`, { token: stage.token, body: { act } });
  expect(status).toBe(200);
}

/** Takes a call back that waits, whoever of us two had it. */
const back = ({ page }: Desk): Promise<void> =>
  page
    .getByRole('button', { name: /^(Resume|Rejoin|Take)$/ })
    .first()
    .click();

describe('two people', () => {
  it('talk: each hears the other, a hold is silence, and nothing is left when one hangs up', async () => {
    const [concierge, resident] = [await sit('concierge', 700), await sit('resident', 1_100)];
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
    await press(resident, 'End');
    await Promise.all([sees(concierge, 'The other side hung up'), sees(resident, 'You ended the call')]);
    await Promise.all([leftNothing(concierge), leftNothing(resident)]);
  });

  it('see each other in a video call', async () => {
    const [concierge, resident] = [await sit('concierge', 700), await sit('resident', 1_100)];
    await dial(concierge, '1003', 'Video call');
    await press(resident, 'Answer with camera');
    await Promise.all([seesPictures(concierge), seesPictures(resident), hears(resident, 700)]);
    await press(concierge, 'Camera off');
    await press(concierge, 'End');
    await sees(resident, 'The other side hung up');
    await Promise.all([leftNothing(concierge), leftNothing(resident)]);
  });
});

describe('a panel and the desk', () => {
  it('a visitor rings the queue, is seen, is let in by key, waits while an SOS is answered, and is taken back', async () => {
    const concierge = await sit('concierge', 700);
    await atPanel('Tower A lobby', 'call');
    await press(concierge, 'Answer');
    await sees(concierge, 'Talking');
    await seesPictures(concierge);
    await press(concierge, 'Open the door');
    await sees(concierge, 'Opened, confirmed by the device');
    await press(concierge, 'Hold');
    await sees(concierge, 'On hold, hears music');
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
  });

  it('of two at the desk one takes the call, the other falls silent and is told', async () => {
    const [one, other] = [await sit('concierge', 700), await sit('admin', 900)];
    await atPanel('Tower A lobby', 'call');
    await Promise.all([sees(one, 'Ringing'), sees(other, 'Ringing')]);
    await press(one, 'Answer');
    await sees(one, 'Talking');
    await expect.poll(() => other.page.locator('.phone-button').getAttribute('data-ringing')).toBe('false');
    await press(one, 'End');
    await leftNothing(one);
  });
});

describe('tabs of one person', () => {
  it('one owns the phone, the other steers it, and takes over when the first is closed', async () => {
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
    await sees(resident, 'The other side hung up');
    await takenOver;
    await openPhone(second);
    await dial(resident, '1001');
    await second.getByRole('button', { name: 'Answer', exact: true }).first().click();
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
    expect(performance.now() - from).toBeLessThan(6_000);
    await sees(concierge, 'Talking');
    await seesPictures(concierge);
    await press(concierge, 'End');
    await leftNothing(concierge);
  });
});

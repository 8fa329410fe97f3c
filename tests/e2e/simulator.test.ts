import { afterEach, describe, expect, inject, it } from 'vitest';
import type { SimulatorState } from '#models/simulator.ts';
import { isFull } from '#tests/support/extent.ts';
import { openAlarms, quieten } from './support/alarms.ts';
import { atWork, type Person, sitDown } from './support/person.ts';
import { api, startServer } from './support/server.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();
afterEach(() => quieten(stage));

const look = async (): Promise<SimulatorState> =>
  (await api<{ data: SimulatorState }>(stage.server, 'GET', '/simulator', { token: stage.token })).body.data;
/** Somebody on the simulator's page, once the devices have come to life. */
async function atSimulator(login = 'admin'): Promise<Person> {
  await expect.poll(async () => (await look()).devices.filter(({ online }) => online).length).toBeGreaterThan(45);
  const person = await atWork(stage, login, { at: '/simulator' });
  await person.page.locator('.simulator-row').first().waitFor();
  return person;
}
const choose = async ({ page }: Person, device: string): Promise<void> => {
  await page.getByRole('searchbox', { name: 'Find a device' }).fill(device);
  await page.locator('.simulator-row', { hasText: device }).first().click();
  await page.getByRole('heading', { name: device }).waitFor();
};
const last = ({ page }: Person) => page.locator('.simulator-last');

describe('somebody at the simulator', () => {
  it('trips a sensor; the desk sees it come and go on its home page, linked to the alarm', async () => {
    const [stager, desk] = [await atSimulator(), await atWork(stage, 'admin')];
    const row = desk.page.locator('a.home-waiting', { hasText: 'open alarm' });
    await desk.page.locator('.home-figures .home-waiting, .home-figures .empty-state').first().waitFor();
    expect(await row.count()).toBe(0);

    await choose(stager, 'Tower B bike room');
    await stager.press('Smoke');
    await last(stager).getByText('Smoke: tripped.').waitFor();
    await row.getByText('1 open alarm').waitFor();
    await row.getByText('1 unacknowledged').waitFor();
    await desk.page.locator('.alarm-row', { hasText: 'Tower B bike room' }).getByRole('button', { name: 'Acknowledge' }).click();
    await row.getByText('1 unacknowledged').waitFor({ state: 'detached' });
    await stager.page.locator('.simulator-events', { hasText: 'Alarm' }).waitFor();

    await row.click();
    await desk.page.waitForURL('**/devices/alarms?**');
    await desk.page.locator('tbody tr', { hasText: 'Tower B bike room' }).waitFor();
    const [alarm] = await openAlarms(stage);
    await api(stage.server, 'POST', `/device-alarms/${alarm?.id}/process`, { token: stage.token, body: { comment: 'Tried the sensor' } });
    await desk.page.goto('/home');
    await desk.page.locator('.home-waiting').first().waitFor();
    expect(await row.count()).toBe(0);
    await stager.press('Smoke');
    await last(stager).getByText('Smoke: cleared.').waitFor();
    await stager.close();
    await desk.close();
  });

  it('plays "card denied", and the event in the log says why', async () => {
    const stager = await atSimulator();
    await stager.page.getByRole('button', { name: 'Play: Card denied' }).click();
    const run = stager.page.locator('.simulator-run');
    await run.getByText('done', { exact: true }).waitFor();
    const line = (await run.locator('li').last().innerText()).replaceAll(/\s+/g, ' ');
    const [, device, reason] = /^(.+?): an invalid credential is presented \((.+?)\)/.exec(line) ?? [];
    expect([device, ['Revoked', 'Blocked', 'Expired'].includes(reason ?? '')]).toEqual(['Tower A lobby', true]);
    await run.getByRole('button', { name: 'Tower A lobby' }).click();
    await last(stager).getByText(`access denied. ${reason}`).waitFor();

    await stager.page.locator('.simulator-events a', { hasText: 'Access denied' }).first().click();
    await stager.page.waitForURL('**/devices/events/*');
    for (const text of ['Tower A lobby', reason ?? 'no reason']) await stager.sees(text);
    await stager.open('Device events');
    const logged = stager.page.locator('tbody tr', { hasText: 'Tower A lobby' }).first();
    await logged.getByText(reason ?? 'no reason').waitFor();
    await stager.close();
  });

  it('presents a card that nobody knows, holds the door, pulls the plug: each is answered at once', async () => {
    const stager = await atSimulator();
    await choose(stager, 'Tower A lobby');
    await stager.page.getByLabel('Any other credential').fill('0099887766');
    await stager.page.keyboard.press('Enter');
    await last(stager)
      .getByText(/access denied\. Unknown identifier/i)
      .waitFor();
    await stager.press('Hold door open');
    await last(stager).getByText('The door is held open.').waitFor();
    await stager.page.locator('.simulator-row', { hasText: 'Tower A lobby' }).getByText('Open', { exact: true }).waitFor();
    await stager.press('Close door');
    await last(stager).getByText('The door was closed.').waitFor();
    await stager.press('Disconnect power');
    await last(stager).getByText('Power was disconnected.').waitFor();
    expect(await stager.page.getByRole('button', { name: 'Press SOS' }).isDisabled()).toBe(true);
    await stager.press('Connect power');
    await last(stager).getByText('Power was connected.').waitFor();
    expect(await stager.page.getByRole('button', { name: 'Press SOS' }).isEnabled()).toBe(true);
    await stager.close();
  });

  it('cuts the realtime channel: consoles say so, and read what they missed when it is whole again', async () => {
    const [stager, desk] = [await atSimulator(), await atWork(stage, 'admin', { at: '/devices/events' })];
    await desk.page.locator('tbody tr').first().waitFor();
    await stager.press('Cut');
    await desk.sees('Live updates are off');
    await choose(stager, 'Tower B lobby');
    await stager.press('Exit button');
    await stager.press('Connected');
    await desk.page.getByText('Live updates are off').waitFor({ state: 'detached' });
    await desk.page.locator('tbody tr', { hasText: 'Tower B lobby' }).filter({ hasText: 'Exit button' }).first().waitFor();
    await stager.context.close();
    await desk.context.close();
  });

  it('gets about with the keyboard: the list is one stop, the arrows lead through it', async () => {
    const stager = await atSimulator();
    await stager.page.getByRole('searchbox', { name: 'Find a device' }).focus();
    await stager.page.keyboard.press('Tab');
    await stager.page.keyboard.press('Home');
    await stager.page.keyboard.press('ArrowDown');
    const focused = stager.page.locator('.simulator-row:focus .simulator-name > span').first();
    const name = await focused.innerText();
    await stager.page.keyboard.press('Enter');
    await stager.page.getByRole('heading', { name }).waitFor();
    await stager.page.keyboard.press('Tab');
    expect(await stager.page.evaluate('Boolean(document.activeElement.closest(".simulator-stage"))')).toBe(true);
    await stager.close();
  });
});

describe('the simulator', () => {
  it.runIf(isFull)('is refused to those who see no devices, and nothing leads them there', async () => {
    const boris = await atWork(stage, 'resident');
    await boris.page.locator('.home-columns .card').first().waitFor();
    expect(await boris.page.locator('a[href="/simulator"]').count()).toBe(0);
    await boris.page.goto('/simulator');
    let asked = 0;
    boris.page.on('request', (request) => (asked += Number(request.url().endsWith('/simulator'))));
    await boris.sees('You do not have access to this page');
    // Each refusal is on record: the page does not ask again by itself.
    await boris.page.waitForTimeout(3_000);
    expect(asked).toBeLessThanOrEqual(1);
    await boris.close();
    const anna = await atWork(stage, 'admin');
    await anna.page.getByRole('link', { name: 'Simulator' }).click();
    await anna.page.locator('.simulator-row').first().waitFor();
    await anna.close();
  });

  it.runIf(isFull)('is not there without the demo, whoever asks', async () => {
    // The people of the demo in a server that runs without it.
    const server = await startServer({ copy: inject('seeded'), env: { DOORWARD_DEMO: 'off' } });
    for (const [login, shown] of [
      ['admin', '.home-figures .home-waiting, .home-figures .empty-state'],
      ['resident', '.home-columns .card'],
    ] as const) {
      const person = await sitDown(stage, { url: server.url });
      await person.enter(login);
      await person.page.locator(shown).first().waitFor();
      expect(await person.page.locator('a[href="/simulator"]').count()).toBe(0);
      await person.page.goto('/simulator');
      await person.page.getByRole('link', { name: 'Go to home page' }).waitFor();
      await person.close();
    }
    await server.discard();
  });
});

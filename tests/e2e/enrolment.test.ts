import { expect, it } from 'vitest';
import type { AccessControlEvent } from '#models/access-control-events.ts';
import type { DeviceAct } from '#models/simulator.ts';
import { barriers } from './support/barriers.ts';
import { simulated } from './support/alarms.ts';
import { atWork, type Person } from './support/person.ts';
import { api } from './support/server.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();
const reader = 'Tower B lobby';

/** Does something at the reader, as a person standing before it would. */
async function atReader(act: DeviceAct): Promise<void> {
  const id = await simulated(stage, reader);
  const { status, body } = await api(stage.server, 'POST', `/simulator/devices/${id}`, { token: stage.token, body: act });
  expect(status, JSON.stringify(body)).toBe(200);
}
const hold = (value: string): Promise<void> => atReader({ act: 'present', type: 'card', value });

async function boris(): Promise<string> {
  const filters = encodeURIComponent(JSON.stringify({ match: 'match_all', items: [{ field: 'name', rule: 'equals', value: 'Boris Hale' }] }));
  const { body } = await api<{ data: { id: string }[] }>(stage.server, 'GET', `/users?filters=${filters}`, { token: stage.token });
  return body.data[0]?.id ?? '';
}
/** The ends of the cards that the log has as refused. */
async function refusedCards(): Promise<(string | null)[]> {
  const { body } = await api<{ data: AccessControlEvent[] }>(stage.server, 'GET', '/access-control/events?size=20', { token: stage.token });
  return body.data.filter(({ reason }) => reason === 'unknown_identifier').map(({ identifier_mask }) => identifier_mask);
}
async function waitForCard(person: Person): Promise<void> {
  await person.press('Read at a reader');
  await person.page.getByPlaceholder('Find a reader').fill(reader);
  await person.page.getByRole('dialog').getByRole('radio', { name: reader }).check();
  await person.press('Wait for card');
}
const dialog = ({ page }: Person) => page.getByRole('dialog');
const isWaiting = (person: Person) => dialog(person).getByText(`Hold the card to the reader “${reader}”.`).waitFor();

it('a card is read at a reader for a person, saved, and told whose it is when it is read again', async () => {
  await simulated(stage, reader);
  const desk = await atWork(stage, 'admin', { at: `/users/${await boris()}` });
  await desk.page.getByRole('link', { name: 'Add card' }).click();
  await desk.frame('owner').getByText('Boris').waitFor();
  await waitForCard(desk);
  await isWaiting(desk);
  expect(await barriers(desk.page)).toEqual([]);
  await hold('0ABBA123');
  await dialog(desk).waitFor({ state: 'detached' });
  await expect.poll(() => desk.field('Value').inputValue()).toBe(String(Number.parseInt('0ABBA123', 16)).padStart(10, '0'));
  await desk.fill('Name', 'Card of Boris');
  await desk.press('Save');
  await desk.showsNotice('Done');

  await desk.open('Identifiers');
  await desk.press('Add identifier');
  await waitForCard(desk);
  await isWaiting(desk);
  await hold('0ABBA123');
  await dialog(desk)
    .getByText(/already belongs to Boris/)
    .waitFor();
  await dialog(desk).getByRole('link', { name: 'Card of Boris' }).waitFor();
  expect(await desk.field('Value').inputValue()).toBe('');
  await desk.close();
});

it('two people at one reader: the second is told who waits; once the first gives up it is free, and its door opens again', async () => {
  const at = '/identifiers/add?type=card';
  const [desk, other] = [await atWork(stage, 'admin', { at }), await atWork(stage, 'manager', { at })];
  for (const person of [desk, other]) {
    await waitForCard(person);
    if (person === desk) await isWaiting(desk);
  }
  await dialog(other)
    .getByText(/is enrolling a card at this reader/)
    .waitFor();
  await dialog(desk).getByRole('button', { name: 'Cancel' }).click();
  await dialog(desk).getByRole('button', { name: 'Wait for card' }).waitFor();
  await other.press('Wait for card');
  await isWaiting(other);
  // The window is closed while it waits: the reader is let go.
  await other.page.keyboard.press('Escape');
  await dialog(other).waitFor({ state: 'detached' });
  await desk.press('Wait for card');
  await isWaiting(desk);
  await dialog(desk).getByRole('button', { name: 'Cancel' }).click();
  await dialog(desk).getByRole('button', { name: 'Wait for card' }).waitFor();
  await desk.close();
  await other.page.close();
  expect(other.errors.filter((error) => !/409/.test(error))).toEqual([]);
});

it('a reader that is offline is not offered; an unknown card is added from the log', async () => {
  const desk = await atWork(stage, 'admin', { at: '/identifiers/add?type=card' });
  await atReader({ act: 'go_offline' });
  await expect
    .poll(async () => {
      await desk.press('Read at a reader');
      await desk.page.getByPlaceholder('Find a reader').fill(reader);
      const isOff = await dialog(desk).getByRole('radio', { name: reader }).isDisabled();
      await dialog(desk).getByRole('button', { name: 'Cancel' }).click();
      return isOff;
    })
    .toBe(true);
  const { body } = await api<{ data: { devices: { id: string; name: string }[] } }>(stage.server, 'GET', '/simulator', { token: stage.token });
  const id = body.data.devices.find(({ name }) => name === reader)?.id ?? '';
  await api(stage.server, 'POST', `/simulator/devices/${id}`, { token: stage.token, body: { act: 'go_online' } });
  // Whoever gave up just now has let go of the reader once it says so.
  await expect
    .poll(
      async () => {
        await hold('0BADCAFE');
        return (await refusedCards()).includes('CAFE');
      },
      { interval: 1_000 },
    )
    .toBe(true);
  await desk.page.goto('/access-control/events');
  const row = desk.page.locator('tbody tr', { hasText: 'Unknown identifier' }).filter({ hasText: 'CAFE' });
  await row.first().click();
  await desk.press('Add this card');
  await expect.poll(() => desk.field('Value').inputValue()).toBe(String(0x0badcafe).padStart(10, '0'));
  await desk.fill('Name', 'Card from the log');
  await desk.press('Save');
  await desk.showsNotice('Done');
  await desk.close();
});

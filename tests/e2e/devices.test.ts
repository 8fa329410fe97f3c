import { describe, expect, it } from 'vitest';
import { atWork } from './support/person.ts';
import { named, read, type StoredRow } from './support/records.ts';
import { api } from './support/server.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();

interface Row extends StoredRow {
  name: string;
  status: string | null;
  tasks_count: number;
}
const deviceNamed = async (name: string): Promise<Row> => {
  const [row] = await named<Row>(stage, 'devices', name);
  if (!row) throw new Error(`there is no device ${name}`);
  return row;
};
/** Waits until the simulated device has come online. */
const online = async (name: string): Promise<Row> => {
  await expect.poll(async () => (await deviceNamed(name)).status, { interval: 100, message: name }).toBe('online');
  return deviceNamed(name);
};

describe('an installer', () => {
  it('adds a device by its form, and is told that it has not been heard of', async () => {
    const person = await atWork(stage);
    await person.open('Devices');
    await person.press('Add device');
    await person.press('Save');
    await person.sees('Check the marked fields');
    await person.fill('Name', 'Side gate');
    await person.choose('domain', 'Clubhouse');
    await person.frame('model').locator('select').selectOption('DP-140');
    await person.fill('Serial number', 'DP-E2E-0001');
    await person.frame('protocol').locator('select').selectOption('mqtt');
    await person.frame('password').locator('input').fill('Side-gate-2026');
    await person.fill('Latitude', '52,5113');
    await person.fill('Longitude', '13,4251');
    await person.press('Save');
    await person.showsNotice('Done');
    const row = await deviceNamed('Side gate');
    expect(await read(stage, 'devices', row.id)).toMatchObject({
      login: 'DP-E2E-0001',
      location: { latitude: 52.5113, longitude: 13.4251 },
      status: null,
    });
    await person.page.goto(`/devices/${row.id}`);
    await person.sees('Never seen');
    await person.press('Actions');
    await person.page.getByRole('menuitem', { name: 'Initialise', exact: true }).click();
    await person.sees('Puts a new device into service');
    await person.page.getByRole('dialog').getByRole('button', { name: 'Initialise', exact: true }).click();
    await person.showsNotice(/is waiting for the device to come online/);
    // The tasks of a device that is away wait, and may be stopped.
    await person.page.goto(`/devices/tasks?search=`);
    await person.sees('Waiting for device');
    await person.close();
  });

  it('edits settings, and sees the device take them', async () => {
    const device = await online('Tower A bike room');
    const person = await atWork(stage, 'admin', { at: `/devices/${device.id}/edit` });
    await person.frame('device_settings.relays').locator('button').click();
    const times = person.page.locator('.relay-row [inputmode="numeric"]');
    await times.first().fill('7500');
    await person.press('Apply');
    await person.press('Save');
    await person.showsNotice('Done');
    await person.open('Device tasks');
    const first = person.page.locator('tbody tr').first();
    await first.getByText('Tower A bike room').waitFor();
    await first.getByText('Send settings').waitFor();
    await first.getByText('Done', { exact: true }).waitFor();
    await person.close();
  });

  it('finds devices in the network and puts one into the project', async () => {
    const person = await atWork(stage, 'admin', { at: '/devices/search' });
    await person.press('Search a range');
    await person.page.locator('[name=start_ip]').fill('127.20.9.40');
    await person.page.locator('[name=end_ip]').fill('127.20.9.1');
    await person.page.getByRole('dialog').getByRole('button', { name: 'Search a range' }).click();
    await person.sees('The last address must not be lower than the first');
    await person.page.locator('[name=start_ip]').fill('127.20.9.1');
    await person.page.locator('[name=end_ip]').fill('127.20.9.40');
    await person.page.getByRole('dialog').getByRole('button', { name: 'Search a range' }).click();
    await person.sees('All 40 addresses searched');
    await person.page.getByLabel('DP-200 Keypad DP7A10C2E4').check();
    await person.page.locator('.found-line .p-inputtext').fill('Found panel');
    await person.press('Choose group');
    await person.page.locator('dialog.sheet[open]').getByRole('searchbox').fill('Clubhouse');
    await person.page.locator('dialog.sheet[open] .sheet-line').first().click();
    const done = person.page.locator('dialog.sheet[open]').getByRole('button', { name: /^Choose/ });
    if (await done.isVisible().catch(() => false)) await done.click();
    await person.press('Add 1 device');
    await person.page.locator('.found-line').getByText('Added').waitFor();
    expect(await read(stage, 'devices', (await deviceNamed('Found panel')).id)).toMatchObject({ login: 'DP7A10C2E4', protocol: 'http' });
    await person.close();
  });
});

describe('a door', () => {
  it('opens when its button is held, the device says so, and a list of events that is open shows it', async () => {
    const device = await online('Tower A lobby');
    const [watcher, opener] = [
      await atWork(stage, 'admin', { at: '/devices/events' }),
      await atWork(stage, 'admin', { at: `/devices/${device.id}` }),
    ];
    await watcher.page.locator('tbody tr').first().waitFor();
    const button = opener.page.locator('.hold-button');
    await button.click();
    expect(await opener.page.locator('.door-result').getAttribute('data-state')).toBe('idle');
    await button.click({ delay: 1_200 });
    await opener.sees('Opened, confirmed by the device');
    // The words of the door follow each other closely: it was opened from afar, and it stood open.
    const line = watcher.page.locator('tbody tr', { hasText: 'Opened remotely' }).filter({ hasText: 'Tower A lobby' }).filter({ hasText: 'new' });
    await line.first().waitFor();
    const trail = await api<{ data: { action: string; entity_name: string }[] }>(stage.server, 'GET', '/audit-events?size=5', { token: stage.token });
    expect(trail.body.data).toEqual(expect.arrayContaining([expect.objectContaining({ action: 'open_door', entity_name: 'Tower A lobby' })]));
    await opener.close();
    await watcher.close();
  });

  it('waits while somebody reads the events, and goes on when they wish', async () => {
    const device = await online('Tower B lobby');
    const person = await atWork(stage, 'admin', { at: '/devices/events' });
    const first = person.page.locator('tbody tr').first();
    await first.waitFor();
    await person.press('Pause');
    // What was on its way when the button was pressed has come by then.
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    const before = await first.getAttribute('data-id');
    await api(stage.server, 'POST', `/devices/${device.id}/restart`, { token: stage.token });
    await new Promise((resolve) => setTimeout(resolve, 3_500));
    expect(await first.getAttribute('data-id')).toBe(before);
    await person.press('Resume');
    await expect.poll(() => first.getAttribute('data-id')).not.toBe(before);
    await person.close();
  });
});

describe('remote control', () => {
  it('shows the device as it stands, and explains what fails', async () => {
    const device = await online('Tower A lobby');
    const payload = (id: string) => Buffer.from(JSON.stringify({ device_id: id })).toString('base64url');
    const person = await atWork(stage);
    await person.page.goto(`/devices/remote-control?payload=${payload(device.id)}`);
    await person.sees('Device settings');
    expect(await person.page.locator('.drawer').count()).toBe(0);
    await person.page.locator('.remote-relay .hold-button').first().click({ delay: 1_200 });
    await person.page.locator('.remote-relay').first().getByText('On', { exact: true }).waitFor();
    const gym = await deviceNamed('Gym');
    await person.page.goto(`/devices/remote-control?payload=${payload(gym.id)}`);
    await person.page.getByRole('dialog').getByText('Remote control requires the MQTT protocol').waitFor();
    await person.page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await person.page.waitForURL(`**/devices/${gym.id}`);
    await person.page.goto('/devices/remote-control?payload=nonsense');
    await person.sees('This link does not point to a device');
    await person.close();
  });
});

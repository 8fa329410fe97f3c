import { expect, it } from 'vitest';
import type { IpBlocking } from '#models/ip-blocking.ts';
import type { SystemInfo } from '#models/system-info.ts';
import { signedIn } from './support/person.ts';
import { api } from './support/server.ts';
import { setStage } from './support/stage.ts';

const stage = setStage({ DOORWARD_SIGN_IN_TRIES: '4' });
const info = async () => (await api<{ data: SystemInfo }>(stage.server, 'GET', '/system-info', { token: stage.token })).body.data;

it('an operator sees the server, restarts telephony and the broker, and phones and devices come back by themselves', async () => {
  const admin = await signedIn(stage, 'admin');
  await admin.open('System information');
  const services = admin.page.getByRole('region', { name: 'Services' });
  await services.getByText('Running').nth(1).waitFor();
  await expect.poll(async () => (await info()).devices.online, { interval: 300 }).toBeGreaterThan(5);
  const before = await info();

  for (const [name, key] of [
    ['Telephony (SIP)', 'sip'],
    ['Device broker', 'broker'],
  ] as const) {
    await services.getByRole('button', { name: `Restart: ${name}` }).click();
    await admin.page.getByRole('dialog').getByRole('button', { name: 'Restart', exact: true }).click();
    const since = before.services.find((one) => one.key === key)?.since;
    const isRunningAnew = async (): Promise<boolean> => {
      const service = (await info()).services.find((one) => one.key === key);
      return service?.state === 'running' && service.since !== since;
    };
    await expect.poll(isRunningAnew, { interval: 200 }).toBe(true);
  }
  await expect.poll(async () => (await info()).devices.online, { interval: 500 }).toBeGreaterThanOrEqual(before.devices.online);

  const log = admin.page.getByRole('region', { name: 'Server log' });
  await log.getByLabel('Level').selectOption('warn');
  await log.getByLabel('Search the log').fill('no such words anywhere');
  await log.getByText('No matching entries').waitFor();
  // The phone's own connection went with telephony, and comes back.
  expect(admin.errors.filter((error) => !error.includes('WebSocket connection'))).toEqual([]);
  await admin.context.close();
});

it('a blocked address is seen with its cause and unblocked with one press', async () => {
  const login = `nobody-${Math.random().toString(36).slice(2, 8)}`;
  for (let time = 0; time < 5; time += 1) await api(stage.server, 'POST', '/login', { body: { login, password: 'wrong' } });
  const banned = async () => (await api<{ data: IpBlocking }>(stage.server, 'GET', '/ip-blocking', { token: stage.token })).body.data.banned;
  expect((await banned()).length).toBeGreaterThan(0);
  const admin = await signedIn(stage, 'admin');
  await admin.open('System information');
  const card = admin.page.getByRole('region', { name: 'IP blocking' });
  await card.getByText('Unknown name').first().waitFor();
  await card
    .getByRole('button', { name: /^Unblock \d/ })
    .first()
    .click();
  await card.getByText('No addresses are blocked').waitFor();
  expect(await banned()).toEqual([]);
  await admin.fill('Address or range', 'not an address');
  await card.getByRole('button', { name: 'Add' }).click();
  await card.getByText('Enter an IP address or a range').waitFor();
  const range = `203.0.${Math.floor(Math.random() * 250)}.0/24`;
  await admin.fill('Address or range', range);
  await card.getByRole('button', { name: 'Add' }).click();
  await card.getByText(range).waitFor();
  await card.getByRole('button', { name: `Remove ${range}` }).click();
  await card.getByText(range).waitFor({ state: 'detached' });
  await admin.close();
});

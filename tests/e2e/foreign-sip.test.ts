import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type Desk, dial, fakeMedia, hears, hearsNothingOf, leftNothing, onDuty, press, sees } from './support/desk.ts';
import { type ForeignSip, openForeignSip } from './support/foreign-sip.ts';
import { api } from './support/server.ts';
import { openWindow } from './support/browser.ts';
import { enter } from './support/enter.ts';
import { setStage } from './support/stage.ts';

const stage = setStage({}, fakeMedia);
const passwords = { 1001: 'Front.Desk-1001', 1003: 'Flat.Phone-1003' };
let foreign: ForeignSip;
const desks: Pick<Desk, 'context'>[] = [];
const sit = async (login: string, pitch: number): Promise<Desk> => {
  const desk = await onDuty(stage, login, pitch);
  desks.push(desk);
  return desk;
};

beforeAll(async () => {
  foreign = await openForeignSip(passwords, 'pbx.test');
  const { server, token } = stage;
  for (const [number, password] of Object.entries(passwords)) {
    const filters = JSON.stringify({ match: 'match_all', items: [{ field: 'number', rule: 'equals', value: number }] });
    const { body } = await api<{ data: { id: string }[] }>(server, 'GET', `/sip-numbers?filters=${encodeURIComponent(filters)}`, { token });
    const { status } = await api(server, 'PATCH', `/sip-numbers/${body.data[0]?.id}`, { token, body: { password } });
    if (status !== 200) throw new Error(`the password of ${number} was answered ${status}`);
  }
  await api(server, 'PUT', '/sip-numbers/server', {
    token,
    body: { server: { host: '127.0.0.1', port: foreign.port, secure: false, realm: 'pbx.test' } },
  });
});
afterEach(async () => {
  for (const { context } of desks.splice(0)) await context.close();
});
afterAll(() => foreign.close());

it('the console is a phone of another SIP server: registers, calls, is called, holds and hangs up, with none of our headers', async () => {
  const [concierge, resident] = [await sit('concierge', 700), await sit('resident', 1_100)];
  expect(foreign.registered()).toEqual(['1001', '1003']);
  await dial(concierge, '1003');
  await press(resident, 'Answer');
  await Promise.all([sees(concierge, 'Talking'), sees(resident, 'Talking')]);
  await Promise.all([hears(resident, 700), hears(concierge, 1_100)]);
  await press(concierge, 'Hold');
  await Promise.all([sees(concierge, 'On hold'), hearsNothingOf(resident, 700)]);
  await press(concierge, 'Resume');
  await hears(resident, 700);
  await press(resident, 'End');
  await Promise.all([sees(concierge, 'The other party hung up'), sees(resident, 'You ended the call')]);
  await Promise.all([leftNothing(concierge), leftNothing(resident)]);
  const invite = foreign.heard.find(({ method }) => method === 'INVITE');
  expect([invite?.uri, invite?.of('from').includes('sip:1001@pbx.test')]).toEqual(['sip:1003@pbx.test', true]);
});

it('a call that is given up, and one that is declined, end on both sides', async () => {
  const [concierge, resident] = [await sit('concierge', 700), await sit('resident', 1_100)];
  await dial(resident, '1001');
  await concierge.page.getByRole('button', { name: 'Answer', exact: true }).first().waitFor();
  await press(resident, 'Cancel');
  await concierge.page.getByRole('button', { name: 'Answer', exact: true }).waitFor({ state: 'detached' });
  await dial(concierge, '1003');
  await press(resident, 'Decline');
  await resident.page.getByRole('button', { name: 'Answer', exact: true }).waitFor({ state: 'detached' });
  await Promise.all([leftNothing(concierge), leftNothing(resident)]);
});

it('a number that the other server does not let in says so', async () => {
  const { page, context } = await openWindow(stage.browser, stage.server.url);
  desks.push({ context });
  await enter(page, 'manager', { remember: true });
  await page.locator('.phone-button[data-tone="bad"]').waitFor();
  expect(foreign.registered()).toEqual([]);
});

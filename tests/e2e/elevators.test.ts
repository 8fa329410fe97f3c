import { expect, it } from 'vitest';
import { atWork, type Person } from './support/person.ts';
import { api } from './support/server.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();
const card = '00C0FFEE';
const ask = async <Answer>(method: 'GET' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<Answer> => {
  const answer = await api<{ data: Answer }>(stage.server, method, path, { token: stage.token, ...(body !== undefined && { body }) });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data;
};
const filtered = (...items: object[]): string => encodeURIComponent(JSON.stringify({ match: 'match_all', items }));
const idOf = async (area: string, name: string): Promise<string> => {
  const [row] = await ask<{ id: string }[]>('GET', `/${area}?size=1&filters=${filtered({ field: 'name', rule: 'equals', value: name })}`);
  if (!row) throw new Error(`there is no ${name} among ${area}`);
  return row.id;
};

/** Somebody new with a card, and a controller that no elevator has any more. */
async function prepare(): Promise<void> {
  const [role, domain, device] = [await idOf('roles', 'Resident'), await idOf('groups', 'Tower B'), await idOf('devices', 'Tower B elevator 1')];
  const user = await ask<string>('PUT', '/users', { login: 'grace', name: 'Grace Rider', role, domains: [domain] });
  await ask('PUT', '/identifiers', { name: 'Card of Grace', type: 'card', value: card, owner: user });
  const [bound] = await ask<{ id: string }[]>('GET', `/elevators?filters=${filtered({ field: 'controllers', rule: 'has', value: [device] })}`);
  if (bound) await ask('DELETE', `/elevators/${bound.id}`);
}

async function makeElevator(desk: Person): Promise<void> {
  await desk.press('Add elevator');
  await desk.fill('Name', 'Glass elevator');
  await desk.choose('domain_id', 'Tower B');
  await desk.choose('controllers', 'Tower B elevator 1');
  await desk.press('Copy floors from Tower B elevator 1');
  await desk.press('Save');
  await desk.page.locator('tbody tr', { hasText: 'Glass elevator' }).waitFor();
}

async function makeRule(desk: Person): Promise<void> {
  await desk.page.goto('/elevators/access-rules');
  await desk.press('Add rule');
  await desk.fill('Name', 'Grace to the fourth');
  await desk.choose('users', 'Grace Rider');
  await desk.choose('elevators', 'Glass elevator');
  await desk.page.getByRole('group', { name: 'Floors of Tower B · Glass elevator' }).getByRole('checkbox', { name: '4', exact: true }).check();
  await desk.press('Save');
  await desk.page.locator('tbody tr', { hasText: 'Grace to the fourth' }).waitFor();
}

const floor = (desk: Person, name: string) => desk.page.getByRole('button', { name: `Go to floor ${name}`, exact: true });
async function enterElevator(desk: Person): Promise<void> {
  await desk.page.goto('/simulator');
  await desk.page.getByRole('searchbox', { name: 'Find a device' }).fill('Tower B elevator 1');
  await desk.page.locator('.simulator-row', { hasText: 'Tower B elevator 1' }).first().click();
  await floor(desk, '4').waitFor();
}
async function present(desk: Person): Promise<void> {
  await desk.page.getByPlaceholder('0012345678').fill(card);
  await desk.page.locator('form.simulator-line').getByRole('button', { name: 'Present' }).click();
}

it('an elevator and a rule made by hand: a card frees only its floors, the car drives there, the log tells it, a call brings it back', async () => {
  await prepare();
  const desk = await atWork(stage, 'admin', { at: '/elevators' });
  await makeElevator(desk);
  await makeRule(desk);

  await enterElevator(desk);
  // The controller is told of the rule as its task; until then the card is unknown to it.
  await expect
    .poll(
      async () => {
        await present(desk);
        return desk.page.locator('.simulator-last', { hasText: 'granted' }).isVisible();
      },
      { interval: 1_000 },
    )
    .toBe(true);
  await expect.poll(() => floor(desk, '4').isEnabled()).toBe(true);
  // The ground floor is public; no other floor is free.
  const free = await desk.page.getByRole('button', { name: /^Go to floor/, disabled: false }).allInnerTexts();
  expect(free).toEqual(['4', '1']);
  await floor(desk, '4').click();
  await desk.page.getByText('The doors are open at floor 4.').waitFor();

  await desk.page.goto('/elevators/events');
  const row = desk.page.locator('tbody tr', { hasText: 'Tower B · Glass elevator' });
  await row.filter({ hasText: 'Floors unlocked' }).filter({ hasText: 'Grace Rider' }).filter({ hasText: 'Grace to the fourth' }).first().waitFor();
  await row.filter({ hasText: 'Elevator arrived' }).filter({ hasText: '4' }).first().waitFor();

  await desk.page.goto('/elevators');
  await desk.page.locator('tbody tr', { hasText: 'Glass elevator' }).getByRole('button').last().click();
  await desk.page.getByRole('menuitem', { name: 'Call elevator' }).click();
  await desk.page.getByRole('radio', { name: '2', exact: true }).check();
  await desk.press('Call');
  await desk.page.getByText('The elevator is coming to floor 2.').waitFor();
  await enterElevator(desk);
  await desk.page.getByText(/at floor 2\./).waitFor();
  await desk.close();
});

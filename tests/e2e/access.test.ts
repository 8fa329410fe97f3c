import { expect, it } from 'vitest';
import type { AccessExplanation } from '#models/access-calls.ts';
import { utc } from '#models/time.ts';
import { atWork, type Person } from './support/person.ts';
import { api } from './support/server.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();
const card = '00BADA55';
const ask = async <Answer>(method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, body?: unknown): Promise<Answer> => {
  const answer = await api<{ data: Answer }>(stage.server, method, path, { token: stage.token, ...(body !== undefined && { body }) });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data;
};
const idOf = async (area: string, name: string): Promise<string> => {
  const filters = encodeURIComponent(JSON.stringify({ match: 'match_all', items: [{ field: 'name', rule: 'equals', value: name }] }));
  const [row] = await ask<{ id: string }[]>('GET', `/${area}?size=1&filters=${filters}`);
  if (!row) throw new Error(`there is no ${name} among ${area}`);
  return row.id;
};

/** Somebody new in the parking, whom no rule lets in anywhere else, with a card. */
async function newcomer(): Promise<{ user: string; identifier: string }> {
  const [role, domain] = [await idOf('roles', 'Resident'), await idOf('groups', 'Parking')];
  const user = await ask<string>('PUT', '/users', { login: 'ada', name: 'Ada Newcomer', role, domains: [domain] });
  const identifier = await ask<string>('PUT', '/identifiers', { name: 'Card of Ada', type: 'card', value: card, owner: user });
  return { user, identifier };
}

/** A schedule that begins tomorrow, and a rule of it, made by hand. */
async function makeRule(desk: Person): Promise<void> {
  await desk.open('Schedules');
  await desk.press('Add schedule');
  await desk.fill('Name', 'From tomorrow');
  await desk.fill('First day', utc(Date.now()).add(1, 'day').format('DD-MM-YYYY'));
  await desk.frame('repeat_mode').locator('select').selectOption({ label: 'Every day' });
  await desk.page.locator('.schedule-sentence', { hasText: 'Every day 09:00–18:00' }).waitFor();
  await desk.press('Save');
  await desk.page.locator('tbody tr', { hasText: 'From tomorrow' }).waitFor();

  await desk.open('Access rules');
  await desk.press('Add rule');
  await desk.fill('Name', 'Ada at the gym');
  await desk.choose('devices', 'Gym');
  await desk.choose('users', 'Ada Newcomer');
  await desk.choose('time_rules', 'From tomorrow');
  await desk.page.locator('.effect-part[data-kind="opens"]', { hasText: 'Opens 1 door for 1 person' }).waitFor();
  await desk.press('Save');
  await desk.page.locator('tbody tr', { hasText: 'Ada at the gym' }).waitFor();
}

/** Waits until the door itself decides as the server does. */
async function synchronised(device: string, identifier: string, isGranted: boolean): Promise<void> {
  const asked = async () => {
    const { explanations } = await ask<{ explanations: AccessExplanation[] }>('POST', '/access/explain', { device, identifier });
    return [explanations[0]?.is_granted, explanations[0]?.device?.is_granted, explanations[0]?.device?.is_waiting];
  };
  await expect.poll(asked).toEqual([isGranted, isGranted, false]);
}

async function present(stager: Person): Promise<void> {
  await stager.page.goto('/simulator');
  await stager.page.getByRole('searchbox', { name: 'Find a device' }).fill('Gym');
  await stager.page.locator('.simulator-row', { hasText: 'Gym' }).first().click();
  await stager.page.getByRole('heading', { name: 'Gym' }).waitFor();
  const form = stager.page.locator('form.simulator-line', { has: stager.page.getByPlaceholder('0012345678') });
  await form.getByPlaceholder('0012345678').fill(card);
  await form.getByRole('button', { name: 'Present' }).click();
}

it('a card outside of its schedule is refused and explained, and opens once the schedule holds', async () => {
  const { identifier } = await newcomer();
  const [desk, gym] = [await atWork(stage, 'admin'), await idOf('devices', 'Gym')];
  await makeRule(desk);
  await synchronised(gym, identifier, false);

  await present(desk);
  await desk.page.locator('.simulator-last', { hasText: 'Outside' }).waitFor();
  await desk.open('Access events');
  await desk.page.locator('tbody tr', { hasText: 'Ada Newcomer' }).filter({ hasText: 'Access denied' }).first().click();
  await desk.page.waitForURL('**/access-control/events/*');
  await desk.press('Explain access');
  const explained = desk.page.locator('.explained');
  await explained.locator('.explain-verdict', { hasText: 'Opens next:' }).waitFor();
  await explained.locator('.explain-step[data-outcome="failed"]', { hasText: 'From tomorrow' }).waitFor();
  expect(await explained.getByRole('link', { name: 'From tomorrow' }).getAttribute('href')).toMatch(/^\/schedules\//);
  await desk.page.locator('dialog[open]').getByRole('button', { name: 'Close' }).click();

  const schedule = await idOf('schedules', 'From tomorrow');
  await ask('PATCH', `/schedules/${schedule}`, { valid_from: null, is_all_day: true });
  await synchronised(gym, identifier, true);
  await present(desk);
  await desk.page.locator('.simulator-last', { hasText: 'granted' }).waitFor();
  await desk.open('Access events');
  await desk.page
    .locator('tbody tr', { hasText: 'Ada Newcomer' })
    .filter({ hasText: 'Access granted' })
    .filter({ hasText: 'Ada at the gym' })
    .first()
    .waitFor();
  await desk.close();
});

it('the matrix opens the explanation of a cell, and a link says who can open a door', async () => {
  const desk = await atWork(stage, 'admin');
  await desk.open('Access matrix');
  await desk.page.getByPlaceholder('Search doors').fill('Gym');
  await desk.page.getByPlaceholder('Search people').fill('Ada');
  const cell = desk.page.getByRole('button', { name: 'Ada Newcomer, Gym: Opens' });
  await cell.click();
  await desk.page.locator('.explain-verdict', { hasText: 'by the rule Ada at the gym' }).waitFor();
  await desk.page.locator('dialog[open]').getByRole('button', { name: 'Close' }).click();

  await desk.page.goto(`/devices/${await idOf('devices', 'Gym')}`);
  await desk.page.getByRole('link', { name: 'Who can open this door' }).click();
  await desk.page.locator('.matrix tbody tr').first().waitFor();
  expect(await desk.page.locator('.matrix thead th').allInnerTexts()).toEqual(['Person', 'Gym']);
  await desk.close();
});

it('says which doors open and close before a person is moved or deleted', async () => {
  const desk = await atWork(stage, 'admin', { at: `/users/${await idOf('users', 'Ada Newcomer')}/edit` });
  const opens = desk.page.locator('.effect-part[data-kind="opens"]');
  const closes = desk.page.locator('.effect-part[data-kind="closes"]');
  await desk.choose('domains', 'Tower A');
  await opens.getByRole('button', { name: '1 person' }).waitFor();
  expect(await closes.count()).toBe(0);
  await opens.getByText('One by one').click();
  await opens.getByText('A floor 1 corridor').waitFor();
  await desk
    .frame('access_rules')
    .getByRole('button', { name: /Ada at the gym/ })
    .click();
  // As somebody of the tower they may still come in, while the clubhouse is open.
  await desk.page.locator('.effect-part[data-kind="hours"]', { hasText: 'Changes the hours of 1 door' }).waitFor();
  await desk.press('Cancel');
  await desk.page.locator('dialog[open]').getByRole('button', { name: 'Leave' }).click();

  await desk.page.locator('tbody tr').first().waitFor();
  await desk.page.goto(`/users/${await idOf('users', 'Ada Newcomer')}/edit`);
  await desk.press('Delete');
  const question = desk.page.locator('dialog[open]');
  await question.locator('.effect-part[data-kind="closes"]').waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await desk.close();
});

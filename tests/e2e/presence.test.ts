import { expect, it } from 'vitest';
import { allLicensed } from '#models/licence-info.ts';
import { atWork, sitDown } from './support/person.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();

const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
  const answer = await fetch(`${stage.server.url}/api/v0${path}`, {
    method,
    headers: { authorization: `Bearer ${stage.token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect(answer.ok, await answer.clone().text()).toBe(true);
  return ((await answer.json()) as { data: T }).data;
};
const firstOf = async (area: string, name: string): Promise<string> => {
  const filters = encodeURIComponent(JSON.stringify({ match: 'match_all', items: [{ field: 'name', rule: 'equals', value: name }] }));
  const [row] = await ask<{ id: string }[]>('GET', `/${area}?size=1&filters=${filters}`);
  return row?.id ?? '';
};
/** A resident whom administrator and dealer may change. */
async function makeResident(): Promise<string> {
  const login = `shared-${crypto.randomUUID().slice(0, 8)}`;
  const [role, group] = await Promise.all([firstOf('roles', 'Resident'), firstOf('groups', 'Tower B')]);
  const kept = { description: '', profile: { phone: null, address: '' }, markers: [], access_rules: [], identifiers: [], sip_numbers: [] };
  const body = { ...kept, login, name: login, email: `${login}@example.org`, role, domains: [group], license_info: allLicensed };
  return ask('PUT', '/users', { ...body, elevator_access_disabled: false });
}

it('two people at one record see each other, and who saves second is told who was first and when', async () => {
  const id = await makeResident();
  const [admin, dealer] = [await atWork(stage), await sitDown(stage)];
  await dealer.signIn('dealer');
  await dealer.page.getByRole('button', { name: /Riverside/ }).click();
  await dealer.page.locator('.person-button').waitFor();
  await dealer.page.goto(`/users/${id}/edit`);
  await dealer.field('Description').waitFor();
  await admin.page.goto(`/users/${id}`);
  const others = (person: typeof admin) => person.page.locator('.editor-others');
  await others(admin)
    .getByText(/ is editing this$/)
    .waitFor();
  expect(await others(dealer).textContent()).toBe('');
  await admin.press('Edit');
  await others(dealer).getByText('Anna Keller is editing this').waitFor();

  await dealer.fill('Description', 'by the dealer');
  await admin.fill('Description', 'by Anna');
  await admin.press('Save');
  await admin.told('Done');
  await others(dealer).getByText('Anna Keller is editing this').waitFor({ state: 'detached' });
  await dealer.page.getByText(/^Anna Keller changed this at \d\d:\d\d\.$/).waitFor();
  await dealer.press('Save');
  const conflict = dealer.page.getByRole('alert', { name: /changed/i }).or(dealer.page.locator('.conflict'));
  await conflict
    .first()
    .getByText(/^Anna Keller changed this at \d\d:\d\d\.$/)
    .waitFor();
  await conflict.first().getByText('by Anna').waitFor();
  await conflict.first().getByText('by the dealer').waitFor();

  await admin.page.goto(`/users/${id}`);
  await others(admin)
    .getByText(/ is editing this$/)
    .waitFor();
  await dealer.context.close();
  await others(admin)
    .getByText(/ is editing this$/)
    .waitFor({ state: 'detached' });
  await admin.close();
});

import { expect, it } from 'vitest';
import { allLicensed } from '#models/licence-info.ts';
import { atWork, sitDown } from './support/person.ts';
import { demoPassword } from './support/server.ts';
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
/** Somebody who may do the same as the administrator, and has a password. */
async function makeColleague(): Promise<{ login: string; name: string; id: string }> {
  const login = `robin-${crypto.randomUUID().slice(0, 8)}`;
  const [role, group] = await Promise.all([firstOf('roles', 'Administrator'), firstOf('groups', 'Tower B')]);
  const unchanged = { description: '', profile: { phone: null, address: '' }, markers: [], access_rules: [], identifiers: [], sip_numbers: [] };
  const body = { ...unchanged, login, name: `Robin ${login}`, email: `${login}@example.org`, role, domains: [group], license_info: allLicensed };
  const id = await ask<string>('PUT', '/users', { ...body, elevator_access_disabled: false });
  await ask('POST', `/users/${id}/password`, { new_password: demoPassword });
  return { login, name: body.name, id };
}

it('two people at one record see each other, and who saves second is told who was first and when', async () => {
  const mark = crypto.randomUUID().slice(0, 8);
  const colleague = await makeColleague();
  const id = await ask<string>('PUT', '/markers', { name: `Shared ${mark}`, color: '#336699' });
  const [admin, robin] = [await atWork(stage), await sitDown(stage)];
  await robin.signIn(colleague.login);
  await robin.page.locator('.person-button').waitFor();
  await robin.page.goto(`/markers/${id}/edit`);
  await robin.field('Name').waitFor();
  await admin.page.goto(`/markers/${id}`);
  const others = (person: typeof admin) => person.page.locator('.editor-others');
  await others(admin)
    .getByText(/ is editing this$/)
    .waitFor();
  expect(await others(robin).textContent()).toBe('');
  await admin.press('Edit');
  await others(robin).getByText('Anna Keller is editing this').waitFor();

  await robin.fill('Name', `by Robin ${mark}`);
  await admin.fill('Name', `by Anna ${mark}`);
  await admin.press('Save');
  await admin.showsNotice('Done');
  await others(robin).getByText('Anna Keller is editing this').waitFor({ state: 'detached' });
  await robin.page.getByText(/^Anna Keller changed this at \d\d:\d\d\.$/).waitFor();
  await robin.press('Save');
  const conflict = robin.page.getByRole('alert', { name: /changed/i }).or(robin.page.locator('.conflict'));
  await conflict
    .first()
    .getByText(/^Anna Keller changed this at \d\d:\d\d\.$/)
    .waitFor();
  await conflict.first().getByText(`by Anna ${mark}`).waitFor();
  await conflict.first().getByText(`by Robin ${mark}`).waitFor();

  await admin.page.goto(`/markers/${id}`);
  await others(admin)
    .getByText(/ is editing this$/)
    .waitFor();
  await robin.context.close();
  await others(admin)
    .getByText(/ is editing this$/)
    .waitFor({ state: 'detached' });
  await admin.close();
});

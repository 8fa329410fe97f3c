import { expect, it } from 'vitest';
import { barriers } from './support/barriers.ts';
import { atWork } from './support/person.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();

it('a version out of the audit trail fills the form, says what it cannot bring back, and is stored only by saving', async () => {
  const mark = crypto.randomUUID().slice(0, 8);
  const send = async (method: string, path: string, body?: unknown): Promise<{ data: never }> => {
    const answer = await fetch(`${stage.server.url}/api/v0${path}`, {
      method,
      headers: { authorization: `Bearer ${stage.token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    expect(answer.ok, await answer.clone().text()).toBe(true);
    return (await answer.json()) as { data: never };
  };
  const lost: string = (await send('PUT', '/roles', { name: `Lost ${mark}`, description: '', permissions: [], available_roles: [] })).data;
  const role: string = (
    await send('PUT', '/roles', { name: `Desk ${mark}`, description: 'nights', permissions: ['can_view_users'], available_roles: [lost] })
  ).data;
  await send('PATCH', `/roles/${role}`, { description: 'nights and weekends' });
  await send('PATCH', `/roles/${role}`, { description: 'days', available_roles: [] });
  await send('DELETE', `/roles/${lost}`);

  const admin = await atWork(stage);
  const { page } = admin;
  const rows = page.locator('tbody tr', { hasText: `Desk ${mark}` });
  const filters = JSON.stringify({
    match: 'match_all',
    items: [
      { field: 'area', rule: 'equals', value: 'roles' },
      { field: 'entity_id', rule: 'equals', value: role },
    ],
  });
  await page.goto(`/audit-events?filters=${encodeURIComponent(filters)}`);
  await rows.nth(1).click();
  await page.getByRole('link', { name: 'Restore this version' }).click();
  await page.waitForURL(`**/roles/${role}/edit**`);
  await expect.poll(() => admin.field('Description').inputValue()).toBe('nights and weekends');
  await admin.sees('Save to restore it.');
  await page.getByText(`Available roles: Lost ${mark}`).waitFor();
  expect(await barriers(page)).toEqual([]);
  const stored = async (): Promise<string> => ((await send('GET', `/roles/${role}`)) as { data: { description: string } }).data.description;
  expect(await stored()).toBe('days');
  await admin.press('Save');
  await admin.showsNotice('Done');
  expect(await stored()).toBe('nights and weekends');

  await page.goto(`/audit-events?filters=${encodeURIComponent(filters)}`);
  await rows.first().click();
  await page.getByRole('link', { name: 'Restore this version' }).click();
  await admin.sees('This version is the same as the current one.');
  await admin.close();
});

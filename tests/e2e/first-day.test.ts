import { expect, it } from 'vitest';
import { add, addUser, atWork, sitDown } from './support/person.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();

it('an administrator makes a group, a limited role and a person, who then sees only what they may', async () => {
  const admin = await atWork(stage);

  await add(admin, 'group', async () => {
    await admin.fill('Name', 'Annex');
    await admin.choose('parent_id', 'Tower A');
    await admin.choose('domain_type_id', 'Building');
  });
  await add(admin, 'role', async () => {
    await admin.fill('Name', 'Annex desk');
    await admin.page.getByRole('searchbox', { name: 'Find a permission' }).fill('view users');
    await admin.page.getByRole('checkbox', { name: 'View users', exact: true }).check();
  });
  await addUser(admin, { name: 'Noor Silva', login: 'noor', email: 'noor@annex.example', role: 'Annex desk', group: 'Annex' });
  await admin.press('Actions');
  await admin.page.getByRole('menuitem', { name: 'Change password' }).click();
  await admin.field('New password').fill('Annex-2026');
  await admin.field('Confirm new password').fill('Annex-2026');
  await admin.page.locator('dialog[open]').getByRole('button', { name: 'Save', exact: true }).click();
  await admin.showsNotice('Done');

  const noor = await sitDown(stage);
  await noor.enter('noor', { password: 'Annex-2026' });
  expect(await noor.page.getByRole('navigation').getByRole('link', { name: 'Audit log' }).count()).toBe(0);
  expect(await noor.page.getByRole('navigation').getByRole('link', { name: 'Roles' }).count()).toBe(0);
  await noor.open('Groups');
  await noor.page.getByRole('treeitem').first().waitFor();
  expect(await noor.page.getByRole('treeitem').count()).toBe(1);
  await noor.sees('Annex');
  await noor.open('Users');
  await noor.page.locator('tbody tr', { hasText: 'Noor Silva' }).waitFor();
  expect(await noor.page.locator('tbody tr').count()).toBe(1);
  expect(await noor.page.getByRole('button', { name: 'Add user' }).count()).toBe(0);

  await noor.page.getByText('RU', { exact: true }).click();
  await noor.page.getByRole('heading', { name: 'Пользователи' }).waitFor();
  await noor.page.reload();
  await noor.page.getByRole('heading', { name: 'Пользователи' }).waitFor();

  await admin.open('Audit log');
  // Of her own sign-in and language she is the author herself.
  await admin.page.locator('tbody tr', { hasText: 'Noor Silva' }).filter({ hasText: 'Anna Keller' }).first().click();
  await admin.page.waitForURL(/\/audit-events\/[\da-f-]{36}/);
  await admin.sees('Anna Keller');
  await noor.close();
  await admin.close();
});

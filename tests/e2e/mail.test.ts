import { expect, it, onTestFinished } from 'vitest';
import type { Mail } from '#models/mail.ts';
import { type MailServer, openMailServer } from '#tests/server/mail-server.ts';
import { barriers } from './support/barriers.ts';
import { atWork, sitDown } from './support/person.ts';
import { api } from './support/server.ts';
import { setStage } from './support/stage.ts';

const stage = setStage({ DOORWARD_INTEGRATION_LOOPBACK: 'on' });

async function mailServer(): Promise<MailServer> {
  const server = await openMailServer({ disabledCommands: ['AUTH', 'STARTTLS'] });
  onTestFinished(() => server.close());
  return server;
}
/** A message without its line breaks of quoted-printable. */
const flat = (text: string): string => text.replaceAll('=\r\n', '').replaceAll('=3D', '=');

it('an administrator sets white label, mail server and a template; the test e-mail and the next invitation look so', async () => {
  const { port, taken } = await mailServer();
  const tag = crypto.randomUUID().slice(0, 8);
  const brand = `Homes ${tag}`;
  const admin = await atWork(stage, 'admin', { at: '/general-settings/white-label' });
  const { page } = admin;
  await page.getByLabel('Use white label').check();
  await page.getByRole('textbox', { name: 'Name' }).fill(brand);
  await page.locator('input[name=accent_color]').fill('#ffff00');
  await page.getByRole('button', { name: 'Save' }).click();
  await admin.sees('The text is hard to read on this colour');
  await page.locator('input[name=accent_color]').fill('#114422');
  await page.getByRole('button', { name: 'Save' }).click();
  await admin.showsNotice('Settings saved');

  const visitor = await sitDown(stage, { width: 390, height: 844, dark: true });
  await visitor.page.goto('/login');
  await visitor.page.locator('.session-brand', { hasText: brand }).waitFor();
  expect(await visitor.page.title()).toBe(`Sign in · ${brand}`);
  expect(await visitor.page.locator('form button[type=submit]').evaluate((button) => getComputedStyle(button).backgroundColor)).toBe(
    'rgb(17, 68, 34)',
  );
  expect(await barriers(visitor.page)).toEqual([]);
  await visitor.close();

  await page.goto('/general-settings/mail');
  await page.getByLabel('Send by').selectOption('smtp');
  await page.getByRole('textbox', { name: /^Server/ }).fill('127.0.0.1');
  await page.getByRole('textbox', { name: /^Port/ }).fill('1');
  await page.getByLabel('Encryption').selectOption('none');
  await page.getByRole('textbox', { name: /^Sender’s address/ }).fill('doors@example.org');
  await page.getByRole('textbox', { name: /^Recipient/ }).fill(`me-${tag}@example.org`);
  await page.getByRole('button', { name: 'Send test e-mail' }).click();
  await admin.sees('The mail server cannot be reached');
  await page.getByRole('textbox', { name: /^Port/ }).fill(String(port));
  await page.getByRole('button', { name: 'Send test e-mail' }).click();
  await admin.sees('The mail server accepted the test e-mail.');
  await page.getByRole('button', { name: 'Save' }).click();
  await admin.showsNotice('Settings saved');
  await expect.poll(() => taken.map(({ to }) => to[0])).toContain(`me-${tag}@example.org`);
  expect(flat(taken[0]?.text ?? '')).toContain('background:#114422');
  expect(taken[0]?.text).toContain(`Subject: ${brand} test e-mail`);

  const old = await api<{ data: { id: string; mail_type_id: string }[] }>(stage.server, 'GET', '/mail-templates', { token: stage.token });
  for (const { id } of old.body.data) await api(stage.server, 'DELETE', `/mail-templates/${id}`, { token: stage.token });
  await page.goto('/mail-templates/add');
  await page.getByRole('textbox', { name: /^Subject/ }).fill(`Welcome to {{product}}, {{name}}`);
  await page.getByRole('textbox', { name: /^Text/ }).fill('Come in, {{name}}: ');
  await page.getByRole('button', { name: '{{link}} required' }).click();
  await page.getByRole('button', { name: 'Preview' }).click();
  await page
    .getByRole('dialog')
    .getByRole('heading', { name: `Welcome to ${brand}, Anna Example` })
    .waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Save' }).first().click();
  await page.waitForURL(/\/mail-templates(?:\?.*)?$/);

  const named = async (area: string, name: string): Promise<string> => {
    const filters = encodeURIComponent(JSON.stringify({ match: 'match_all', items: [{ field: 'name', rule: 'equals', value: name }] }));
    const found = await api<{ data: { id: string }[] }>(stage.server, 'GET', `/${area}?size=1&filters=${filters}`, { token: stage.token });
    return found.body.data[0]?.id ?? '';
  };
  const [role, domain] = [await named('roles', 'Resident'), await named('groups', 'Parking')];
  const made = await api<{ data: string }>(stage.server, 'PUT', '/users', {
    token: stage.token,
    body: {
      login: `new-${tag}`,
      name: 'Newcomer',
      email: `new-${tag}@example.org`,
      role,
      domains: [domain],
      send_registration_link: true,
    },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  await expect.poll(() => taken.some(({ to }) => to[0] === `new-${tag}@example.org`)).toBe(true);
  const invitation = flat(taken.find(({ to }) => to[0] === `new-${tag}@example.org`)?.text ?? '');
  expect(invitation).toContain(`Subject: Welcome to ${brand}, Newcomer`);
  expect(invitation).toContain('background:#114422');
  expect(invitation).toMatch(/href="http[^"]+\/registration\/[\w-]{43}"/);

  await page.goto('/mails');
  await admin.sees(`Welcome to ${brand}, Newcomer`);
  const rows = await api<{ data: Mail[] }>(stage.server, 'GET', '/mails', { token: stage.token });
  expect(rows.body.data.find(({ recipient }) => recipient === `new-${tag}@example.org`)).toMatchObject({ state: 'sent', attempts: 1 });
});

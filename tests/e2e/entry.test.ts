import { expect, it } from 'vitest';
import { barriers } from './support/barriers.ts';
import { sitDown } from './support/person.ts';
import { api } from './support/server.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();

interface Mail {
  recipient: string;
  body: string;
}
/** What stands in the last mail to somebody where the pattern finds it. */
async function mailed(recipient: string, pattern: RegExp): Promise<string> {
  let found = '';
  await expect
    .poll(async () => {
      const { body } = await api<{ data: Mail[] }>(stage.server, 'GET', '/mails', { token: stage.token });
      found = body.data.filter((mail) => mail.recipient === recipient).flatMap((mail) => pattern.exec(mail.body)?.[1] ?? [])[0] ?? '';
      return found;
    })
    .not.toBe('');
  return found;
}
const set = (path: string, body: object) => api(stage.server, 'PATCH', `/project-settings/${path}`, { token: stage.token, body });

it('somebody registers by themselves, confirms by the mailed code, forgets the password and gets a new one', async () => {
  const email = `ida-${Date.now()}@riverside.example`;
  const roles = await api<{ data: { id: string; name: string }[] }>(stage.server, 'GET', '/roles?size=100', { token: stage.token });
  const role = roles.body.data.find(({ name }) => name === 'Resident')?.id;
  const clients = [{ type: 'Resident', role, license_period_days: null, features: [] }];
  expect((await set('self-registration', { clients })).status).toBe(200);
  expect((await set('general', { registration: { simple: false, by_token: true, self: true } })).status).toBe(200);

  const ida = await sitDown(stage, { width: 390, height: 844, dark: true });
  const isSound = async () => {
    expect(await barriers(ida.page)).toEqual([]);
    expect(await ida.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBeLessThanOrEqual(1);
  };
  await ida.page.goto('/login');
  await ida.page.getByRole('link', { name: 'Create an account' }).click();
  await ida.sees('Your account in “Riverside”.');
  await isSound();
  await ida.press('Create account');
  await ida.sees('This field is required');
  await ida.fill('Your name', 'Ida Moss');
  await ida.fill('E-mail', email);
  await ida.fill('Building and apartment', 'Tower B, 7');
  await ida.fill('Password', 'Annex-2026');
  await ida.fill('Confirm password', 'Annex-2026');
  await ida.press('Create account');
  await ida.sees(`We have sent an e-mail to ${email}.`);
  await isSound();
  await ida.fill('Confirmation code', '1234');
  await ida.press('Confirm');
  expect(await ida.field('Confirmation code').getAttribute('aria-invalid')).toBe('true');
  await ida.fill('Confirmation code', await mailed(email, /\n(\d{8})\n/));
  await ida.press('Confirm');
  await ida.page.waitForURL('**/login');
  expect(await ida.page.locator('#login').inputValue()).toBe(email);

  await ida.page.getByRole('link', { name: 'Forgot your password?' }).click();
  await ida.fill('E-mail', email);
  await ida.press('Send link');
  await ida.sees(`If an account uses ${email}`);
  const link = await mailed(email, /(\/password\/reset\/[\w-]{43})\n/);
  await ida.page.goto(link);
  await ida.sees('Hello, Ida Moss.');
  await isSound();
  await ida.fill('Password', 'Forgotten-2026');
  await ida.fill('Confirm password', 'Forgotten-2026');
  await ida.press('Change password');
  await ida.page.waitForURL('**/login');
  await ida.page.locator('#password').fill('Forgotten-2026');
  await ida.page.locator('form button[type=submit]').click();
  await ida.page.waitForURL('**/home');
  await ida.sees('You do not belong to a group yet.');
  await ida.close();

  const late = await sitDown(stage, { locale: 'ru-RU' });
  await late.page.goto(link);
  await late.sees('Ссылка недействительна');
  await late.page.getByRole('link', { name: 'Запросить новую ссылку' }).click();
  await late.sees('Восстановление пароля');
  await set('general', { registration: { simple: false, by_token: true, self: false } });
  await late.page.goto('/self-registration');
  await late.sees('Регистрация закрыта');
  await late.close();
});

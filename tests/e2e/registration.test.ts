import { expect, it } from 'vitest';
import { barriers } from './support/barriers.ts';
import { setGate } from './support/gate.ts';
import { addUser, atWork, sitDown } from './support/person.ts';
import { api, startServer } from './support/server.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();

const linkIn = (text: string): string => /\/registration\/[\w-]{43}/.exec(text)?.[0] ?? '';

it('a person is sent a link, sets a password by it, signs in; the link works once', async () => {
  const admin = await atWork(stage);
  await addUser(admin, { name: 'Noor Silva', login: 'noor', email: 'noor@annex.example', role: 'Resident', group: 'Tower A' });
  await admin.press('Actions');
  await admin.page.getByRole('menuitem', { name: 'Send registration link' }).click();
  await admin.page.locator('dialog[open]').getByRole('button', { name: 'Send', exact: true }).click();
  await admin.showsNotice('noor@annex.example');

  const mails = await api<{ data: { recipient: string; body: string }[] }>(stage.server, 'GET', '/mails', { token: stage.token });
  // The demo's people are reminded of what they have booked meanwhile.
  const sent = mails.body.data.filter(({ recipient }) => recipient === 'noor@annex.example');
  expect(sent).toHaveLength(1);
  const link = linkIn(sent[0]?.body ?? '');
  expect(link).not.toBe('');

  const noor = await sitDown(stage, { width: 390, height: 844, dark: true });
  const gate = await setGate(noor.page, (path) => path.startsWith('/registration/'));
  gate.hold();
  await noor.page.goto(link);
  await gate.decide('lost');
  await noor.sees('No connection to the server');
  gate.hold();
  await noor.press('Try again');
  await gate.decide('through');
  await noor.sees('Hello, Noor Silva.');
  expect(await noor.field('Your login').inputValue()).toBe('noor');
  expect(await barriers(noor.page)).toEqual([]);
  expect(await noor.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBeLessThanOrEqual(1);

  const asked: string[] = [];
  noor.page.on('request', (request) => request.method() === 'POST' && asked.push(request.url()));
  await noor.fill('Password', 'short');
  await noor.press('Set password');
  await noor.sees('At least 10 characters');
  await noor.fill('Password', 'Annex-2026');
  await noor.fill('Confirm password', 'Annex-2027');
  await noor.press('Set password');
  await noor.sees('The two fields must match');
  expect(asked).toEqual([]);
  await noor.fill('Confirm password', 'Annex-2026');
  await noor.press('Set password');
  await noor.page.waitForURL('**/login');
  await noor.sees('Your password is set.');
  expect(await noor.page.locator('#login').inputValue()).toBe('noor');
  await noor.page.locator('#password').fill('Annex-2026');
  const mailsAsked: string[] = [];
  noor.page.on('request', (request) => request.url().endsWith('/mails') && mailsAsked.push(request.url()));
  await noor.page.locator('form button[type=submit]').click();
  await noor.page.waitForURL('**/home');
  await noor.sees('My groups');
  await noor.page.waitForLoadState('networkidle');
  expect(mailsAsked).toEqual([]);
  await noor.close();

  const late = await sitDown(stage, { locale: 'ru-RU' });
  await late.page.goto(link);
  await late.sees('Ссылка недействительна');
  await late.sees('попросите того, кто вас пригласил');
  await late.page.goto('/registration');
  await late.sees('Регистрация закрыта');
  await late.page.getByRole('link', { name: 'Перейти ко входу' }).click();
  await late.page.waitForURL('**/login');
  await late.close();

  await admin.page.goto('/home');
  await admin.page.getByRole('link', { name: 'All e-mails' }).click();
  await admin.page.waitForURL('**/mails');
  await admin.sees('To noor@annex.example');
  const mail = admin.page.locator('.mail', { hasText: 'To noor@annex.example' });
  expect(await mail.locator('.mail-body a').getAttribute('href')).toBe(link);
  await admin.close();
});

it('without the demo the first administrator comes by a link told at the start', async () => {
  const own = await startServer({ env: { DOORWARD_DEMO: 'off' } });
  const person = await sitDown(stage, { url: own.url });
  await expect.poll(() => linkIn(own.output())).not.toBe('');
  await person.page.goto(linkIn(own.output()));
  await person.sees('Hello, Administrator.');
  await person.fill('Password', 'Chosen-2026');
  await person.fill('Confirm password', 'Chosen-2026');
  await person.press('Set password');
  await person.page.waitForURL('**/login');
  await person.page.locator('#password').fill('Chosen-2026');
  const mails = person.page.waitForResponse('**/api/v0/mails');
  await person.page.locator('form button[type=submit]').click();
  await person.page.waitForURL('**/home');
  await person.sees('Hello, Administrator');
  expect(((await (await mails).json()) as { data: unknown[] }).data).toEqual([]);
  expect(await person.page.getByText('Demo mailbox').count()).toBe(0);
  await person.close();
  await own.discard();
});

import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { refused } from './support/fake-server.ts';
import { openConsole, smallBuilding } from './support/console.tsx';

const code = 'c'.repeat(43);
const info = { login: 'anna', name: 'Anna', project: 'Riverside' };

it('a forgotten password: the address is checked first, and the answer says nothing about it', async () => {
  const server = smallBuilding({ 'POST /password/recovery': () => ({ body: { data: null } }) });
  const { user } = await openConsole('/login');
  await user.click(await screen.findByRole('link', { name: 'Forgot your password?' }));
  const email = await screen.findByRole('textbox', { name: 'E-mail' });
  expect(email.getAttribute('autocomplete')).toBe('email');
  await user.type(email, 'anna');
  await user.click(screen.getByRole('button', { name: 'Send link' }));
  await waitFor(() => expect(email.getAttribute('aria-invalid')).toBe('true'));
  expect(server.asked('POST', '/password/recovery')).toEqual([]);
  await user.type(email, '@example.org');
  await user.click(screen.getByRole('button', { name: 'Send link' }));
  expect((await screen.findByRole('status')).textContent).toContain('If an account uses anna@example.org');
  expect(server.asked('POST', '/password/recovery').map(({ body }) => body)).toEqual([{ email: 'anna@example.org' }]);
  await user.click(screen.getByRole('button', { name: 'Use another address' }));
  expect((await screen.findByRole<HTMLInputElement>('textbox', { name: 'E-mail' })).value).toBe('anna@example.org');
});

it('where recovery is closed, the page says whom to ask', async () => {
  smallBuilding({ 'GET /registration/kinds': () => ({ body: { data: { simple: false, self: false, recovery: false } } }) });
  await openConsole('/password/recovery');
  await screen.findByText('Password recovery by e-mail is turned off. Ask your administrator for a new password.');
  expect(screen.queryByRole('textbox')).toBeNull();
});

it('a recovery link: a new password is chosen, and one goes on to sign in', async () => {
  const server = smallBuilding({
    'POST /password/reset/info': () => ({ body: { data: info } }),
    'POST /password/reset': () => ({ body: { data: null } }),
  });
  const { user } = await openConsole(`/password/reset/${code}`);
  await screen.findByText(/Hello, Anna\./);
  expect(screen.getByRole('textbox', { name: 'Your login' }).getAttribute('autocomplete')).toBe('username');
  const password = screen.getByLabelText('Password', { selector: 'input' });
  expect(password.getAttribute('autocomplete')).toBe('new-password');
  await user.type(password, 'Chosen-2026');
  await user.type(screen.getByLabelText('Confirm password', { selector: 'input' }), 'Chosen-2026');
  await user.click(screen.getByRole('button', { name: 'Change password' }));
  expect((await screen.findByRole<HTMLInputElement>('textbox', { name: 'Login' })).value).toBe('anna');
  expect(server.asked('POST', '/password/reset').map(({ body }) => body)).toEqual([{ code, password: 'Chosen-2026' }]);
});

it('a recovery link that was used is refused at once, with the way to a new one', async () => {
  smallBuilding({ 'POST /password/reset/info': () => refused(400, 'outdated_link', 'verification link is outdated or incorrect') });
  const { user } = await openConsole(`/password/reset/${code}`);
  await screen.findByRole('heading', { name: 'This link is not valid' });
  expect(screen.queryByLabelText('Password', { selector: 'input' })).toBeNull();
  await user.click(screen.getByRole('link', { name: 'Request a new link' }));
  await screen.findByRole('textbox', { name: 'E-mail' });
});

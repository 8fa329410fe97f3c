import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openPage } from './support/area-page.ts';

const texts = {
  en: { subject: 'Your account', body: 'Hello {{name}}: {{link}}' },
  ru: { subject: 'Ваша учётная запись', body: 'Здравствуйте, {{name}}: {{link}}' },
};
const types = [{ id: 'registration', placeholders: ['name', 'link'], required: ['link'], texts }];

const adding = (handlers: Parameters<typeof openPage>[1] = {}) =>
  openPage('/mail-templates/add', { 'GET /mail-templates/types': () => ({ body: { data: types } }), ...handlers });

describe('a mail template', () => {
  it('begins with subject and text of the mail as it goes out without one', async () => {
    const { user } = await adding();
    const begin = await screen.findByRole<HTMLButtonElement>('button', { name: 'Use the built-in text' });
    await waitFor(() => expect(begin.disabled).toBe(false));
    await user.click(begin);
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: /^Subject/ }).value).toBe(texts.en.subject);
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: /^Text/ }).value).toBe(texts.en.body);
  });

  it('says in its preview which field is wrong', async () => {
    const { user } = await adding({
      'POST /mail-templates/preview': () => ({
        status: 422,
        body: {
          message: 'invalid data sent (request validation)',
          error: { code: 'invalid_data', message: 'invalid data sent (request validation)' },
          data: { issues: [{ path: ['subject'], rule: 'required', params: {} }] },
        },
      }),
    });
    await user.click(await screen.findByRole('button', { name: 'Preview' }));
    expect((await screen.findByText(/This field is required/)).textContent).toBe('Subject: This field is required');
  });
});

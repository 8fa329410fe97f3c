import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openPage } from './support/area-page.ts';

const broker = {
  kind: 'embedded',
  port: 1883,
  secure_port: null,
  secure_port_setting: 8883,
  certificate: null,
  is_operator: true,
};
const certificate = {
  subject: 'broker.example.org',
  names: ['broker.example.org'],
  issuer: 'Example CA',
  valid_from: '2026-01-01T00:00:00.000Z',
  valid_to: '2026-12-01T00:00:00.000Z',
  fingerprint: 'AA:BB',
  chain: 1,
  state: 'ending',
};
const brokerPage = (shown: object, more: Parameters<typeof openPage>[1] = {}) =>
  openPage('/general-settings/broker', { 'GET /project-settings/broker': () => ({ body: { data: { ...broker, ...shown } } }), ...more });
const fileInput = (name: string): HTMLInputElement => screen.getByLabelText<HTMLInputElement>(name, { selector: 'input' });

describe('the broker', () => {
  it('takes certificate, key and chain, says what is wrong at its file, and until when the certificate counts', async () => {
    let tries = 0;
    const page = await brokerPage(
      {},
      {
        'POST /project-settings/broker': () => {
          tries += 1;
          return tries === 1
            ? { status: 422, body: { data: { issues: [{ path: ['key'], rule: 'broker_mismatch', params: {} }] }, error: { code: 'invalid_data' } } }
            : { body: { data: { ...broker, secure_port: 8883, certificate } } };
        },
      },
    );
    const form = within(await screen.findByRole('form', { name: 'Upload certificate' }));
    const send = () => form.getByRole<HTMLButtonElement>('button', { name: 'Upload certificate' });
    expect(send().disabled).toBe(true);
    await page.user.upload(fileInput('Certificate'), new File(['pem'], 'broker.pem'));
    await page.user.upload(fileInput('Private key'), new File(['pem'], 'broker.key'));
    form.getByText('broker.key');
    await page.user.click(send());
    await form.findByText('The key does not belong to the certificate');
    await page.user.click(send());
    await screen.findByText(/^The certificate expires on .*Upload the next one before then\.$/);
    screen.getByText('8883');
    screen.getByRole('form', { name: 'Replace certificate' });
    expect(screen.queryByText('broker.key')).toBeNull();
  });

  it('says that its port could not be opened', async () => {
    await brokerPage({ certificate: { ...certificate, state: 'valid' } });
    expect((await screen.findByText(/^Port 8883/)).textContent).toMatch(/could not be opened/);
  });

  it('asks before the certificate is removed', async () => {
    const page = await brokerPage({ secure_port: 8883, certificate }, { 'DELETE /project-settings/broker': () => ({ body: { data: broker } }) });
    await page.user.click(await screen.findByRole('button', { name: 'Remove certificate' }));
    const question = within(await screen.findByRole('dialog', { name: /Remove the broker’s certificate\?$/ }));
    await page.user.click(question.getByRole('button', { name: 'Remove certificate' }));
    await screen.findByText('There is no certificate yet, so devices connect without encryption.');
    expect(page.server.asked('DELETE', '/project-settings/broker')).toHaveLength(1);
  });

  it('is only seen by people of other projects, and belongs elsewhere where it is an external one', async () => {
    await brokerPage({ secure_port: 8883, certificate, is_operator: false });
    await screen.findByText(/Its certificate is managed in the project that runs this server\.$/);
    expect(screen.queryByRole('button', { name: /certificate/ })).toBeNull();
  });

  it('of somebody else has its certificate there', async () => {
    await brokerPage({ kind: 'external', port: null });
    await screen.findByText(/^Devices connect to an external broker/);
    expect(screen.queryByRole('form')).toBeNull();
  });
});

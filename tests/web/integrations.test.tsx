import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { storedPassword } from '#models/stored-password.ts';
import { uuid } from '#tests/support/people.ts';
import { annaWith, openPage, rowsAnswer } from './support/area-page.ts';
import { fill } from './support/user.ts';
import { input, saveButton } from './support/user-form.ts';

const id = uuid(70);
const integration = (more: Record<string, unknown> = {}) => ({
  id,
  version: 4,
  created_at: '2026-01-02T03:04:05.000Z',
  updated_at: '2026-01-02T03:04:05.000Z',
  name: 'Facility desk',
  type: 'webhook',
  is_active: true,
  domain_id: null,
  domains: [],
  url: 'https://hooks.example.org/events',
  events: { device_events: false, alarms: true, calls: false, access: true },
  login: null,
  rtsp_url: null,
  cameras: [],
  has_secret: true,
  has_password: false,
  certificate_info: null,
  state: 'working',
  waiting_count: 0,
  failing_since: null,
  stopped_at: null,
  last_error: null,
  created_by: null,
  ...more,
});
const delivery = {
  id: uuid(71),
  kind: 'access',
  event: 'access_granted',
  created_at: '2026-01-02T03:04:05.000Z',
  tried_at: '2026-01-02T03:04:06.000Z',
  delivered_at: null,
  attempts: 3,
  next_at: '2026-01-02T03:09:06.000Z',
  status: 503,
  error: 'refused',
};
const around = (row: object = integration()) => ({
  'GET /integrations': () => rowsAnswer([row]),
  'GET /groups': () => rowsAnswer([]),
  'GET /markers': () => rowsAnswer([]),
  [`GET /integrations/${id}`]: () => ({ body: { data: row } }),
  [`GET /integrations/${id}/deliveries`]: () => ({ body: { data: [delivery] } }),
});
/** The JSON of a form that was sent. */
const dataOf = (body: unknown): unknown => JSON.parse(/name="data"\r\n\r\n(.*?)\r\n--/s.exec(String(body))?.[1] ?? 'null');

describe('the integrations of the project', () => {
  it('stand in the general settings with how they stand, and lead to their pages', async () => {
    const group = { id: uuid(30), name: 'Tower', path: ['Riverside', 'Tower'] };
    await openPage('/general-settings/integrations', around(integration({ state: 'failing', waiting_count: 7, domain_id: group })));
    const link = await screen.findByRole('link', { name: 'Facility desk' });
    expect(link.getAttribute('href')).toContain(`/integration/${id}/edit`);
    const line = within(link.closest('li') ?? document.body);
    line.getByText('Failing');
    line.getByText('Events waiting: 7');
    line.getByText(/Webhook · .*Tower/);
    screen.getByRole('button', { name: 'Add integration' });
  });

  it('are added by who may change the settings alone, and have no list of their own (INTG-04)', async () => {
    const page = await openPage('/integration', { ...around(), 'GET /profile': () => ({ body: { data: annaWith('can_edit_all_groups') } }) });
    await page.at('/general-settings/integrations');
    await screen.findByRole('link', { name: 'Facility desk' });
    expect(screen.queryByRole('button', { name: 'Add integration' })).toBeNull();
  });
});

describe('the form of an integration', () => {
  it('sends what is new as a form with POST, and goes back to the settings', async () => {
    const page = await openPage('/integration/add', { ...around(), 'POST /integrations': () => ({ body: { data: id } }) });
    await screen.findByRole('textbox', { name: 'Name' });
    await fill(page.user, input('Name'), 'Desk');
    await fill(page.user, input('URL'), 'https://hooks.example.org/in');
    await fill(page.user, screen.getByLabelText('Signing secret'), 'a secret of sixteen');
    await page.user.click(screen.getByRole('checkbox', { name: 'Calls' }));
    await page.user.click(saveButton());
    await page.at('/general-settings/integrations');
    const [sent] = page.server.asked('POST', '/integrations');
    expect(sent?.headers.get('content-type')).toContain('multipart/form-data');
    expect(dataOf(sent?.body)).toMatchObject({
      name: 'Desk',
      type: 'webhook',
      secret: 'a secret of sixteen',
      domain_id: null,
      events: { calls: true },
    });
  });

  it('asks of a camera what it needs, with a line for each camera', async () => {
    const page = await openPage('/integration/add', { ...around(), 'POST /integrations': () => ({ body: { data: id } }) });
    await screen.findByRole('textbox', { name: 'Name' });
    await page.user.selectOptions(screen.getByRole('combobox', { name: 'Type' }), 'camera');
    expect(screen.queryByLabelText('Signing secret')).toBeNull();
    await fill(page.user, input('Name'), 'Recorder');
    await fill(page.user, input('URL'), 'http://10.0.0.5');
    await page.user.click(screen.getByRole('button', { name: /Cameras|Add camera/ }));
    await fill(page.user, screen.getByRole('textbox', { name: 'Camera name' }), 'Gate');
    await page.user.click(saveButton());
    await waitFor(() => expect(page.server.asked('POST', '/integrations')).toHaveLength(1));
    expect(dataOf(page.server.asked('POST', '/integrations')[0]?.body)).toMatchObject({
      type: 'camera',
      cameras: [{ display_name: 'Gate', access_point: '/snapshot.jpg' }],
    });
  });

  it('keeps secrets that nobody typed, and sends a certificate as a file', async () => {
    const page = await openPage(`/integration/${id}/edit`, {
      ...around(),
      [`POST /integrations/${id}`]: () => ({ body: { data: integration({ version: 5 }) } }),
    });
    await screen.findByRole('textbox', { name: 'Name' });
    expect(screen.getByLabelText<HTMLInputElement>('Signing secret').placeholder).toBe(storedPassword);
    const file = new File(['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'], 'own.pem');
    await page.user.upload(screen.getByLabelText<HTMLInputElement>('Choose file', { selector: 'input' }), file);
    await screen.findByText('New file chosen');
    await page.user.click(saveButton());
    await waitFor(() => expect(page.server.asked('POST', `/integrations/${id}`)).toHaveLength(1));
    const [sent] = page.server.asked('POST', `/integrations/${id}`);
    expect(sent?.headers.get('if-match')).toBe('"4"');
    expect(dataOf(sent?.body)).toEqual({});
    expect(String(sent?.body)).toMatch(/name="certificate"; filename="[^"]+"[\s\S]*BEGIN CERTIFICATE/);
    await page.at('/general-settings/integrations');
  });

  it('says beside the form how it stands, what was sent, and goes on when told to', async () => {
    const stopped = integration({ state: 'stopped', stopped_at: '2026-01-03T03:04:05.000Z', last_error: 'unknown_host', waiting_count: 2 });
    const page = await openPage(`/integration/${id}/edit`, {
      ...around(stopped),
      [`POST /integrations/${id}/resume`]: () => ({ body: { data: integration() } }),
    });
    await screen.findByText(/accepted no events for a day/);
    screen.getByText('Host name not found');
    const line = (await screen.findByText('access_granted')).closest('li') ?? document.body;
    within(line).getByText('Responded with 503');
    within(line).getByText(/3 attempts/);
    await page.user.click(screen.getByRole('button', { name: 'Resume' }));
    await waitFor(() => expect(page.server.asked('POST', `/integrations/${id}/resume`)).toHaveLength(1));
  });
});

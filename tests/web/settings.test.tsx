import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { uuid } from '#tests/support/people.ts';
import { annaWith, openPage, role, rowsAnswer } from './support/area-page.ts';
import { descriptionOf, fill } from './support/user.ts';

const general = {
  name: 'Riverside',
  description: null,
  server_url: null,
  locale: 'en',
  time_zone_name: 'Europe/Berlin',
  time_format: 'DD-MM-YYYY',
  identifier_format: 'dec',
  admin_email: null,
  registration: { simple: false, by_token: true, self: false },
  password_recovery: true,
  notify: { device_offline: false, device_task_failed: false },
  logs_life: null,
  visitor_pictures: false,
  guest_identifier_limits: { max_passes_count: null, max_period_days: null },
  basic_license: { period_days: null, quantity: null },
};
const mail = {
  type: 'smtp',
  host: 'mail.example.org',
  port: 587,
  username: 'door',
  has_password: true,
  from_address: 'door@example.org',
  from_name: null,
  encryption: 'tls',
  domain: null,
  api_url: null,
};
const look = {
  is_enabled: false,
  name: null,
  address: null,
  email: null,
  phone: null,
  accent_color: '#2b5bd7',
  accent_text_color: '#ffffff',
  logo: null,
};
const answers = {
  'GET /project-settings/general': () => ({ body: { data: general } }),
  'GET /project-settings/self-registration': () => ({ body: { data: { clients: [], simple_type: null } } }),
  'GET /project-settings/mail': () => ({ body: { data: mail } }),
  'GET /project-settings/white-label': () => ({ body: { data: look } }),
  'GET /roles': () => rowsAnswer([role(20)]),
};
const field = (name: string): HTMLElement => screen.getByRole('textbox', { name: new RegExp(`^${name}`) });
const save = (): HTMLButtonElement => screen.getAllByRole<HTMLButtonElement>('button', { name: 'Save' })[0] as HTMLButtonElement;
const form = async (name: string) => within(await screen.findByRole('form', { name }));

describe('the settings of the project', () => {
  it('show the sections that the person may see, the first one open', async () => {
    await openPage('/general-settings', answers);
    await form('General');
    const links = within(screen.getByRole('navigation', { name: 'General settings' })).getAllByRole('link');
    expect(links.map(({ textContent }) => textContent)).toEqual([
      'General',
      'Registration',
      'Mail',
      'SMS',
      'Mail templates',
      'SIP',
      'Device broker',
      'Mobile apps',
      'White label',
      'Wallet passes',
      'Integrations',
      'Device backup',
      'Markers',
    ]);
    expect(links.filter((link) => link.getAttribute('aria-current') === 'page').map(({ textContent }) => textContent)).toEqual(['General']);
  });

  it('send what was typed, say what is wrong at its field, and ask before changes are left behind', async () => {
    const page = await openPage('/general-settings/general', {
      ...answers,
      'PATCH /project-settings/general': ({ body }) => ({ body: { data: { ...general, ...(body as object) } } }),
    });
    const card = await form('General');
    expect(save().disabled).toBe(true);
    await fill(page.user, field('Keep logs for'), 'x');
    await page.user.click(save());
    expect(descriptionOf(field('Keep logs for')).join(' ')).toMatch(/number/i);
    expect(page.server.asked('PATCH', '/project-settings/general')).toEqual([]);
    await fill(page.user, field('Keep logs for'), '2');
    await page.user.selectOptions(card.getByRole('combobox', { name: 'Unit' }), 'weeks');
    await page.user.click(screen.getByRole('link', { name: 'Mail' }));
    const question = within(await screen.findByRole('dialog', { name: /Leave without saving\?$/ }));
    await page.user.click(question.getByRole('button', { name: 'Cancel' }));
    expect(page.where()).toBe('/general-settings/general');
    await page.user.click(save());
    await waitFor(() => expect(page.server.asked('PATCH', '/project-settings/general')).toHaveLength(1));
    const { registration: _kinds, password_recovery: _recovery, ...sent } = general;
    expect(page.server.asked('PATCH', '/project-settings/general')[0]?.body).toEqual({ ...sent, logs_life: { value: 2, unit: 'weeks' } });
    await waitFor(() => expect(save().disabled).toBe(true));
  });

  it('are only read by those who may not change them', async () => {
    await openPage('/general-settings/general', answers, annaWith('can_view_project_settings'));
    const card = await form('General');
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
    expect(card.getByRole<HTMLFieldSetElement>('group', { name: 'General' }).disabled).toBe(true);
  });
});

describe('mobile apps', () => {
  it('keep the stored key where none is typed, and need one before it is asked for', async () => {
    const page = await openPage('/general-settings/mobile', {
      ...answers,
      'GET /project-settings/mobile-sdk': () => ({ body: { data: { enabled: false, has_api_key: false } } }),
      'GET /project-settings/push-server': () => ({ body: { data: { enabled: true, url: 'https://push.example.org/', has_token: true } } }),
      'PATCH /project-settings/mobile-sdk': () => ({ body: { data: { enabled: true, has_api_key: true } } }),
      'PATCH /project-settings/push-server': ({ body }) => ({
        body: { data: { enabled: true, ...(body as object), token: undefined, has_token: true } },
      }),
    });
    const sdk = await form('Mobile SDK');
    await page.user.click(sdk.getByRole('checkbox'));
    await page.user.click(sdk.getByRole('button', { name: 'Save' }));
    expect(page.server.asked('PATCH', '/project-settings/mobile-sdk')).toEqual([]);
    await fill(page.user, sdk.getByLabelText(/^API key/), 'The-Key-Of-Our-Apps');
    await page.user.click(sdk.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(page.server.asked('PATCH', '/project-settings/mobile-sdk')).toHaveLength(1));
    expect(page.server.asked('PATCH', '/project-settings/mobile-sdk')[0]?.body).toEqual({ enabled: true, api_key: 'The-Key-Of-Our-Apps' });
    await waitFor(() => expect(sdk.getByLabelText<HTMLInputElement>(/^API key/).value).toBe(''));
    const push = await form('Push server');
    await fill(page.user, push.getByRole('textbox', { name: /^Address/ }), 'https://elsewhere.example/');
    await page.user.click(push.getByRole('button', { name: 'Save' }));
    expect(descriptionOf(push.getByLabelText('Token')).join(' ')).toContain('Enter it again');
  });
});

describe('SIP', () => {
  const sip = {
    server: null,
    early_media: true,
    nodes: [],
    auto_forward: { enabled: false, device_protocol: 'all' },
    network: { port: null, internal_ip: null, external_ip: null, rtp: null, local_networks: [] },
    fixed: ['rtp'],
    is_operator: true,
    port: 8443,
    udp: null,
    internal_ip: null,
    external_ip: null,
    rtp: { min: 40_000, max: 40_099 },
    needs_restart: false,
  };
  const patched = 'PATCH /project-settings/sip';
  const open = (more: object = {}) =>
    openPage('/general-settings/sip', {
      ...answers,
      'GET /project-settings/sip': () => ({ body: { data: { ...sip, ...more } } }),
      [patched]: ({ body }: { body: unknown }) => ({ body: { data: { ...sip, ...(body as object), needs_restart: true } } }),
    });

  it('is set for the project: nodes one a line, monitors that ring first', async () => {
    const page = await open();
    const calls = await form('Calls');
    await page.user.click(calls.getByRole('checkbox', { name: /automatically/ }));
    await page.user.selectOptions(calls.getByRole('combobox', { name: 'Monitors' }), 'mqtt');
    const nodes = calls.getByRole('textbox', { name: /^SIP nodes/ });
    await fill(page.user, nodes, 'two words');
    await page.user.click(calls.getByRole('button', { name: 'Save' }));
    expect(descriptionOf(nodes).join(' ')).toMatch(/host name/);
    await fill(page.user, nodes, 'sip2.example.org\n10.0.0.7:9443');
    await page.user.click(calls.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(page.server.asked('PATCH', '/project-settings/sip')).toHaveLength(1));
    expect(page.server.asked('PATCH', '/project-settings/sip')[0]?.body).toEqual({
      early_media: true,
      nodes: ['sip2.example.org', '10.0.0.7:9443'],
      auto_forward: { enabled: true, device_protocol: 'mqtt' },
    });
  });

  it('has a network that the environment may fix, and that waits for a restart', async () => {
    const page = await open();
    const network = await form('Network');
    expect(network.getByRole<HTMLInputElement>('textbox', { name: /^First media port/ }).disabled).toBe(true);
    await fill(page.user, network.getByRole('textbox', { name: /^External address/ }), '203.0.113.9');
    await page.user.click(network.getByRole('button', { name: 'Save' }));
    await within(await screen.findByRole('form', { name: 'Network' })).findByText(/Restart SIP/);
    expect(page.server.asked('PATCH', '/project-settings/sip')[0]?.body).toEqual({
      network: { port: null, internal_ip: null, external_ip: '203.0.113.9', rtp: null, local_networks: [] },
    });
  });

  it('shows people of other projects the network, and lets them change nothing of it', async () => {
    await open({ is_operator: false });
    await form('Calls');
    expect(screen.queryByRole('form', { name: 'Network' })).toBeNull();
    screen.getByText('40000–40099');
  });
});

describe('the mail server', () => {
  it('asks for what its kind needs, and never shows the password that is stored', async () => {
    const page = await openPage('/general-settings/mail', {
      ...answers,
      'PATCH /project-settings/mail': ({ body }) => ({ body: { data: { ...mail, ...(body as object), password: undefined } } }),
    });
    const card = await form('Mail');
    expect(card.getByLabelText<HTMLInputElement>('Password').value).toBe('');
    await fill(page.user, field('Server'), 'other.example.org');
    await page.user.click(save());
    expect(descriptionOf(card.getByLabelText('Password')).join(' ')).toContain('Enter it again');
    await fill(page.user, card.getByLabelText('Password'), 'Secret-9');
    await page.user.click(save());
    await waitFor(() => expect(page.server.asked('PATCH', '/project-settings/mail')).toHaveLength(1));
    expect(page.server.asked('PATCH', '/project-settings/mail')[0]?.body).toMatchObject({ host: 'other.example.org', password: 'Secret-9' });
    await waitFor(() => expect(card.getByLabelText<HTMLInputElement>('Password').value).toBe(''));
    await page.user.selectOptions(card.getByRole('combobox', { name: 'Send by' }), 'mailgun');
    card.getByLabelText(/^API key/);
    expect(card.queryByRole('textbox', { name: /^Port/ })).toBeNull();
  });
});

describe('a test e-mail', () => {
  it('takes what is typed, and says what the mail server said', async () => {
    const page = await openPage('/general-settings/mail', {
      ...answers,
      'POST /project-settings/mail/test': () => ({
        body: { data: { delivered: false, reason: 'password', words: '535 Bad user or password' } },
      }),
    });
    await form('Mail');
    await fill(page.user, field('Sender’s name'), 'Doors');
    await page.user.click(screen.getByRole('button', { name: 'Send test e-mail' }));
    await screen.findByText('The mail server refused the user name or password.');
    screen.getByText('535 Bad user or password');
    expect(page.server.asked('POST', '/project-settings/mail/test')[0]?.body).toMatchObject({
      mail_settings: { host: 'mail.example.org', from_name: 'Doors' },
    });
    expect(page.server.asked('PATCH', '/project-settings/mail')).toEqual([]);
  });
});

describe('the outbox', () => {
  const mailRow = {
    id: uuid(80),
    recipient: 'a@example.org',
    subject: 'Invitation',
    body: null,
    created_at: '2026-01-02T03:04:05.000Z',
    state: 'failed',
    attempts: 2,
    tried_at: '2026-01-02T03:04:06.000Z',
    sent_at: null,
    next_at: null,
    reason: 'refused',
    words: '550 No such mailbox here',
  };
  it('says what became of a mail, and has it sent again', async () => {
    const page = await openPage('/mails', {
      'GET /mails': () => ({ body: { data: [mailRow] } }),
      [`POST /mails/${mailRow.id}/retry`]: () => ({ body: { data: { ...mailRow, state: 'waiting' } } }),
    });
    await screen.findByText('Not sent');
    screen.getByText('The mail server refused the e-mail.');
    screen.getByText('550 No such mailbox here');
    await page.user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(page.server.asked('POST', `/mails/${mailRow.id}/retry`)).toHaveLength(1));
    await waitFor(() => expect(page.server.asked('GET', '/mails')).toHaveLength(2));
  });
});

describe('white label', () => {
  it('says whether its colours can be read, and refuses those that cannot', async () => {
    const page = await openPage('/general-settings/white-label', answers);
    const card = await form('White label');
    card.getByText(/Contrast 5\.\d : 1\. The text is easy to read\./);
    await fill(page.user, field('Colour'), '#ffff00');
    card.getByText(/Contrast 1\.0 : 1\. The text is too hard to read/);
    await page.user.click(save());
    expect(descriptionOf(field('Text on the colour')).join(' ')).toContain('at least 4.5 : 1');
    expect(page.server.asked('PATCH', '/project-settings/white-label')).toEqual([]);
  });
});

describe('somebody who manages company information alone', () => {
  it('finds the white label and no other section, and saves it', async () => {
    const page = await openPage(
      '/general-settings',
      { ...answers, 'PATCH /project-settings/white-label': ({ body }) => ({ body: { data: { ...look, ...(body as object) } } }) },
      annaWith('can_manage_company_information'),
    );
    await form('White label');
    expect(page.server.asked('GET', '/project-settings/general')).toEqual([]);
    await fill(page.user, field('Phone'), '+15550100');
    await page.user.click(save());
    await waitFor(() => expect(page.server.asked('PATCH', '/project-settings/white-label')).toHaveLength(1));
    expect(screen.queryByText('Mail')).toBeNull();
  });
});

describe('self-registration', () => {
  it('gets a type with its role and features', async () => {
    const page = await openPage('/general-settings/registration', {
      ...answers,
      'PATCH /project-settings/self-registration': ({ body }) => ({
        body: {
          data: {
            simple_type: null,
            clients: (body as { clients: object[] }).clients.map((client) => ({ ...client, role: { id: uuid(20), name: 'Role 20' } })),
          },
        },
      }),
    });
    const card = await form('Self-registration');
    await page.user.click(card.getByRole('button', { name: 'Add type' }));
    await page.user.click(card.getByRole('button', { name: 'Save' }));
    expect(descriptionOf(card.getByRole('combobox', { name: /^Role/ }))).toHaveLength(1);
    await fill(page.user, card.getByRole('textbox', { name: /^Type/ }), 'Resident');
    await page.user.selectOptions(card.getByRole('combobox', { name: /^Role/ }), 'Role 20');
    await page.user.click(card.getByRole('checkbox', { name: 'SIP calls' }));
    await page.user.click(card.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(page.server.asked('PATCH', '/project-settings/self-registration')).toHaveLength(1));
    expect(page.server.asked('PATCH', '/project-settings/self-registration')[0]?.body).toEqual({
      clients: [{ type: 'Resident', role: uuid(20), license_period_days: null, features: ['mobile_app', 'identifier', 'sip'] }],
      simple_type: null,
    });
  });
});

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
  openPage('/general-settings/broker', { ...answers, 'GET /project-settings/broker': () => ({ body: { data: { ...broker, ...shown } } }), ...more });
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

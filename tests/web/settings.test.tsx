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

  it('show markers alone to who views markers', async () => {
    await openPage('/general-settings', answers, annaWith('can_view_markers'));
    await screen.findByRole('link', { name: 'Open markers' });
    const links = within(screen.getByRole('navigation', { name: 'General settings' })).getAllByRole('link');
    expect(links.map(({ textContent }) => textContent)).toEqual(['Markers']);
  });

  it.each([
    ['/general-settings', 'You do not have access to this page'],
    ['/general-settings/sip', 'You do not have access to this page'],
    ['/general-settings/nothing', 'Page not found'],
  ])('at %s somebody without their permissions reads: %s', async (path, words) => {
    await openPage(path, answers, annaWith('can_edit_profile'));
    expect((await screen.findByText(words)).textContent).toBe(words);
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

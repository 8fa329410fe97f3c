import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from './support/browser.ts';
import { type Person, sitDown } from './support/person.ts';
import { api, type RunningServer, startServer, tokenOf } from './support/server.ts';

let server: RunningServer;
let browser: Browser;
let token: string;
beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), launchBrowser()]);
  token = await tokenOf(server, 'admin');
});
afterAll(async () => {
  await browser.close();
  await server.discard();
});

interface Row {
  id: string;
  name: string;
  description: string | null;
  version: number;
}
const rowNamed = async (area: string, name: string): Promise<Row> => {
  const filters = JSON.stringify({ match: 'match_all', items: [{ field: 'name', rule: 'equals', value: name }] });
  const { body } = await api<{ data: Row[] }>(server, 'GET', `/${area}?filters=${encodeURIComponent(filters)}`, { token });
  const [row] = body.data;
  if (!row) throw new Error(`${area} has no ${name}`);
  return row;
};
const atWork = async (login = 'admin'): Promise<Person> => {
  const person = await sitDown(browser, server.url);
  await person.signIn(login);
  await person.page.waitForURL('**/home');
  return person;
};
const edit = async (person: Person, area: string, name: string): Promise<Row> => {
  const row = await rowNamed(area, name);
  await person.page.goto(`/${area}/${row.id}/edit`);
  await person.field('Name').waitFor();
  return row;
};

describe('two people editing one row', () => {
  it('the second is told, keeps what they typed, and chooses field by field', async () => {
    const person = await atWork();
    const row = await edit(person, 'groups', 'Clubhouse');
    await person.fill('Name', 'Club');
    await person.fill('Description', 'Mine');
    await api(server, 'PATCH', `/groups/${row.id}`, { token, body: { description: 'Theirs', logic_address: '44' } });
    await person.press('Save');
    await person.sees('Someone saved this entry while you were editing');
    expect((await rowNamed('groups', 'Clubhouse')).description).toBe('Theirs');
    await person.page.getByRole('radio', { name: 'Description: Theirs' }).check();
    await person.press('Continue');
    await person.told('Done');
    const stored = (await api<{ data: Row & { logic_address: string } }>(server, 'GET', `/groups/${row.id}`, { token })).body.data;
    expect([stored.name, stored.description, stored.logic_address]).toEqual(['Club', 'Theirs', '44']);
    await api(server, 'PATCH', `/groups/${row.id}`, { token, body: { name: 'Clubhouse' } });
    await person.close();
  });

  it('the second is asked nothing when nothing they typed was touched', async () => {
    const person = await atWork();
    const row = await edit(person, 'groups', 'Clubhouse');
    await person.fill('Description', 'Only mine');
    await api(server, 'PATCH', `/groups/${row.id}`, { token, body: { name: 'Elsewhere' } });
    await api(server, 'PATCH', `/groups/${row.id}`, { token, body: { name: 'Clubhouse' } });
    await person.press('Save');
    await person.told('Done');
    const stored = await rowNamed('groups', 'Clubhouse');
    expect([stored.description, stored.version - row.version]).toEqual(['Only mine', 3]);
    await person.close();
  });

  it('a row deleted meanwhile is said to be gone, and what was typed stays', async () => {
    const { body } = await api<{ data: string }>(server, 'PUT', '/markers', { token, body: { name: 'Short lived', color: '#112233' } });
    const made = await api<{ data: string }>(server, 'PUT', '/group-types', {
      token,
      body: { name: 'Pavilion', description: null, has_logic_address: true },
    });
    expect(body.data).toBeTruthy();
    const person = await atWork();
    const group = await api<{ data: string }>(server, 'PUT', '/groups', {
      token,
      body: {
        name: 'Doomed',
        description: null,
        parent_id: (await rowNamed('groups', 'Riverside')).id,
        domain_type_id: made.body.data,
        logic_address: '9',
        users: [],
        access_rules: [],
        devices: [],
        elevators: [],
        integrations: [],
        mail_templates: [],
        forward_rules: [],
        sip_number: null,
        guest_identifier_limits: { max_passes_count: null, max_period_days: null },
        device_status_notify: [],
        whitelabel: { is_enabled: false, name: null, address: null, email: null, phone: null },
        apple_wallet: {
          is_enabled: false,
          developer_name: null,
          foreground_color: '#ffffff',
          background_color: '#000000',
          label_color: '#ffffff',
          barcode_text: null,
          back_fields: null,
        },
      },
    });
    expect(group.status).toBe(200);
    await edit(person, 'groups', 'Doomed');
    await person.fill('Description', 'Typed for nothing');
    await api(server, 'DELETE', `/groups/${group.body.data}`, { token });
    await person.press('Save');
    await person.sees('This entry has been deleted meanwhile');
    expect(await person.field('Description').inputValue()).toBe('Typed for nothing');
    await person.close();
  });
});

describe('what was typed', () => {
  it('is not left without asking', async () => {
    const person = await atWork();
    await edit(person, 'groups', 'Parking');
    await person.fill('Description', 'Half a sentence');
    await person.open('Users');
    await person.page.getByRole('dialog').waitFor();
    expect(person.page.url()).toContain('/groups/');
    await person.page.getByRole('dialog').getByRole('button').first().click();
    expect(await person.field('Description').inputValue()).toBe('Half a sentence');
    await person.close();
  });

  it('survives a reload and the end of the session', async () => {
    const person = await atWork();
    await edit(person, 'groups', 'Parking');
    await person.fill('Description', 'Not to be lost');
    await person.page.waitForTimeout(800);
    person.page.on('dialog', (dialog) => void dialog.accept());
    await person.page.reload();
    await person.field('Description').waitFor();
    expect(await person.field('Description').inputValue()).toBe('Not to be lost');
    await person.sees('Your unsaved changes were brought back');

    await person.page.route('**/api/v0/**', async (route) => {
      const open = route.request().url().endsWith('/login');
      return open
        ? route.continue()
        : route.fulfill({ status: 401, json: { message: 'Unauthenticated', error: { code: 'not_authorized', message: 'Unauthenticated' } } });
    });
    await person.press('Save');
    await person.page.waitForURL(/\/login\?redirect=/);
    await person.page.unroute('**/api/v0/**');
    await person.signIn('admin');
    await person.field('Description').waitFor();
    expect(await person.field('Description').inputValue()).toBe('Not to be lost');
    await person.close();
  });

  it('is saved once, however often one presses, and when the answer is lost', async () => {
    const person = await atWork();
    await person.open('Roles');
    await person.press('Add role');
    await person.fill('Name', 'Twice');
    let sent = 0;
    await person.page.route('**/api/v0/roles', async (route) => {
      if (route.request().method() !== 'PUT') return route.continue();
      sent += 1;
      if (sent === 1) {
        await route.fetch();
        return route.abort('connectionreset');
      }
      return route.continue();
    });
    await person.page.getByRole('button', { name: 'Save', exact: true }).dblclick();
    await person.sees(/it is not known whether this was saved/);
    await person.page.getByRole('button', { name: 'Try again' }).first().click();
    await person.told('Done');
    const filters = encodeURIComponent(JSON.stringify({ match: 'match_all', items: [{ field: 'name', rule: 'equals', value: 'Twice' }] }));
    const { body } = await api<{ meta: { total: number } }>(server, 'GET', `/roles?filters=${filters}`, { token });
    expect(body.meta.total).toBe(1);
    expect(sent).toBe(2);
    await person.close();
  });
});

describe('bad input', () => {
  it('a 40-letter name, a missing group and a duplicate e-mail land on their fields', async () => {
    const person = await atWork();
    await person.open('Users');
    await person.press('Add user');
    await person.fill('Name', 'x'.repeat(40));
    await person.fill('Login', 'somebody.new');
    await person.fill('E-mail', 'concierge@riverside.example');
    await person.press('Save');
    await person.told('Check the marked fields');
    await person.frame('name').locator('.field-issue').waitFor();
    await person.frame('domains').locator('.field-issue').waitFor();
    await person.fill('Name', 'Somebody New');
    await person.choose('role', 'Resident');
    await person.choose('domains', 'Tower A');
    await person.press('Save');
    await person.frame('email').locator('.field-issue').waitFor();
    expect(await person.field('Login').inputValue()).toBe('somebody.new');
    await person.close();
  });

  it('a group in use names what depends on it before anything is deleted', async () => {
    const person = await atWork();
    await edit(person, 'groups', 'Tower B');
    await person.press('Delete');
    await person.sees(/in use/);
    await person.sees('Floor 1');
    await person.close();
  });

  it('an address with an unknown filter says what is wrong', async () => {
    const person = await atWork();
    await person.page.goto(
      `/users?filters=${encodeURIComponent(JSON.stringify({ match: 'match_all', items: [{ field: 'password_hash', rule: 'equals', value: 'x' }] }))}`,
    );
    await person.sees(/password_hash/);
    await person.close();
  });
});

import { describe, expect, it } from 'vitest';
import type { AreaName } from '#models/areas.ts';
import { expireToken } from './support/expiry.ts';
import { atWork, type Person, signedIn } from './support/person.ts';
import { change, make, named, read, type StoredRow } from './support/records.ts';
import { api } from './support/server.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();

interface Row extends StoredRow {
  description: string | null;
}
const rowNamed = async (area: AreaName, name: string): Promise<Row> => {
  const [row] = await named<Row>(stage, area, name);
  if (!row) throw new Error(`${area} has no ${name}`);
  return row;
};
const atForm = async (area: AreaName, name: string): Promise<{ person: Person; row: Row }> => {
  const row = await rowNamed(area, name);
  const person = await atWork(stage, 'admin', { at: `/${area}/${row.id}/edit` });
  await person.field('Name').waitFor();
  return { person, row };
};

describe('two people editing one row', () => {
  it('the second is told, keeps what they typed, and chooses field by field', async () => {
    const { person, row } = await atForm('groups', 'Clubhouse');
    await person.fill('Name', 'Club');
    await person.fill('Description', 'Mine');
    await change(stage, 'groups', row.id, { description: 'Theirs', logic_address: '44' });
    await person.press('Save');
    await person.sees('Someone saved this record while you were editing');
    expect((await rowNamed('groups', 'Clubhouse')).description).toBe('Theirs');
    await person.page.getByRole('radio', { name: 'Description: Theirs' }).check();
    await person.press('Continue');
    await person.showsNotice('Done');
    const stored = await read<Row & { logic_address: string }>(stage, 'groups', row.id);
    expect([stored.name, stored.description, stored.logic_address]).toEqual(['Club', 'Theirs', '44']);
    await change(stage, 'groups', row.id, { name: 'Clubhouse' });
    await person.close();
  });

  it('the second is asked nothing when nothing they typed was touched', async () => {
    const { person, row } = await atForm('groups', 'Clubhouse');
    await person.fill('Description', 'Only mine');
    await change(stage, 'groups', row.id, { name: 'Elsewhere' });
    await change(stage, 'groups', row.id, { name: 'Clubhouse' });
    await person.press('Save');
    await person.showsNotice('Done');
    const stored = await rowNamed('groups', 'Clubhouse');
    expect([stored.description, stored.version - row.version]).toEqual(['Only mine', 3]);
    await person.close();
  });

  it('a row deleted meanwhile is said to be gone, and what was typed stays', async () => {
    const domain_type_id = await make(stage, 'group-types', { name: 'Pavilion', has_logic_address: true });
    const id = await make(stage, 'groups', { name: 'Doomed', parent_id: (await rowNamed('groups', 'Riverside')).id, domain_type_id });
    const { person } = await atForm('groups', 'Doomed');
    await person.fill('Description', 'Typed for nothing');
    await api(stage.server, 'DELETE', `/groups/${id}`, { token: stage.token });
    await person.press('Save');
    await person.sees('This record has been deleted in the meantime');
    expect(await person.field('Description').inputValue()).toBe('Typed for nothing');
    await person.close();
  });
});

it('what is open to be read is edited by its button, and waits for what one types', async () => {
  const row = await rowNamed('roles', 'Resident');
  const person = await atWork(stage, 'admin', { at: `/roles/${row.id}` });
  await person.press('Edit');
  await person.fill('Description', 'Typed after reading');
  await person.press('Save');
  await person.showsNotice('Done');
  expect((await read<Row>(stage, 'roles', row.id)).description).toBe('Typed after reading');
  await person.close();
});

describe('what was typed', () => {
  it('is not left without asking', async () => {
    const { person } = await atForm('groups', 'Parking');
    await person.fill('Description', 'Half a sentence');
    await person.open('Users');
    await person.page.getByRole('dialog').waitFor();
    expect(person.page.url()).toContain('/groups/');
    await person.page.getByRole('dialog').getByRole('button').first().click();
    expect(await person.field('Description').inputValue()).toBe('Half a sentence');
    await person.close();
  });

  it('survives a reload and the end of the session', async () => {
    const { person } = await atForm('groups', 'Parking');
    await person.fill('Description', 'Not to be lost');
    await person.page.waitForTimeout(800);
    person.page.on('dialog', (dialog) => void dialog.accept());
    await person.page.reload();
    await person.field('Description').waitFor();
    expect(await person.field('Description').inputValue()).toBe('Not to be lost');
    await person.sees('Your unsaved changes were restored');

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

  it('is saved once when the token is over by then (S8)', async () => {
    const person = await signedIn(stage, 'admin');
    const row = await rowNamed('groups', 'Parking');
    await person.page.goto(`/groups/${row.id}/edit`);
    await person.fill('Description', 'Saved on the way');
    const seen = await expireToken(person.page);
    await person.press('Save');
    await person.showsNotice('Done');
    expect(await read<Row>(stage, 'groups', row.id)).toMatchObject({ description: 'Saved on the way', version: row.version + 1 });
    expect([seen.refreshes(), await person.page.locator('.alert[data-tone="bad"]').count()]).toEqual([1, 0]);
    await person.close();
  });

  it('is saved once, however often one presses, and when the answer is lost', async () => {
    const person = await atWork(stage);
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
    await person.sees(/could not confirm that your changes were saved/);
    await person.page.getByRole('button', { name: 'Try again' }).first().click();
    await person.showsNotice('Done');
    expect(await named(stage, 'roles', 'Twice')).toHaveLength(1);
    expect(sent).toBe(2);
    await person.close();
  });
});

describe('bad input', () => {
  it('a 40-letter name, a missing group and a duplicate e-mail land on their fields', async () => {
    const person = await atWork(stage);
    await person.open('Users');
    await person.press('Add user');
    await person.fill('Name', 'x'.repeat(40));
    await person.fill('Login', 'somebody.new');
    await person.fill('E-mail', 'concierge@riverside.example');
    await person.press('Save');
    await person.showsNotice('Check the marked fields');
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
    const { person } = await atForm('groups', 'Tower B');
    await person.press('Delete');
    await person.sees(/in use/);
    await person.sees('Floor 1');
    await person.close();
  });

  it('an address with an unknown filter says what is wrong', async () => {
    const filters = JSON.stringify({ match: 'match_all', items: [{ field: 'password_hash', rule: 'equals', value: 'x' }] });
    const person = await atWork(stage, 'admin', { at: `/users?filters=${encodeURIComponent(filters)}` });
    await person.sees(/password_hash/);
    await person.close();
  });
});

import { describe, expect, it } from 'vitest';
import { uuid } from '#tests/support/people.ts';
import { all, annaWith, areaPages, one, press, role, type, withWords } from './support/area-page.ts';
import { editing, id, lists, save } from './support/user-form.ts';

const open = areaPages();
const edited = editing(open);

describe('a password for somebody else', () => {
  it('must be typed twice alike; one that is made is shown once to be passed on', async () => {
    const page = await edited({ [`POST /users/${id}/password`]: () => ({ body: { data: null } }) });
    await press(withWords('.editor-buttons button', 'Actions'));
    await press('Change password');
    await page.shows('New password for Person 40');
    const [first, second] = all<HTMLInputElement>('.modal input');
    if (!first || !second) throw new Error('two lines');
    await type(first, 'Secret-2026');
    await type(second, 'Secret-2027');
    await press(one('.modal button[type="submit"]'));
    await page.shows('must match');
    expect(page.server.asked('POST', `/users/${id}/password`)).toEqual([]);
    await press('Generate password');
    await page.until('the made one', () => all('.copy-text').length === 1);
    const made = one<HTMLTextAreaElement>('.copy-text').value;
    await press('Close');
    await press(one('.modal button[type="submit"]'));
    await page.until('it was sent', () => page.server.asked('POST', `/users/${id}/password`).length === 1);
    expect(page.server.asked('POST', `/users/${id}/password`)[0]?.body).toEqual({ new_password: made });
  });
});

describe('the permissions of a role', () => {
  const boxes = () => all<HTMLInputElement>('.grant-codes input');
  const roleEditor = async (...permissions: string[]) => {
    const page = await open(
      `/roles/${uuid(20)}/edit`,
      {
        ...lists,
        [`GET /roles/${uuid(20)}`]: () => ({ body: { data: role(20, { permissions: ['can_view_backups', 'can_view_users'] }) } }),
        [`PATCH /roles/${uuid(20)}`]: () => ({ body: { data: null } }),
      },
      annaWith('can_edit_all_roles', 'can_view_all_roles', ...permissions),
    );
    await page.until('the tree', () => all('.grant-branch').length > 0);
    return page;
  };

  it('lock what one does not hold oneself, and say why', async () => {
    const page = await roleEditor('can_view_users');
    await page.shows('You can only grant permissions you have yourself');
    await type('.grant-tools input', 'view users');
    const found = all('.grant-codes label').map((label) => [
      label.textContent,
      label.querySelector('input')?.disabled,
      label.querySelector('input')?.checked,
    ]);
    expect(found).toEqual([
      ['View users’ roles', true, false],
      ['View users', false, true],
    ]);
  });

  it('are all open to those who may grant more than they hold', async () => {
    await roleEditor('can_grant_more_than_own');
    await press('Expand all');
    expect(boxes().filter(({ disabled }) => disabled)).toEqual([]);
  });

  it('are counted by area, and taken as a whole where one may', async () => {
    const page = await roleEditor('can_view_users', 'can_create_users');
    const users = all('.grant-branch').find((branch) => branch.querySelector('.grant-area')?.textContent === 'Users');
    const mark = users?.querySelector<HTMLInputElement>('input');
    expect([users?.querySelector('.grant-count')?.textContent, mark?.indeterminate]).toEqual(['1 of 6', true]);
    await press(mark as HTMLElement);
    expect(users?.querySelector('.grant-count')?.textContent).toBe('2 of 6');
    await press(mark as HTMLElement);
    await press(mark as HTMLElement);
    expect(one('.area-aside').textContent).toContain('1 field will change');
    await save();
    await page.at('/roles');
    expect(page.server.asked('PATCH', `/roles/${uuid(20)}`)[0]?.body).toEqual({
      permissions: ['can_create_users', 'can_view_backups', 'can_view_users'],
    });
  });
});

describe('the audit trail', () => {
  it('shows each field before and after, in words, and leads to the history of the row', async () => {
    const event = {
      id: uuid(80),
      version: 1,
      created_at: '2026-01-02T03:04:05.000Z',
      updated_at: '2026-01-02T03:04:05.000Z',
      area: 'users',
      entity_id: id,
      entity_name: 'Person 40',
      action: 'update',
      user: { id: uuid(1), name: 'Anna' },
      ip: '192.0.2.1',
      user_agent: 'Browser',
      changes: {
        profile: { before: { phone: null, address: null }, after: { phone: '+12025550100', address: null } },
        domains: { before: ['Tower'], after: ['Tower', 'Gate'] },
        avatar_url: { before: null, after: `/api/v0/files/${uuid(5)}` },
      },
    };
    const page = await open(`/audit-events/${uuid(80)}`, { [`GET /audit-events/${uuid(80)}`]: () => ({ body: { data: event } }) });
    await page.until('the changes', () => all('.diff tbody tr').length === 3);
    expect(all('.diff tbody tr').map((row) => [...row.children].map(({ textContent }) => textContent))).toEqual([
      ['Phone', 'Not set', '+12025550100'],
      ['Groups', '—', 'Gate'],
      ['Photo', 'Not set', 'Image'],
    ]);
    const link = one<HTMLAnchorElement>('.audit-links a');
    expect(decodeURIComponent(link.getAttribute('href') ?? '')).toContain(`{"field":"entity_id","rule":"equals","value":"${id}"}`);
    expect(all('button[type="submit"]')).toHaveLength(0);
  });
});

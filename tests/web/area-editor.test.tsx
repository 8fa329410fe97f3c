import { act } from 'react';
import { describe, expect, it } from 'vitest';
import { uuid } from '#tests/support/people.ts';
import { all, annaWith, areaPages, manyPeople, node, one, person, press, role, rowsAnswer, type, withWords } from './support/area-page.ts';
import { refused, type Seen } from './support/fake-server.ts';

const open = areaPages();
const id = uuid(40);
const item = (more: Record<string, unknown> = {}) => ({ [`GET /users/${id}`]: () => ({ body: { data: person(40, more) } }) });
const lists = {
  'GET /users': manyPeople(3),
  'GET /groups': () => rowsAnswer([{ id: uuid(30), name: 'Tower', path: ['Riverside', 'Tower'], version: 1 }]),
  'GET /roles': () => rowsAnswer([role(20, { name: 'Resident' }), role(29, { name: 'Owner', permissions: ['can_view_backups'] })]),
};
const input = (path: string): HTMLInputElement => one(`[data-path="${path}"] input`);
const issue = (path: string) => document.querySelector(`[data-path="${path}"] .field-issue`)?.textContent;
const save = (): Promise<void> => press(one('button[type="submit"]'));
const edited = async (handlers: Parameters<typeof open>[1] = {}, more: Record<string, unknown> = {}) => {
  const page = await open(`/users/${id}/edit`, { ...lists, ...item(more), ...handlers });
  await page.until('the form', () => all('[data-path="name"] input').length === 1);
  return page;
};

describe('adding', () => {
  it('checks everything first, marks every wrong field, and goes to the first', async () => {
    const page = await open('/users/add', lists);
    await page.until('the form', () => all('[data-path="name"] input').length === 1);
    await save();
    await page.shows('Check the marked fields');
    expect([issue('name'), issue('login'), issue('role'), issue('domains')]).toEqual([
      'This field is required',
      'This field is required',
      'This field is required',
      'A user must belong to at least one group',
    ]);
    const name = input('name');
    expect(document.activeElement).toBe(name);
    expect(document.getElementById(name.getAttribute('aria-describedby')?.split(' ')[0] ?? '')?.textContent).toBe('This field is required');
    expect(page.server.asked('PUT', '/users')).toEqual([]);
  });

  it('chooses rows of other areas in sheets, and sends their ids', async () => {
    const page = await open('/users/add', { ...lists, 'PUT /users': () => ({ status: 201, body: { data: uuid(77) } }) });
    await page.until('the form', () => all('[data-path="name"] input').length === 1);
    await type(input('name'), 'New Person');
    await type(input('login'), 'new');
    await press(one('[data-path="domains"] .chip-add'));
    await page.until('the groups', () => all('.sheet-line').length === 1);
    expect(one('.sheet-line').textContent).toBe('TowerRiverside');
    await press(one('.sheet-line'));
    await press('Choose 1');
    await press(one('[data-path="role"] .chip-add'));
    await page.until('the roles', () => all('.sheet-line').length === 2);
    await press(withWords('.sheet-line', 'Resident'));
    await page.until('chosen', () => one('[data-path="role"]').textContent?.includes('Resident') === true);
    await save();
    await page.at('/users');
    expect(page.server.asked('PUT', '/users')[0]?.body).toMatchObject({ name: 'New Person', login: 'new', domains: [uuid(30)], role: uuid(20) });
  });

  it('offers only roles that one may give, and says why of the others', async () => {
    const page = await open('/users/add', lists, annaWith('can_create_users', 'can_view_roles', 'can_view_all_users'));
    await page.until('the form', () => all('[data-path="role"]').length === 1);
    await press(one('[data-path="role"] .chip-add'));
    await page.until('the roles', () => all('.sheet-line').length === 2);
    const lines = all<HTMLButtonElement>('.sheet-line').map(({ textContent, disabled }) => [textContent, disabled]);
    expect(lines).toEqual([
      ['Resident', false],
      ['OwnerYour role may not assign this role', true],
    ]);
  });

  it('is refused at the address to those who may not', async () => {
    const page = await open('/users/add', lists, annaWith('can_view_all_users'));
    await page.shows('You may not do this here');
    expect(all('form')).toHaveLength(0);
  });
});

describe('editing', () => {
  it('sends only what changed, with the version it was changed from', async () => {
    const page = await edited({ [`PATCH /users/${id}`]: () => ({ body: { data: null } }) });
    await type(input('description'), 'on the fourth floor');
    expect(one('.area-aside').textContent).toContain('1 field changes');
    await save();
    await page.at('/users');
    const [request] = page.server.asked('PATCH', `/users/${id}`);
    expect([request?.body, request?.headers.get('if-match')]).toEqual([{ description: 'on the fourth floor' }, '"1"']);
  });

  it('shows at its field what only the server could find, and keeps what was typed', async () => {
    const taken = refused(409, 'email_used', 'e-mail already used');
    const page = await edited({ [`PATCH /users/${id}`]: () => taken });
    await type(input('email'), 'taken@example.org');
    await save();
    await page.until('the finding', () => issue('email') !== undefined);
    expect([input('email').value, input('email').getAttribute('aria-invalid')]).toEqual(['taken@example.org', 'true']);
    await type(input('email'), 'free@example.org');
    await page.until('no finding', () => issue('email') === undefined);
  });

  it('merges with somebody who saved first, field by field', async () => {
    const theirs = person(40, { version: 2, name: 'Theirs', profile: { phone: '+12025550100', address: null } });
    let version = 1;
    const page = await edited({
      [`PATCH /users/${id}`]: ({ headers }: Seen) => {
        if (headers.get('if-match') !== '"1"') return { body: { data: null } };
        version = 2;
        return refused(412, 'conflict', 'changed by someone else', theirs);
      },
    });
    await type(input('name'), 'Mine');
    await type(input('description'), 'my words');
    await save();
    await page.shows('Someone saved this entry while you were editing');
    const rows = all('.conflict-table tbody tr').map((row) => [...row.children].map(({ textContent }) => textContent));
    expect(rows).toEqual([
      ['Name', 'Mine', 'Theirs'],
      ['Description', 'my words', 'Not set'],
      ['Phone', 'Not set', '+12025550100'],
    ]);
    const go = all<HTMLButtonElement>('.conflict button')[0];
    expect([go?.disabled, version]).toEqual([true, 2]);
    await press(one('.conflict-table input[aria-label="Name: Theirs"]'));
    await press('Continue');
    await page.at('/users');
    const last = page.server.asked('PATCH', `/users/${id}`).at(-1);
    expect([last?.body, last?.headers.get('if-match')]).toEqual([{ description: 'my words' }, '"2"']);
  });

  it('does not ask when the newer version differs in nothing that is edited here', async () => {
    const page = await edited({
      [`PATCH /users/${id}`]: ({ headers }: Seen) =>
        headers.get('if-match') === '"1"'
          ? refused(412, 'conflict', 'changed by someone else', person(40, { version: 2, avatar_url: '/files/new' }))
          : { body: { data: null } },
    });
    await type(input('description'), 'mine');
    await save();
    await page.at('/users');
    expect(page.server.asked('PATCH', `/users/${id}`)).toHaveLength(2);
  });

  it('says that an answer was lost, and sends the same once more', async () => {
    let lost = true;
    const page = await edited({ [`PATCH /users/${id}`]: () => (lost ? new TypeError('network') : { body: { data: null } }) });
    await type(input('description'), 'mine');
    await save();
    await page.shows('The answer was lost');
    lost = false;
    await press('Try again');
    await page.at('/users');
    const keys = page.server.asked('PATCH', `/users/${id}`).map(({ headers }) => headers.get('idempotency-key'));
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
  });

  it('keeps a draft over a reload and can let it go', async () => {
    const first = await edited();
    await type(input('name'), 'Half typed');
    await act(() => new Promise((resolve) => setTimeout(resolve, 700)));
    await first.close();
    const page = await edited();
    await page.shows('Your unsaved changes were brought back');
    expect(input('name').value).toBe('Half typed');
    await press('Discard them');
    expect(input('name').value).toBe('Person 40');
  });

  it('asks before changes are left behind', async () => {
    const page = await edited();
    await type(input('name'), 'Half typed');
    await act(async () => void page.router.navigate('/roles'));
    await page.shows('Your changes are not saved');
    await press('Cancel');
    expect([page.where(), input('name').value]).toEqual([`/users/${id}/edit`, 'Half typed']);
    await act(async () => void page.router.navigate('/roles'));
    await page.shows('Your changes are not saved');
    await press('Leave');
    await page.at('/roles');
  });

  it('says when the row is not there, and keeps what was typed when it goes meanwhile', async () => {
    const gone = refused(404, 'not_found', 'item not found');
    const missing = await open(`/users/${id}/edit`, { ...lists, [`GET /users/${id}`]: () => gone });
    await missing.shows('This entry does not exist, or you may not see it');
    await missing.close();
    const page = await edited({ [`PATCH /users/${id}`]: () => gone });
    await type(input('name'), 'Typed');
    await save();
    await page.shows('What you typed is still here');
    expect(input('name').value).toBe('Typed');
  });

  it('locks of oneself what would raise oneself', async () => {
    const self = uuid(1);
    const page = await open(
      `/users/${self}/edit`,
      { ...lists, [`GET /users/${self}`]: () => ({ body: { data: person(1) } }) },
      annaWith('can_view_all_users', 'can_view_roles'),
    );
    await page.until('the form', () => all('[data-path="name"] input').length === 1);
    for (const path of ['login', 'role', 'domains', 'markers'])
      expect([path, all(`[data-path="${path}"] input, [data-path="${path}"] button`).length]).toEqual([path, 0]);
    expect(all('[data-path="description"] input')).toHaveLength(1);
  });

  it('leaves out fields whose area has no screen yet', async () => {
    await edited();
    expect(['access_rules', 'identifiers', 'sip_numbers'].filter((path) => all(`[data-path="${path}"]`).length > 0)).toEqual([]);
  });
});

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
    await press('Make a password');
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
    await page.shows('Cannot grant more than own');
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
    expect(one('.area-aside').textContent).toContain('1 field changes');
    await save();
    await page.at('/roles');
    expect(page.server.asked('PATCH', `/roles/${uuid(20)}`)[0]?.body).toEqual({
      permissions: ['can_create_users', 'can_view_backups', 'can_view_users'],
    });
  });
});

describe('an editor in a dialog', () => {
  const markers = {
    'GET /markers': () =>
      rowsAnswer([
        { id: uuid(70), name: 'VIP', color: '#112233', version: 1, created_at: '2026-01-02T03:04:05.000Z', updated_at: '2026-01-02T03:04:05.000Z' },
      ]),
  };
  it('opens over the list, approves, and the list is read anew', async () => {
    const page = await open('/markers', { ...markers, 'PUT /markers': () => ({ status: 201, body: { data: uuid(71) } }) });
    await page.shows('VIP');
    await press('Add marker');
    await page.until('the dialog', () => all('.modal form').length === 1);
    expect(all('.modal-foot button').map(({ textContent }) => textContent)).toEqual(['Cancel', 'Approve']);
    await press('Approve');
    await page.until('the finding', () => issue('name') === 'This field is required');
    const before = page.server.asked('GET', '/markers').length;
    await type(input('name'), 'Quiet');
    await press(one('.swatch[aria-label="#12805c"]'));
    await press('Approve');
    await page.until('closed', () => all('.modal').length === 0);
    expect(page.server.asked('PUT', '/markers')[0]?.body).toEqual({ name: 'Quiet', color: '#12805c' });
    await page.until('read anew', () => page.server.asked('GET', '/markers').length > before);
  });
});

describe('generated groups', () => {
  it('are proposed, looked over, and stored as a job', async () => {
    const proposed = ['Floor 1', 'Floor 2'].map((name, at) => ({ name, domain_type_id: uuid(90), logic_address: String(at + 1), children: [] }));
    const job = {
      id: uuid(61),
      kind: 'generate_groups',
      state: 'completed',
      done: 1,
      total: 1,
      file_name: null,
      failures: [],
      problem: null,
      created_at: '2026-01-02T03:04:05.000Z',
    };
    const page = await open('/groups', {
      'GET /groups': () => rowsAnswer([]),
      'GET /groups/tree': () => ({ body: { data: [node(1, null, 'Riverside')] } }),
      'GET /group-types': () => rowsAnswer([{ id: uuid(90), name: 'Floor' }]),
      [`POST /groups/${uuid(1)}/generate`]: () => ({ body: { data: { count: 2, groups: proposed } } }),
      [`POST /groups/${uuid(1)}/generated`]: () => ({ status: 202, body: { data: job } }),
    });
    await page.until('the tree', () => all('[role="treeitem"]').length === 1);
    await press(one('[role="treeitem"] button'));
    await press('Generate groups');
    await page.until('the types', () => all('.modal select option').length === 2);
    await press('Preview');
    await page.until('the finding', () => all('.modal .field-issue').length === 1);
    const select = one<HTMLSelectElement>('.modal select');
    await act(async () => {
      Reflect.set(Object.getPrototypeOf(select) as object, 'value', uuid(90), select);
      select.dispatchEvent(new Event('change', { bubbles: true }));
    });
    await press('Preview');
    await page.until('the proposal', () => all('.preview-line').length === 2);
    await type(one('.preview-line input'), 'Ground floor');
    await press(one('.preview li:nth-child(2) [aria-label="Remove Floor 2"]'));
    await press('Create 1 group');
    await page.until('the job', () => page.server.asked('POST', `/groups/${uuid(1)}/generated`).length === 1);
    expect(page.server.asked('POST', `/groups/${uuid(1)}/generated`)[0]?.body).toEqual({ groups: [{ ...proposed[0], name: 'Ground floor' }] });
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
      },
    };
    const page = await open(`/audit-events/${uuid(80)}`, { [`GET /audit-events/${uuid(80)}`]: () => ({ body: { data: event } }) });
    await page.until('the changes', () => all('.diff tbody tr').length === 2);
    expect(all('.diff tbody tr').map((row) => [...row.children].map(({ textContent }) => textContent))).toEqual([
      ['Phone', 'Not set', '+12025550100'],
      ['Groups', '—', 'Gate'],
    ]);
    const link = one<HTMLAnchorElement>('.audit-links a');
    expect(decodeURIComponent(link.getAttribute('href') ?? '')).toContain(`{"field":"entity_id","rule":"equals","value":"${id}"}`);
    expect(all('button[type="submit"]')).toHaveLength(0);
  });
});

import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineModel, describe as peel, type AnyModel } from '#models/define-model.ts';
import { groups } from '#models/groups.ts';
import { models } from '#models/index.ts';
import { allLicensed } from '#models/licence-info.ts';
import { roles } from '#models/roles.ts';
import { limit, name, optionalText, refs, wholeNumber } from '#models/rules.ts';
import { isActivated, users } from '#models/users.ts';

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const row = (n: number, called: string) => ({ id: id(n), name: called });
const stamps = { id: id(1), version: 3, created_at: '2026-01-02T03:04:05.000Z', updated_at: '2026-01-02T03:04:05.000Z' };

const anna = {
  ...stamps,
  login: 'anna',
  name: 'Anna Petrova',
  description: null,
  email: 'anna@riverside.example',
  role: row(2, 'Resident'),
  domains: [row(3, 'Tower B')],
  profile: { phone: '+12025550123', address: null },
  markers: [{ ...row(4, 'VIP'), color: '#2b5bd7' }],
  access_rules: [],
  identifiers: [],
  sip_numbers: [],
  license_info: allLicensed,
  elevator_access_disabled: false,
  avatar_url: '/files/a.png',
  mobile_clients: [],
  license_until: null,
  activated_at: 1_767_000_000,
  last_seen_at: null,
  created_by: null,
};
const newUser = { ...users.initial, login: 'boris', name: 'Boris', role: row(2, 'Resident'), domains: [row(3, 'Tower B')] };
const newGroup = { ...groups.initial, name: 'Tower B' };
const whitelabel = { is_enabled: true, name: 'Riverside', address: null, email: null, phone: null };
const towerB = {
  ...newGroup,
  ...stamps,
  description: null,
  logic_address: '2',
  parent_id: row(9, 'Riverside'),
  domain_type_id: row(8, 'House'),
  guest_identifier_limits: { max_passes_count: 5, max_period_days: null },
  device_status_notify: [{ user: row(7, 'Irina'), device_offline: true, device_task_failed: false }],
  whitelabel: { ...whitelabel, logo: '/files/logo.png' },
};

describe('a user on the way to the wire', () => {
  it('names other rows by their ids', () => {
    const wire = users.toWire(users.fromRow(anna));
    expect(wire).toMatchObject({ role: id(2), domains: [id(3)], markers: [id(4)], access_rules: [] });
  });
  it('sends empty inputs as null, also inside blocks', () => {
    expect(users.toWire(newUser)).toMatchObject({ description: null, email: null, profile: { phone: null, address: null } });
  });
  it('drops identifiers without a name', () => {
    const identifiers = [row(5, 'Blue card'), { id: id(6), name: '' }, { id: id(7) }, null];
    expect(users.toWire({ ...newUser, identifiers })['identifiers']).toEqual([id(5)]);
  });
  it('has no field that nobody writes', () => {
    const wire = users.toWire(users.fromRow(anna));
    for (const field of ['id', 'version', 'created_at', 'avatar_url', 'mobile_clients', 'activated_at', 'created_by'])
      expect(wire).not.toHaveProperty(field);
    expect(users.write.safeParse(wire).success).toBe(true);
  });
  it('asks for the registration link only when asked to', () => {
    expect(users.toWire({ ...newUser, send_registration_link: true })).toHaveProperty('send_registration_link', true);
    expect(users.fromRow(anna)['send_registration_link']).toBe(false);
    const draft = users.fromRow(anna);
    expect(users.changes({ ...draft, name: 'Anna P' }, draft)).toEqual({ name: 'Anna P' });
    expect(users.row.shape).not.toHaveProperty('send_registration_link');
  });
});

describe('a user checked as a draft', () => {
  it('is whole as a new one', () => expect(users.check(newUser)).toEqual([]));
  it('is whole as it came', () => expect(users.check(users.fromRow(anna))).toEqual([]));
  it('is told what is missing, each field once', () => {
    expect(users.check(users.initial).map(({ path, rule }) => `${path.join('.')} ${rule}`)).toEqual([
      'login username_required',
      'name required',
      'role required',
      'domains user_needs_group',
    ]);
  });
  it('needs an e-mail for the registration link', () => {
    expect(users.check({ ...newUser, send_registration_link: true })).toEqual([{ path: ['email'], rule: 'user_needs_email', params: {} }]);
    expect(users.check({ ...newUser, send_registration_link: true, email: 'b@riverside.example' })).toEqual([]);
  });
  it('hears of a bad e-mail before it hears of the link', () => {
    expect(users.check({ ...newUser, email: 'b@' })).toEqual([{ path: ['email'], rule: 'email', params: {} }]);
  });
  it('hears of a bad phone at its place', () => {
    expect(users.check({ ...newUser, profile: { phone: '12', address: '' } })).toMatchObject([{ path: ['profile', 'phone'], rule: 'phone' }]);
  });
  it('counts as activated after the registration', () => {
    expect([isActivated({ activated_at: 0 }), isActivated({ activated_at: 1 })]).toEqual([false, true]);
  });
});

describe('a group', () => {
  it('takes empty limits as none', () => {
    expect(groups.toWire(newGroup)['guest_identifier_limits']).toEqual({ max_passes_count: null, max_period_days: null });
  });
  it.each<[string, unknown, unknown]>([
    ['5', 5, []],
    [' 12 ', 12, []],
    ['3,0', 3, []],
    ['3,5', 3.5, ['number']],
    ['2.5', 2.5, ['number']],
    ['', null, []],
    ['1e3', '1e3', ['number']],
    ['0x10', '0x10', ['number']],
    ['many', 'many', ['number']],
    ['-1', -1, ['between']],
    ['100001', 100_001, ['between']],
  ])('takes %j typed as a limit as %j, with findings %j', (typed, sent, findings) => {
    const draft = { ...newGroup, guest_identifier_limits: { max_passes_count: typed, max_period_days: '' } };
    expect(groups.toWire(draft)['guest_identifier_limits']).toEqual({ max_passes_count: sent, max_period_days: null });
    expect(groups.check(draft).map(({ rule }) => rule)).toEqual(findings);
  });
  it('sends parent, type and notified people by id', () => {
    const wire = groups.toWire(groups.fromRow(towerB));
    expect(wire).toMatchObject({
      parent_id: id(9),
      domain_type_id: id(8),
      device_status_notify: [{ user: id(7), device_offline: true, device_task_failed: false }],
    });
    expect(groups.write.safeParse(wire).success).toBe(true);
  });
  it('shows the logo and never sends it', () => {
    expect(groups.fromRow(towerB)['whitelabel']).toEqual(whitelabel);
    expect(groups.toWire({ ...newGroup, whitelabel: towerB.whitelabel })['whitelabel']).toEqual(whitelabel);
    expect(groups.row.shape.whitelabel.shape).toHaveProperty('logo');
  });
  it('checks the contacts of its white label', () => {
    const draft = { ...newGroup, whitelabel: { ...whitelabel, email: 'x', phone: '1' } };
    expect(groups.check(draft).map(({ path, rule }) => `${path.join('.')} ${rule}`)).toEqual(['whitelabel.email email', 'whitelabel.phone phone']);
  });
  it('takes a chosen row taken away as none', () => {
    expect(groups.toWire({ ...newGroup, parent_id: null, domain_type_id: '' })).toMatchObject({ parent_id: null, domain_type_id: null });
  });
});

describe('a role', () => {
  const draft = {
    ...roles.initial,
    name: 'Porter',
    permissions: ['can_view_users', 'can_call_all', 'can_view_users'],
    available_roles: [row(2, 'Resident')],
  };
  it('sends permissions once each, in order, and available roles by id', () => {
    expect(roles.write.parse(roles.toWire(draft))).toMatchObject({ permissions: ['can_call_all', 'can_view_users'], available_roles: [id(2)] });
  });
  it('refuses a code that the catalogue does not have', () => {
    expect(roles.check({ ...draft, permissions: ['can_fly'] })).toMatchObject([{ path: ['permissions', 0], rule: 'one_of' }]);
  });
});

describe('changes', () => {
  const base = users.fromRow(anna);
  it('are none where nothing was changed', () => expect(users.changes(structuredClone(base), base)).toEqual({}));
  it('are none where an empty input stands for null', () => {
    expect(users.changes({ ...base, description: '', profile: { phone: '+12025550123', address: '' } }, base)).toEqual({});
  });
  it('are none where a number was typed as text', () => {
    const group = groups.fromRow(towerB);
    expect(groups.changes({ ...group, guest_identifier_limits: { max_passes_count: '5', max_period_days: '' } }, group)).toEqual({});
  });
  it('carry the whole block whose part changed', () => {
    expect(users.changes({ ...base, profile: { phone: '+12025550123', address: 'Pier 4' } }, base)).toEqual({
      profile: { phone: '+12025550123', address: 'Pier 4' },
    });
  });
  it('carry ids, and null for what was taken away', () => {
    expect(users.changes({ ...base, domains: [row(3, 'Tower B'), row(6, 'Tower C')], email: '' }, base)).toEqual({
      domains: [id(3), id(6)],
      email: null,
    });
  });
  it('are none where only the name of a chosen row changed', () => {
    expect(users.changes({ ...base, role: row(2, 'Tenant') }, base)).toEqual({});
  });
});

describe('both ways', () => {
  it.each([
    ['users', users as unknown as AnyModel, anna],
    ['groups', groups as unknown as AnyModel, towerB],
    [
      'roles',
      roles as unknown as AnyModel,
      { ...stamps, name: 'Porter', description: null, permissions: ['can_call_all'], available_roles: [row(2, 'Resident')] },
    ],
  ] as const)('a row of %s that was opened and closed changes nothing', (_name, model, stored) => {
    const draft = model.fromRow(stored);
    expect(model.changes(model.fromRow(structuredClone(stored)), draft)).toEqual({});
    expect(model.check(draft)).toEqual([]);
  });

  it.each(Object.entries(models).filter(([, { readOnly }]) => !readOnly))(
    'a new record of %s has an initial value for each field',
    (_area, model) => {
      const { fields, initial } = model as unknown as AnyModel;
      expect(Object.keys(initial).toSorted()).toEqual(Object.keys(fields).toSorted());
    },
  );

  it.each(Object.entries(models))('the row of %s shows no secret', (_area, model) => {
    const { row: shown, secrets } = model as unknown as AnyModel;
    expect(Object.keys(shown.shape).filter((field) => secrets.includes(field))).toEqual([]);
  });
  it('a row shows what is only sent when it is made where the area says so', () => {
    const { users, identifiers } = models as unknown as Record<'users' | 'identifiers', AnyModel>;
    expect([users.createOnly, 'send_registration_link' in users.row.shape]).toEqual([['send_registration_link'], false]);
    expect([identifiers.createOnly, 'type' in identifiers.row.shape]).toEqual([['type'], true]);
  });
});

describe('a model in general', () => {
  const things = defineModel({
    name: 'markers',
    fields: {
      name: name(),
      note: optionalText(),
      price: z.number().meta({ kind: 'number' }),
      size: limit(0, 9),
      parts: z.array(z.strictObject({ count: wholeNumber(0, 9), note: optionalText() })),
      owners: refs('users'),
      pin: z.string().meta({ kind: 'password', secret: true }),
    },
    shown: { made: z.int() },
    label: 'name',
    initial: { name: '', size: '' },
    filters: {},
    sorts: [],
    defaultSort: [],
    search: [],
  });
  it('reads numbers with a comma, in lists too, and leaves what was not given', () => {
    expect(things.toWire({ price: '59,939', size: '', parts: [{ count: '3', note: ' ' }], extra: 1 })).toEqual({
      price: 59.939,
      size: null,
      parts: [{ count: 3, note: null }],
    });
  });
  it('lets ids through where a draft holds ids', () => expect(things.toWire({ owners: [id(1), row(2, 'x')] })).toEqual({ owners: [id(1), id(2)] }));
  it('keeps secrets out of rows', () => {
    expect(things.secrets).toEqual(['pin']);
    expect(Object.keys(things.row.shape)).toEqual([
      'id',
      'version',
      'created_at',
      'updated_at',
      'name',
      'note',
      'price',
      'size',
      'parts',
      'owners',
      'made',
    ]);
  });
  it('takes a patch of any part and nothing else', () => {
    expect(things.patch.safeParse({ note: 'x' }).success).toBe(true);
    expect(things.patch.safeParse({ made: 1 }).success).toBe(false);
    expect(things.patch.safeParse({ id: id(1) }).success).toBe(false);
  });
  it('peels a field down to what it is', () => {
    expect(peel(limit(1, 5))).toMatchObject({ kind: 'number', min: 1, max: 5, nullable: true, optional: false });
    expect(peel(refs('users').optional())).toMatchObject({ kind: 'refs', ref: 'users', optional: true });
    expect(peel(optionalText(7))).toMatchObject({ kind: 'text', max: 7, nullable: true });
  });
});

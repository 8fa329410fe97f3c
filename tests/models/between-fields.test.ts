import { describe, expect, it } from 'vitest';
import { constants } from '#models/constants.ts';
import type { AnyModel } from '#models/define-model.ts';
import { modelOf } from '#models/registry.ts';
import type { AreaName } from '#models/areas.ts';
import { storedPassword } from '#models/stored-password.ts';

// What no field says alone: rules between the fields of a row, and what becomes of some of them on their way.

const id = '5f0c8b1e-1d3a-4f6e-9a55-2a8a0a6e9a11';
const other = '0b0e7a52-7a7a-4a0c-8f59-6b0f6f3a4c22';
const no = { mon: false, tue: false, wed: false, thu: false, fri: false, sat: false, sun: false };
const queue = (numbers: string[], phones: string[] = []) => ({ seconds: 30, numbers, phones });
const period = (days: number) => ({ from: 0, to: days * 86_400 });
const licence = (over: Record<string, unknown>) => ({ licenseInfo: { notifications: { notify_before: 14 }, ...over } });
const controller = (device: string) => ({ device, mode: 'access' });
const floor = (number: number) => ({ number, name: String(number), group: null });
const visit = (from: string | null, to: string | null) => ({ restrictPeriod: true, validatePeriod: { from, to } });
const [early, late] = ['2026-06-17T10:00:00Z', '2026-06-17T11:00:00Z'];

const cases: readonly [AreaName, string, Record<string, unknown>, string[]][] = [
  ['groups', 'forwarding that is off', { forward_settings: { is_enabled: false, queues: [] }, users: [] }, []],
  ['groups', 'forwarding without a queue', { forward_settings: { is_enabled: true, queues: [] } }, ['forward_settings.queues forward_needs_queue']],
  [
    'groups',
    'a queue that rings nobody',
    { forward_settings: { is_enabled: true, queues: [queue(['1']), queue([])] } },
    ['forward_settings.queues forward_needs_queue'],
  ],
  [
    'groups',
    'queues of numbers and of phones',
    { forward_settings: { is_enabled: true, queues: [queue(['1']), queue([], ['2'])] }, users: [id] },
    [],
  ],
  [
    'groups',
    'forwarding for nobody',
    { forward_settings: { is_enabled: true, queues: [queue(['1'])] }, users: [] },
    ['forward_settings.is_enabled forward_needs_users'],
  ],
  ['groups', 'a reminder within the licence', licence({ restrict_period: true, period: period(14) }), []],
  [
    'groups',
    'a reminder before the licence',
    licence({ restrict_period: true, period: period(13) }),
    ['licenseInfo.notifications.notify_before over_licence_period'],
  ],
  ['groups', 'a licence without end', licence({ restrict_period: false, period: period(1) }), []],
  ['elevators', 'a device and a relay once', { controllers: [controller(id), controller(other)], floors: [floor(1), floor(2)] }, []],
  ['elevators', 'a device twice', { controllers: [controller(id), controller(other), controller(id)] }, ['controllers.2.device unique']],
  ['elevators', 'a relay twice', { floors: [floor(1), floor(1)] }, ['floors.1.number unique']],
  ['amenities', 'as many at least as at most', { numberOfPersons: { min: 3, max: 3 } }, []],
  ['amenities', 'more at least than at most', { numberOfPersons: { min: 3, max: 2 } }, ['numberOfPersons.max persons']],
  [
    'amenities',
    'slots that overlap',
    { timeSlots: { duration: 60, items: [1, 2].map(() => ({ from: 0, to: 60, days: { ...no, mon: true } })) } },
    ['timeSlots.items.1.from slot_overlap'],
  ],
  ['schedules', 'weekly on no day', { repeat_mode: 'weekly', days: no }, ['days slot_needs_day']],
  ['schedules', 'every day, no day chosen', { repeat_mode: 'daily', days: no }, []],
  ['schedules', 'weekly on one day', { repeat_mode: 'weekly', days: { ...no, sun: true } }, []],
  ...(['every_two_weeks', 'monthly', 'yearly'] as const).map((repeat_mode): [AreaName, string, Record<string, unknown>, string[]] => [
    'schedules',
    `${repeat_mode} from no day on`,
    { repeat_mode, valid_from: null, valid_to: '2026-06-17' },
    ['valid_from schedule_needs_start'],
  ]),
  ['schedules', 'monthly from a day on, on no day of the week', { repeat_mode: 'monthly', valid_from: '2026-06-17', days: no }, []],
  ['schedules', 'once without a date', { repeat_mode: 'never', valid_from: null, valid_to: null }, ['valid_from schedule_needs_start']],
  ['schedules', 'once until a date', { repeat_mode: 'never', valid_from: null, valid_to: '2026-06-17' }, []],
  ['schedules', 'weekly without a date', { repeat_mode: 'weekly', valid_from: null, valid_to: null }, []],
  [
    'schedules',
    'the last day before the first',
    { repeat_mode: 'weekly', valid_from: '2026-06-18', valid_to: '2026-06-17' },
    ['valid_to date_order'],
  ],
  ['schedules', 'one day', { repeat_mode: 'weekly', valid_from: '2026-06-17', valid_to: '2026-06-17' }, []],
  ['guest-identifiers', 'a period without an end', visit(early, null), ['validatePeriod.to required']],
  ['guest-identifiers', 'a period that ends as it begins', visit(early, early), ['validatePeriod.to moment_order']],
  ['guest-identifiers', 'a period', visit(early, late), []],
  ['guest-identifiers', 'a period from now on', visit(null, late), []],
  ['guest-identifiers', 'a period that is not restricted', { restrictPeriod: false, validatePeriod: { from: late, to: early } }, []],
  ['guest-identifiers', 'passes without a number', { restrictPassCount: true, passLimit: null }, ['passLimit required']],
  ['guest-identifiers', 'passes without a limit', { restrictPassCount: false, passLimit: null }, []],
  ['guest-identifiers', 'a plate without its letters', { type: 'license_plate', value: null }, ['value required']],
  ['guest-identifiers', 'a card without a number', { type: 'card', value: 'x' }, ['value number_or_hex']],
  ['guest-identifiers', 'a code that the server makes', { type: 'access_code', value: null }, []],
  ['guest-identifiers', 'a code that is too short', { type: 'access_code', value: '1' }, ['value access_code_digits']],
  ['guest-identifiers', 'a link', { type: 'url', value: null }, []],
];

describe('between the fields of a row', () => {
  it.each(cases)('%s: %s', (area, _what, wire, wanted) => {
    const model: AnyModel = modelOf(area);
    expect(model.refine(wire).map(({ path, rule }) => `${path.join('.')} ${rule}`)).toEqual(wanted);
  });
});

describe('on the way to the wire and back', () => {
  const sent = (area: AreaName, draft: Record<string, unknown>) =>
    modelOf(area).toWire({ ...modelOf(area).initial, ...draft }) as Record<string, unknown>;
  const shown = (area: AreaName, row: Record<string, unknown>) =>
    modelOf(area).fromRow({ ...modelOf(area).initial, ...row }) as Record<string, unknown>;

  it('limits of guests that are off are not sent', () => {
    const limits = { validatePeriod: { from: early, to: late }, passLimit: '3' };
    expect(sent('guest-identifiers', { ...limits, restrictPeriod: false, restrictPassCount: false })).toMatchObject({
      validatePeriod: { from: null, to: null },
      passLimit: null,
    });
    expect(sent('guest-identifiers', { ...limits, restrictPeriod: true, restrictPassCount: true })).toMatchObject({ ...limits, passLimit: 3 });
  });
  it('rules given to guests are sent by their ids', () => {
    expect(sent('guest-identifiers', { selectedAccessRules: [{ id, name: 'Lobby' }, other] })['selectedAccessRules']).toEqual([id, other]);
  });
  it('secrets are shown as being there, and sent where they were typed anew', () => {
    expect(shown('integrations', { has_secret: true, has_password: false, certificate_info: { subject: 'us' } })).toMatchObject({
      secret: storedPassword,
      password: '',
      certificate: storedPassword,
    });
    expect(shown('integrations', { has_secret: false, has_password: true, certificate_info: null })).toMatchObject({
      secret: '',
      password: storedPassword,
      certificate: null,
    });
    expect(sent('integrations', { secret: storedPassword, password: 'typed', certificate: storedPassword })).toMatchObject({
      secret: null,
      password: 'typed',
    });
    expect(sent('integrations', { certificate: storedPassword })).not.toHaveProperty('certificate');
    expect(sent('integrations', { certificate: 'a file' })).toMatchObject({ certificate: 'a file' });
    expect([shown('sip-trunks', { has_password: true })['password'], shown('sip-trunks', { has_password: false })['password']]).toEqual([
      storedPassword,
      '',
    ]);
    expect([sent('sip-trunks', { password: storedPassword })['password'], sent('sip-trunks', { password: 'new' })['password']]).toEqual([
      null,
      'new',
    ]);
  });
  it('elevators without floors are left out of a rule, but for a rule of none else', () => {
    const opened = (elevator: string, floors: number[]) => ({ elevator, floors });
    const written = (...elevators: unknown[]) => {
      const read = modelOf('elevator-access-rules').write.safeParse({ name: 'Rule', description: null, users: [id], elevators });
      return read.success ? (read.data as { elevators: unknown }).elevators : read.error.issues.map(({ message, path }) => path.join('.') || message);
    };
    expect(written(opened(id, [3, 1]), opened(other, []), opened(id, [2, 1]))).toEqual([opened(id, [1, 2, 3])]);
    expect([written(opened(id, [])), written()]).toEqual([['elevators'], ['elevators']]);
    const rows = sent('elevator-access-rules', {
      elevators: [
        { elevator: { id, name: 'Lift' }, floors: [1] },
        { elevator: { id: other, name: 'Lift' }, floors: [] },
      ],
    });
    expect(rows['elevators']).toEqual([opened(id, [1])]);
  });
});

it.each<[AreaName, Record<string, unknown>, string[]]>([
  [
    'amenities',
    { timeSlots: { duration: 3_600, items: [] }, domains: [], accessRules: [] },
    ['domains amenity_needs_group', 'accessRules amenity_needs_rule', 'timeSlots.items amenity_needs_slot'],
  ],
  [
    'elevators',
    { domain_id: null, controllers: [], floors: [] },
    ['domain_id elevator_needs_group', 'controllers elevator_needs_controller', 'floors elevator_needs_floors'],
  ],
  ['elevator-access-rules', { users: [], elevators: [] }, ['users elevator_rule_needs_user', 'elevators elevator_rule_needs_elevator']],
  ['guest-identifiers', { selectedAccessRules: [], restrictPeriod: false }, ['selectedAccessRules guest_needs_rule']],
  ['sip-trunks', { termination_uri: 'sip.example.org', groups: [] }, ['groups trunk_needs_group']],
])('%s are nothing without what they are made of', (area, draft, wanted) => {
  const model: AnyModel = modelOf(area);
  expect(model.check({ ...model.initial, name: 'Name', ...draft }).map(({ path, rule }) => `${path.join('.')} ${rule}`)).toEqual(wanted);
});

it('a number of persons is whole, and within what an amenity takes', () => {
  const { min, max } = constants.persons;
  const model: AnyModel = modelOf('amenities');
  const wrong = (least: unknown) =>
    model
      .check({ ...model.initial, name: 'Pool', numberOfPersons: { min: least, max } })
      .flatMap(({ path, rule }) => (path.includes('min') ? [rule] : []));
  expect([wrong(min), wrong(max), wrong(min - 1), wrong(undefined), wrong('two')]).toEqual([[], [], ['persons'], ['required'], ['number']]);
});

import { describe, expect, it } from 'vitest';
import { type AnyForm, formOf } from '#models/define-form.ts';
import { accountRemovalForm } from '#models/forms/account-removal.ts';
import { importPlanForm } from '#models/forms/import-plan.ts';
import { addressRangeForm } from '#models/forms/address-range.ts';
import { alarmCommentForm } from '#models/forms/alarm-comment.ts';
import { filledLines, floorMapForm } from '#models/forms/floor-map.ts';
import { relaysForm } from '#models/forms/relays.ts';
import { callNoteForm } from '#models/forms/call-note.ts';
import { callElevatorForm } from '#models/forms/call-elevator.ts';
import { conversationForm } from '#models/forms/conversation.ts';
import { pollForm } from '#models/forms/poll.ts';
import { deviceProtocolForm } from '#models/forms/device-protocol.ts';
import { asLevel, freshLevel, generatedGroupsForm } from '#models/forms/generated-groups.ts';
import { pooledDeviceForm } from '#models/forms/pooled-device.ts';
import { licenceSettingsForm } from '#models/forms/licence-settings.ts';
import { notificationSettingsForm } from '#models/forms/notification-settings.ts';
import { numberRangeForm } from '#models/forms/number-range.ts';
import { passwordChangeForm } from '#models/forms/password-change.ts';
import { passwordRecoveryForm } from '#models/forms/password-recovery.ts';
import { passwordResetForm } from '#models/forms/password-reset.ts';
import { phoneServerForm } from '#models/forms/phone-server.ts';
import { profileForm } from '#models/forms/profile.ts';
import { registrationForm } from '#models/forms/registration.ts';
import { confirmationForm, selfRegistrationForm } from '#models/forms/self-registration.ts';
import { simpleRegistrationForm } from '#models/forms/simple-registration.ts';
import { userPasswordForm } from '#models/forms/user-password.ts';
import { generalSettingsForm } from '#models/forms/general-settings.ts';
import { mailSettingsForm } from '#models/forms/mail-settings.ts';
import { clientsForm, registrationSettingsForm } from '#models/forms/registration-settings.ts';
import { whiteLabelForm } from '#models/forms/white-label.ts';
import { walletLookForm } from '#models/forms/wallet-look.ts';
import { plainWalletLook } from '#models/wallet.ts';
import { calls } from '#models/api.ts';
import { anna, uuid } from '#tests/support/people.ts';

const on = { show: true, sound: true, popup: true, desktop: false };
const device = { model: 'Panel', serial: 'DW-0001' };
const token = 'a'.repeat(24);
const general = {
  name: 'Riverside',
  description: null,
  server_url: null,
  locale: 'en',
  time_zone_name: null,
  time_format: 'DD-MM-YYYY',
  identifier_format: 'dec',
  admin_email: null,
  notify: { device_offline: false, device_task_failed: false },
  logs_life: null,
  visitor_pictures: false,
  guest_identifier_limits: { max_passes_count: null, max_period_days: null },
  basic_license: { period_days: null, quantity: null },
};
const kinds = { registration: { simple: false, by_token: true, self: false }, password_recovery: true };
const smtp = {
  type: 'smtp',
  host: 'mail.example.org',
  port: 587,
  username: 'door',
  from_address: 'door@example.org',
  from_name: null,
  encryption: 'tls',
  domain: null,
  api_url: null,
};
const stored = { ...smtp, has_password: true };
const look = { is_enabled: true, name: null, address: null, email: null, phone: null, accent_color: '#2b5bd7', accent_text_color: '#ffffff' };

const importGiven = {
  area: 'identifiers',
  attempt: { filepath: uuid(2), file_name: 'a.csv', rows: 1, columns: [], mapping: { value: 1, name: 0 } },
};

const begun = { id: uuid(4), recipients: [{ id: uuid(3), name: 'Marcus' }] };
const photo = { id: uuid(9), url: `/api/v0/files/${uuid(9)}`, width: 4, height: 3 };
const poll = { token, answers: ['White', 'Blue'] };

/** Per form: what it is about, what is typed, and what is sent; or which rules are broken where. */
const cases: readonly [{ name: string }, unknown, object, object | string[]][] = [
  [conversationForm, begun, {}, ['title required', 'text required']],
  [
    conversationForm,
    begun,
    { title: ' Leak ', pictures: [photo] },
    { body: { title: 'Leak', recipients: [uuid(3)], text: '', pictures: [photo.id], client_id: uuid(4) } },
  ],
  [conversationForm, { id: uuid(4), recipients: [] }, { title: 'Leak', text: ' Here ' }, ['recipients required']],
  [pollForm, poll, {}, ['answer required']],
  [pollForm, poll, { chosen: '1', words: 'left over' }, { params: { token }, body: { answer: 1 } }],
  [pollForm, poll, { chosen: 'own', words: '  ' }, ['custom required']],
  [pollForm, poll, { chosen: 'own', words: ' Green ' }, { params: { token }, body: { custom: 'Green' } }],
  [pollForm, { token, answers: [] }, { words: 'Green' }, { params: { token }, body: { custom: 'Green' } }],
  [accountRemovalForm, null, {}, ['password required']],
  [addressRangeForm, { start_ip: '10.0.0.1', end_ip: '10.0.0.9' }, {}, { value: { start_ip: '10.0.0.1', end_ip: '10.0.0.9' } }],
  [addressRangeForm, { start_ip: '10.0.0.1', end_ip: '' }, { end_ip: '10.0.0.0' }, ['order invalid']],
  [addressRangeForm, { start_ip: '10.0.0.0', end_ip: '' }, { end_ip: '10.0.4.0' }, ['size invalid']],
  [addressRangeForm, { start_ip: '10.0.0.0', end_ip: '' }, { end_ip: '10.0.3.255' }, { value: { start_ip: '10.0.0.0', end_ip: '10.0.3.255' } }],
  [callElevatorForm, { id: uuid(5) }, {}, ['floor elevator_call_needs_floor']],
  [
    callElevatorForm,
    { id: uuid(5) },
    { floor: '3', direction: 'down' },
    { params: { id: uuid(5) }, body: { floor: 3, apartment: null, direction: 'down' } },
  ],
  [callElevatorForm, { id: uuid(5) }, { apartment: ' 12 ' }, { params: { id: uuid(5) }, body: { floor: null, apartment: '12', direction: 'up' } }],
  [alarmCommentForm, null, { comment: '  ' }, { value: null }],
  [alarmCommentForm, null, { comment: 'a'.repeat(5_000) }, ['comment max_length']],
  [relaysForm, { relays: [], names: ['Relay 1'] }, {}, { value: [{ number: 1, name: 'Relay 1', switch_time: 3_000, is_inverted: false }] }],
  [
    relaysForm,
    { relays: [], names: ['Relay 1'] },
    { lines: [{ number: 1, name: '', switch_time: 'x', is_inverted: false }] },
    ['name required', 'switch_time number'],
  ],
  [floorMapForm, { map: [], relays: 2 }, {}, { value: [] }],
  [floorMapForm, { map: [], relays: 1 }, { lines: filledLines(2) }, ['relay relays_out_of_range']],
  [accountRemovalForm, null, { password: 'Secret-2026' }, { body: { password: 'Secret-2026' } }],
  [importPlanForm, importGiven, { mapping: { type: 0, value: null } }, ['value required']],
  [
    importPlanForm,
    importGiven,
    {},
    { params: { area: 'identifiers' }, body: { filepath: uuid(2), mapping: { value: 1, name: 0 }, constants: { type: 'card' } } },
  ],
  [
    licenceSettingsForm,
    { basic_period_days: 30, basic_quantity: null },
    { basic_period_days: ' 40 ' },
    { body: { basic_period_days: 40, basic_quantity: null } },
  ],
  [callNoteForm, { speechId: uuid(7), note: 'Post' }, { text: '  ' }, { params: { speechId: uuid(7) }, body: { note: null } }],
  [deviceProtocolForm, { id: uuid(1), protocol: 'mqtt' }, {}, { params: { id: uuid(1) }, body: { protocol: 'mqtt' } }],
  [
    generatedGroupsForm,
    { id: uuid(1) },
    { levels: [{ ...freshLevel(1), type: uuid(2) }] },
    { params: { id: uuid(1) }, body: { levels: [asLevel({ ...freshLevel(1), type: uuid(2) })] } },
  ],
  [
    generatedGroupsForm,
    { id: uuid(1) },
    { levels: [{ ...freshLevel(1), count: 'x', except: '4-' }] },
    ['type required', 'count number', 'except invalid'],
  ],
  [pooledDeviceForm, device, {}, ['group required']],
  [pooledDeviceForm, device, { group: { id: uuid(3), name: 'Tower A' }, name: ' ' }, ['name required']],
  [pooledDeviceForm, device, { group: { id: uuid(3), name: 'Tower A' } }, { body: { serial: 'DW-0001', name: 'Panel 0001', domain: uuid(3) } }],
  [licenceSettingsForm, { basic_period_days: 30, basic_quantity: null }, { basic_period_days: '0' }, ['basic_period_days between']],
  [
    notificationSettingsForm,
    { announce_received: on, conversation_received: on },
    { announce_received: { ...on, sound: false } },
    { body: { acs: { announce_received: { ...on, sound: false } } } },
  ],
  [
    generalSettingsForm,
    { ...general, ...kinds },
    { value: '2', unit: 'weeks', max_passes_count: ' 5 ', admin_email: 'a@example.org' },
    {
      body: {
        ...general,
        admin_email: 'a@example.org',
        logs_life: { value: 2, unit: 'weeks' },
        guest_identifier_limits: { max_passes_count: 5, max_period_days: null },
      },
    },
  ],
  [generalSettingsForm, { ...general, ...kinds }, { value: 'long', quantity: 'many' }, ['value number', 'quantity number']],
  [
    registrationSettingsForm,
    { ...general, ...kinds },
    { simple: true },
    { body: { ...kinds, registration: { ...kinds.registration, simple: true } } },
  ],
  [
    clientsForm,
    { clients: [{ type: 'Resident', role: { id: uuid(20), name: 'Resident' }, license_period_days: 30, features: ['sip'] }], simple_type: 'Gone' },
    {},
    { body: { clients: [{ type: 'Resident', role: uuid(20), license_period_days: 30, features: ['sip'] }], simple_type: null } },
  ],
  [
    clientsForm,
    { clients: [], simple_type: null },
    { clients: [{ type: ' ', role: '', license_period_days: '', features: [] }] },
    ['type required', 'role required'],
  ],
  // The stored password goes with a change of the sender, and not to another server.
  [mailSettingsForm, stored, { from_name: 'Doors' }, { body: { ...smtp, from_name: 'Doors' } }],
  [mailSettingsForm, stored, { host: 'other.example.org' }, ['password password_again']],
  [mailSettingsForm, stored, { host: 'other.example.org', password: 'x' }, { body: { ...smtp, host: 'other.example.org', password: 'x' } }],
  [mailSettingsForm, stored, { username: '' }, { body: { ...smtp, username: null, password: null } }],
  [mailSettingsForm, stored, { type: 'none' }, { body: { ...smtp, type: 'none', password: null } }],
  [mailSettingsForm, { ...stored, has_password: false }, { type: 'mailgun', domain: 'mg.example.org' }, ['password required']],
  [mailSettingsForm, stored, { port: 'smtp' }, ['port number']],
  [mailSettingsForm, stored, { port: '', from_address: '' }, ['port required', 'from_address required']],
  [whiteLabelForm, { ...look, logo: null }, { name: ' Homes ' }, { body: { ...look, name: 'Homes' } }],
  [whiteLabelForm, { ...look, logo: null }, { accent_color: '#ffff00' }, ['accent_text_color contrast']],
  [walletLookForm, plainWalletLook, { developer_name: ' A ' }, { body: { ...plainWalletLook, developer_name: 'A' } }],
  [walletLookForm, plainWalletLook, { label_color: 'red' }, ['label_color color']],
  [numberRangeForm, null, { from: ' 100 ', count: '5' }, { body: { from: '100', count: 5 } }],
  [numberRangeForm, null, { from: '', count: 'many' }, ['from required', 'count number']],
  [passwordChangeForm, null, { new: 'New-123456', repeat: 'New-123457' }, ['old required', 'repeat must_match']],
  [passwordChangeForm, null, { old: 'x', new: 'short', repeat: 'other' }, ['new min_length']],
  [passwordChangeForm, null, { old: 'x', new: 'New-123456', repeat: 'New-123456' }, { body: { old: 'x', new: 'New-123456' } }],
  [phoneServerForm, null, {}, { body: { server: null } }],
  [
    phoneServerForm,
    null,
    { isOther: true, host: ' sip.example.org ', realm: ' ' },
    { body: { server: { host: 'sip.example.org', port: 7443, realm: null, secure: true } } },
  ],
  [phoneServerForm, { host: 'a.example', port: 1, realm: null, secure: false }, { isOther: false }, { body: { server: null } }],
  [profileForm, anna, {}, { body: {} }],
  [profileForm, anna, { phone: '+4930123456', name: 'Anna B.' }, { body: { name: 'Anna B.', profile: { phone: '+4930123456' } } }],
  [profileForm, anna, { email: '  ' }, { body: { email: null } }],
  [profileForm, anna, { email: 'nobody' }, ['email email']],
  [registrationForm, { token }, { password: 'Secret-2026', repeat: 'Secret-2026' }, { params: { token }, body: { password: 'Secret-2026' } }],
  [registrationForm, { token }, {}, ['password required']],
  [passwordRecoveryForm, null, { email: ' anna@example.org ' }, { body: { email: 'anna@example.org' } }],
  [passwordRecoveryForm, null, {}, ['email required']],
  [passwordRecoveryForm, null, { email: 'anna' }, ['email email']],
  [passwordResetForm, { code: token }, { password: 'Secret-2026', repeat: 'Secret-2026' }, { body: { code: token, password: 'Secret-2026' } }],
  [
    simpleRegistrationForm,
    null,
    { name: 'Ada', login: 'ada', password: 'Secret-2026', repeat: 'Secret-2026' },
    { body: { name: 'Ada', login: 'ada', password: 'Secret-2026' } },
  ],
  [simpleRegistrationForm, null, {}, ['name required', 'login username_required', 'password required']],
  [
    selfRegistrationForm,
    { project: 'riverside', type: 'Resident' },
    { user_name: 'Ada', user_email: 'ada@example.org', password: 'Secret-2026', repeat: 'Secret-2026' },
    {
      body: {
        user_name: 'Ada',
        user_email: 'ada@example.org',
        user_type: 'Resident',
        object_name: null,
        user_password: 'Secret-2026',
        project: 'riverside',
      },
    },
  ],
  [
    selfRegistrationForm,
    { project: '', type: 'Resident' },
    { password: 'x', repeat: 'y' },
    ['user_name required', 'user_email required', 'password min_length', 'repeat must_match'],
  ],
  [confirmationForm, { registration: token }, { code: '1234 5678' }, { body: { registration: token, code: '12345678' } }],
  [confirmationForm, { registration: token }, { code: '1234' }, ['code invalid']],
  [confirmationForm, { registration: token }, {}, ['code required']],
  [passwordResetForm, { code: token }, { password: 'Secret-2026', repeat: 'Secret-2027' }, ['repeat must_match']],
  [userPasswordForm, { id: uuid(1) }, { password: 'Secret-2026', repeat: 'Secret-2027' }, ['repeat must_match']],
  [
    userPasswordForm,
    { id: uuid(1) },
    { password: 'Secret-2026', repeat: 'Secret-2026' },
    { params: { id: uuid(1) }, body: { new_password: 'Secret-2026' } },
  ],
];

/** What a form makes of what was typed. */
function readingOf(form: AnyForm, given: unknown, typed: object): object | string[] {
  const base = form.start(given);
  const reading = form.read({ ...base, ...typed }, base, given);
  if ('input' in reading) return reading.input;
  return 'value' in reading ? reading : reading.issues.map(({ path, rule }) => `${path.at(-1)} ${rule}`);
}

describe('a form', () => {
  it.each(cases.map(([{ name }, given, typed, expected]) => ({ name, given, typed, expected })))(
    '$name reads $typed as $expected',
    ({ name, given, typed, expected }) => {
      expect(readingOf(formOf(name), given, typed)).toEqual(expected);
    },
  );

  it('sends what its call takes', () => {
    for (const [{ name }, , , expected] of cases) {
      const { call } = formOf(name);
      if (Array.isArray(expected) || !call) continue;
      const body = calls[call].body.safeParse((expected as { body?: unknown }).body);
      expect([name, body.success]).toEqual([name, true]);
    }
  });

  it('starts with plain data, so that its draft can be looked at and replayed', () => {
    for (const [{ name }, given] of cases) {
      const start = formOf(name).start(given);
      expect(JSON.parse(JSON.stringify(start))).toEqual(start);
    }
  });
});

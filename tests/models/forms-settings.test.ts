import { describe, expect, it } from 'vitest';
import { calls } from '#models/api.ts';
import { backupKinds } from '#models/backups.ts';
import { bulkWordFrom } from '#models/bulk.ts';
import { type AnyForm, formOf } from '#models/define-form.ts';
import { smsInitial } from '#models/sms.ts';
import { uuid } from '#tests/support/people.ts';
import '#models/forms/backup.ts';
import '#models/forms/bulk.ts';
import '#models/forms/guest-mail.ts';
import '#models/forms/mobile-settings.ts';
import '#models/forms/passkeys.ts';
import '#models/forms/saved-view.ts';
import '#models/forms/second-factor.ts';
import '#models/forms/sip-settings.ts';
import '#models/forms/sms-settings.ts';
import '#models/forms/template-mail.ts';
import '#models/forms/whitelist.ts';

const sdk = { enabled: true, has_api_key: false };
const push = { enabled: true, url: 'https://push.example.org/v1', has_token: true };
const sip = {
  early_media: true,
  nodes: ['sip.example.org'],
  auto_forward: { enabled: false, device_protocol: 'all' },
  network: { port: null, internal_ip: null, external_ip: null, rtp: null, local_networks: [] },
};
const gateway = { ...smsInitial, type: 'http', url: 'https://sms.example.org/{{phone}}', body: '{"text": "{{text}}"}', has_secret: true };
const { has_secret: _has, ...plainGateway } = gateway;
const rows = { items: [uuid(1)] };
const bulk = (action: string, total: number | null) => ({ area: 'users', action, rows, total, word: 'Удалить' });
const bulkBody = (action: string, total: number, value: string[] = []) => ({ params: { area: 'users' }, body: { action, value, total, ...rows } });
const template = { mail_type_id: 'recovery', locale: 'en', subject: 'Hello', body: '{{link}}', domain_id: null };

/** Per form: what it is about, what is typed, and what is sent; or which rules are broken where. */
const cases: readonly [name: string, given: unknown, typed: object, expected: object | string[]][] = [
  ['backup', 'Monday', { entities: backupKinds.toReversed() }, { body: { name: 'Monday', entities: [...backupKinds] } }],
  ['backup', 'Monday', { name: '' }, ['name required']],
  [
    'backup-schedule',
    { is_active: true, hour: 3, keep: 7, entities: backupKinds },
    {},
    { body: { is_active: true, hour: 3, keep: 7, entities: [...backupKinds] } },
  ],
  ['backup-schedule', { is_active: true, hour: 3, keep: 7, entities: backupKinds }, { hour: '24', keep: 'x' }, ['hour at_most', 'keep invalid']],
  ['bulk', bulk('delete', 1), {}, bulkBody('delete', 1)],
  ['bulk', bulk('delete', bulkWordFrom - 1), {}, bulkBody('delete', bulkWordFrom - 1)],
  ['bulk', bulk('delete', bulkWordFrom), { typed: 'удалит' }, ['typed bulk_word']],
  ['bulk', bulk('delete', bulkWordFrom), { typed: ' УДАЛИТЬ ' }, bulkBody('delete', bulkWordFrom)],
  ['bulk', bulk('delete', null), {}, ['total required']],
  ['bulk', bulk('delete', 0), {}, ['total required']],
  ['bulk', bulk('role', 1), {}, ['value required']],
  ['bulk', bulk('role', 1), { value: [uuid(2)] }, bulkBody('role', 1, [uuid(2)])],
  [
    'guest-mail',
    { id: uuid(1), locale: 'ru' },
    { email: 'a@example.org' },
    { params: { id: uuid(1) }, body: { email: 'a@example.org', locale: 'ru' } },
  ],
  ['guest-mail', { id: uuid(1), locale: 'ru' }, {}, ['email required']],
  ['mobile-sdk', sdk, {}, ['api_key required']],
  ['mobile-sdk', { ...sdk, has_api_key: true }, {}, { body: { enabled: true } }],
  ['mobile-sdk', sdk, { enabled: false }, { body: { enabled: false } }],
  ['mobile-sdk', sdk, { api_key: 'k'.repeat(40) }, { body: { enabled: true, api_key: 'k'.repeat(40) } }],
  ['push-server', push, {}, { body: { enabled: true, url: push.url } }],
  ['push-server', push, { url: 'https://push.example.org/v2' }, { body: { enabled: true, url: 'https://push.example.org/v2' } }],
  ['push-server', push, { url: 'https://other.example.org' }, ['token password_again']],
  [
    'push-server',
    push,
    { url: 'https://other.example.org', token: 't'.repeat(20) },
    { body: { enabled: true, url: 'https://other.example.org', token: 't'.repeat(20) } },
  ],
  ['push-server', { ...push, has_token: false }, { url: 'https://other.example.org' }, { body: { enabled: true, url: 'https://other.example.org' } }],
  ['push-server', push, { enabled: false, url: ' ' }, { body: { enabled: false, url: null } }],
  ['push-server', push, { url: '' }, ['url required']],
  ['passkey-new', { name: 'Laptop' }, {}, ['password required']],
  ['passkey-new', { name: 'Laptop' }, { password: 'Secret-2026' }, { value: { name: 'Laptop', password: 'Secret-2026' } }],
  ['passkey-rename', { id: uuid(1), name: 'Laptop' }, { name: 'Phone' }, { params: { id: uuid(1) }, body: { name: 'Phone' } }],
  ['passkey-rename', { id: uuid(1), name: 'Laptop' }, { name: ' ' }, ['name required']],
  ['passkey-remove', { id: uuid(1) }, { password: 'Secret-2026' }, { params: { id: uuid(1) }, body: { password: 'Secret-2026' } }],
  ['passkey-remove', { id: uuid(1) }, {}, ['password required']],
  [
    'saved-view',
    { area: 'users', query: 'sort=name' },
    { name: 'Mine', role: { id: uuid(3), name: 'Role' } },
    { body: { name: 'Mine', is_pinned: false, area: 'users', query: 'sort=name', role: uuid(3) } },
  ],
  ['saved-view', { area: 'users', query: '' }, { name: 'Mine' }, { body: { name: 'Mine', is_pinned: false, area: 'users', query: '', role: null } }],
  ['saved-view', { area: 'users', query: '' }, {}, ['name required']],
  ...['second-factor-begin', 'recovery-codes', 'second-factor-off'].flatMap((name): [string, unknown, object, object][] => [
    [name, undefined, { password: 'Secret-2026' }, { body: { password: 'Secret-2026' } }],
    [name, undefined, {}, ['password required']],
  ]),
  ['second-factor-confirm', undefined, { code: '123456' }, { body: { code: '123456' } }],
  ['second-factor-confirm', undefined, { code: ' ' }, ['code required']],
  [
    'sip-calls',
    sip,
    { nodes: ' a.example.org \n\nb.example.org:5061\r\n' },
    { body: { early_media: true, nodes: ['a.example.org', 'b.example.org:5061'], auto_forward: sip.auto_forward } },
  ],
  ['sip-calls', sip, { nodes: 'a.example.org\nno node' }, ['nodes url_or_ip']],
  ['sip-calls', sip, { nodes: 'a.example.org\na.example.org' }, ['nodes unique']],
  ['sip-network', sip, {}, { body: { network: sip.network } }],
  [
    'sip-network',
    sip,
    { port: '5060', min: '20000', max: '20100', internal_ip: ' 10.0.0.1 ', local_networks: '10.0.0.0/8\n' },
    {
      body: { network: { ...sip.network, port: 5_060, rtp: { min: 20_000, max: 20_100 }, internal_ip: '10.0.0.1', local_networks: ['10.0.0.0/8'] } },
    },
  ],
  ['sip-network', sip, { internal_ip: '10.0.0.1' }, ['local_networks required']],
  ['sip-network', sip, { min: '20000' }, ['max number']],
  ['sip-network', sip, { min: '20000', max: '20008' }, ['max at_least_ports']],
  ['sip-network', sip, { min: '20000', max: '20009', port: 'x' }, ['port number']],
  ['sms-settings', gateway, {}, { body: plainGateway }],
  ['sms-settings', gateway, { secret: 'typed', per_second: '7' }, { body: { ...plainGateway, secret: 'typed', per_second: 7 } }],
  ['sms-settings', gateway, { url: 'https://other.example.org/{{phone}}' }, ['secret password_again']],
  [
    'sms-settings',
    { ...gateway, has_secret: false },
    { url: 'https://other.example.org/{{phone}}' },
    { body: { ...plainGateway, url: 'https://other.example.org/{{phone}}' } },
  ],
  ['sms-settings', gateway, { type: 'none', secret: 'typed' }, { body: { ...plainGateway, type: 'none', secret: null } }],
  ['sms-settings', gateway, { body: ' ' }, ['body sms_needs_placeholders']],
  ['template-mail', { email: 'a@example.org', template }, {}, { body: { ...template, email: 'a@example.org' } }],
  ['template-mail', { email: '', template }, {}, ['email required']],
  ['whitelist', undefined, { ip: '10.0.0.0/8' }, { body: { ips: ['10.0.0.0/8'] } }],
  ['whitelist', undefined, { ip: 'nowhere' }, ['ip ip_range']],
];

describe('a form', () => {
  it.each(cases)('%s about %o reads %o as %o', (name, given, typed, expected) => {
    const form: AnyForm = formOf(name);
    const base = form.start(given);
    const reading = form.read({ ...base, ...typed }, base, given);
    const broken = 'issues' in reading ? reading.issues.map(({ path, rule }) => `${path.at(-1)} ${rule}`) : null;
    expect(broken ?? ('input' in reading ? reading.input : reading)).toEqual(expected);
  });
  it('sends what its call takes', () => {
    for (const [name, , , expected] of cases) {
      const { call } = formOf(name);
      if (Array.isArray(expected) || !call) continue;
      const { success } = calls[call].body.safeParse((expected as { body?: unknown }).body);
      expect([name, success]).toEqual([name, true]);
    }
  });
});

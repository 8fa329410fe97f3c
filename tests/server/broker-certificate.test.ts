import { createServer } from 'node:net';
import { connect as dialTls } from 'node:tls';
import { and, eq } from 'drizzle-orm';
import { connectAsync, type MqttClient } from 'mqtt';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ShownBroker } from '#models/broker.ts';
import { lengthOf } from '#models/time.ts';
import type { ServiceStatus } from '#models/system-info.ts';
import { auditEvents, notifications, projectSettings } from '#server/db/schema/index.ts';
import { readBrokerCertificate } from '#server/devices/broker-certificate.ts';
import { notifyOfCertificate } from '#server/settings/broker.ts';
import { type Certificate, certify, locked } from '#tests/support/certificates.ts';
import { codeOf, dataOf, makePerson, type Person } from './estate.ts';
import { connectPanel, devicePassword, type DeviceServer, type SavedDevice, openDeviceServer, until } from './devices-support.ts';

const day = lengthOf(1, 'day');
let side: DeviceServer;
let boss: Person;
let panel: SavedDevice;
/** Certificates by the names of their files: `broker.pem` with its key `broker.key`. */
const pems = new Map<string, string>();
const pem = (name: string): string => {
  const found = pems.get(name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
};
/** A certificate with its key for a server of this name. */
async function make(name: string, wish: Parameters<typeof certify>[1]): Promise<Certificate> {
  const names = [`${name}.example.org`, 'localhost'].map((value) => ({ type: 'dns' as const, value }));
  const good = wish?.isAuthority ? {} : { usage: 'serverAuth' as const, names: [...names, { type: 'ip' as const, value: '127.0.0.1' }] };
  const made = await certify(`CN=${name}.example.org`, { ...good, ...wish });
  pems.set(`${name}.pem`, made.cert).set(`${name}.key`, made.key);
  return made;
}

beforeAll(async () => {
  const root = await make('root', { isAuthority: true, days: 3_650 });
  const middle = await make('middle', { by: root, isAuthority: true });
  const broker = await make('broker', { by: middle });
  await make('next', { by: root });
  await make('short', { by: root, days: 20 });
  await make('client', { by: root, usage: 'clientAuth' });
  await make('weak', { by: root, kind: 'rsa:1024' });
  pems.set('locked.key', locked(broker.key, 'open sesame', 'sec1'));
  side = await openDeviceServer({ config: { mqttsPort: 0 } });
  boss = await makePerson(side.server, side.estate, {
    permissions: ['can_change_project_settings', 'can_view_system_info'],
    in: [side.estate.groups.town],
  });
  panel = await side.add({ name: 'Panel over TLS' });
});
afterAll(() => side.close());

const path = '/project-settings/broker';
const upload = (files: Record<string, string>, fields: Record<string, string> = {}, who = boss) => {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  for (const [name, text] of Object.entries(files)) body.append(name, new Blob([text]), `${name}.pem`);
  const request = new Request('http://localhost', { method: 'POST', body });
  return request
    .arrayBuffer()
    .then((bytes) => who.client.send('POST', path, Buffer.from(bytes), { 'content-type': request.headers.get('content-type') ?? '' }));
};
const whole = () => ({ certificate: pem('broker.pem'), key: pem('broker.key'), chain: pem('middle.pem') });
const issues = (answer: { json: () => unknown }): string[] =>
  (answer.json() as { data: { issues: { path: string[]; rule: string }[] } }).data.issues.map(
    ({ path: where, rule }) => `${where.join('.')} ${rule}`,
  );
const shown = async (who = boss): Promise<ShownBroker> => dataOf(await who.client.get(path));
const overTls = (port: number | null): Promise<MqttClient> =>
  connectAsync(`mqtts://localhost:${port}`, {
    clientId: panel.login,
    username: panel.login,
    password: devicePassword,
    ca: pem('root.pem'),
    reconnectPeriod: 0,
    connectTimeout: 10_000,
  });
/** The name on the certificate that is shown to whoever connects. */
const nameShown = (port: number | null): Promise<string> =>
  new Promise((done, fail) => {
    const socket = dialTls({ host: '127.0.0.1', port: port ?? 0, servername: 'localhost', ca: pem('root.pem') }, () => {
      done(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    });
    socket.on('error', fail);
  });
beforeEach(async () => {
  await boss.client.delete(path);
  await side.server.services.db.delete(notifications);
});

describe('the certificate of the broker', () => {
  it('lets devices connect over TLS from the moment it is uploaded, and is told without its key', async () => {
    expect(await shown()).toMatchObject({ kind: 'embedded', port: side.port, secure_port: null, certificate: null, is_operator: true });
    const answer = await upload(whole());
    expect(answer.statusCode).toBe(200);
    const broker = dataOf<ShownBroker>(answer);
    expect(broker.certificate).toMatchObject({ subject: 'broker.example.org', issuer: 'middle.example.org', chain: 1, state: 'valid' });
    expect(broker.certificate?.names).toEqual(['broker.example.org', 'localhost', '127.0.0.1']);
    expect(answer.body + (await boss.client.get(path)).body).not.toContain('PRIVATE');
    const device = await connectPanel(`mqtts://localhost:${broker.secure_port}`, panel.login, { ca: pem('root.pem') });
    await until(
      () => side.device(panel.id),
      ({ online }) => online === true,
    );
    await device.leave();
    const status = dataOf<ServiceStatus>(await boss.client.get('/services/broker/status'));
    expect(status).toMatchObject({ secure_port: broker.secure_port, certificate: { state: 'valid' } });
  });

  it('is stored sealed, and the trail names it without its key', async () => {
    await upload(whole());
    const { db } = side.server.services;
    const [stored] = await db.select().from(projectSettings).where(eq(projectSettings.block, 'broker'));
    expect(stored?.secretCipher).toBeTruthy();
    expect(JSON.stringify(stored)).not.toContain('PRIVATE');
    const trail = await db.select().from(auditEvents).where(eq(auditEvents.area, 'project-settings'));
    expect(JSON.stringify(trail)).toContain('broker.example.org');
    expect(JSON.stringify(trail)).not.toContain('PRIVATE');
  });

  it('is another one for new connections once it was replaced, and those that are there stay', async () => {
    const { secure_port: port } = dataOf<ShownBroker>(await upload(whole()));
    const device = await overTls(port);
    expect(await nameShown(port)).toBe('broker.example.org');
    expect((await upload({ certificate: pem('next.pem') + pem('next.key') })).statusCode).toBe(200);
    expect((await shown()).secure_port).toBe(port);
    expect(await nameShown(port)).toBe('next.example.org');
    expect(device.connected).toBe(true);
    await device.endAsync(true);
  });

  it('is still used after the broker was restarted', async () => {
    await upload(whole());
    await side.reopen();
    expect(await nameShown((await shown()).secure_port)).toBe('broker.example.org');
  });

  it('is gone once it was removed: the port is closed, and who was connected over TLS is not any more', async () => {
    const { secure_port: port } = dataOf<ShownBroker>(await upload(whole()));
    const device = await overTls(port);
    const closed = new Promise<void>((done) => device.once('close', () => done()));
    expect(dataOf<ShownBroker>(await boss.client.delete(path))).toMatchObject({ secure_port: null, certificate: null });
    await closed;
    await expect(nameShown(port)).rejects.toThrow(/ECONNREFUSED/);
    expect((await connectPanel(`mqtt://127.0.0.1:${side.port}`, panel.login)).client.connected).toBe(true);
  });

  it('takes a key with a passphrase, and keeps it without', async () => {
    const files = { ...whole(), key: pem('locked.key') };
    expect(issues(await upload(files))).toEqual(['passphrase broker_passphrase']);
    expect(issues(await upload(files, { passphrase: 'wrong' }))).toEqual(['passphrase broker_passphrase']);
    const { secure_port: port } = dataOf<ShownBroker>(await upload(files, { passphrase: 'open sesame' }));
    expect(await nameShown(port)).toBe('broker.example.org');
  });

  it.each<[what: string, files: () => Record<string, string>, issue: string]>([
    ['a file that is no certificate', () => ({ ...whole(), certificate: 'hello' }), 'certificate broker_no_certificate'],
    [
      'a broken certificate',
      () => ({ ...whole(), certificate: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' }),
      'certificate broker_no_certificate',
    ],
    ['no key', () => ({ certificate: pem('broker.pem'), chain: pem('middle.pem') }), 'key broker_no_key'],
    ['a key of another certificate', () => ({ ...whole(), key: pem('next.key') }), 'key broker_mismatch'],
    [
      'the chain before the certificate',
      () => ({ certificate: pem('middle.pem') + pem('broker.pem'), key: pem('broker.key') }),
      'certificate broker_order',
    ],
    ['a chain of others', () => ({ ...whole(), chain: pem('next.pem') }), 'chain broker_chain'],
    ['a chain in the wrong order', () => ({ ...whole(), chain: pem('root.pem') + pem('middle.pem') }), 'chain broker_chain'],
    ['a certificate for clients', () => ({ certificate: pem('client.pem'), key: pem('client.key') }), 'certificate broker_not_server'],
    ['a weak key', () => ({ certificate: pem('weak.pem'), key: pem('weak.key') }), 'certificate broker_weak'],
  ])('refuses %s, and says so', async (_what, files, issue) => {
    const answer = await upload(files());
    expect(answer.statusCode).toBe(422);
    expect(issues(answer)).toEqual([issue]);
    expect((await shown()).certificate).toBeNull();
  });

  it('is not taken before it begins or after it ended', () => {
    const readAt = (shift: number) => () => readBrokerCertificate(whole(), new Date(Date.now() + shift * day));
    expect(readAt(1)).not.toThrow();
    for (const [shift, rule] of [
      [-2, 'broker_not_yet'],
      [400, 'broker_expired'],
    ] as const)
      expect(readAt(shift)).toThrow(expect.objectContaining({ data: { issues: [{ path: ['certificate'], rule, params: {} }] } }));
  });

  it('is changed only by people of the project that runs the installation, with the right to change settings', async () => {
    const { estate, server } = side;
    const stranger = await makePerson(server, estate, {
      permissions: ['can_change_project_settings'],
      in: [estate.groups.abroad],
      project: estate.there,
    });
    const viewer = await makePerson(server, estate, { permissions: ['can_view_project_settings'], in: [estate.groups.town] });
    for (const who of [stranger, viewer]) {
      expect((await upload(whole(), {}, who)).statusCode).toBe(403);
      expect((await who.client.delete(path)).statusCode).toBe(403);
      expect((await shown(who)).certificate).toBeNull();
    }
    await upload(whole());
    expect(await shown(stranger)).toMatchObject({ certificate: { subject: 'broker.example.org' }, is_operator: false });
    const resident = await makePerson(server, estate, { permissions: [], in: [estate.groups.n1] });
    expect(codeOf(await resident.client.get(path))).toBe('forbidden');
  });

  it('says that the port could not be had', async () => {
    const taken = createServer();
    await new Promise<void>((done) => taken.listen({ host: '127.0.0.1', port: 0 }, done));
    const { port } = taken.address() as { port: number };
    Object.assign(side.server.services.config, { mqttsPort: port });
    expect(dataOf<ShownBroker>(await upload(whole()))).toMatchObject({
      secure_port: null,
      secure_port_setting: port,
      certificate: { state: 'valid' },
    });
    await new Promise((done) => taken.close(done));
    await side.server.services.deviceBroker?.refresh();
    expect((await shown()).secure_port).toBe(port);
    Object.assign(side.server.services.config, { mqttsPort: 0 });
  });

  it('is spoken of before it ends: once for each of 30, 7 and 1 days, and once when it has ended', async () => {
    const { services } = side.server;
    await upload({ certificate: pem('short.pem'), key: pem('short.key') });
    const warnings = () =>
      services.db
        .select({ data: notifications.data, readAt: notifications.readAt })
        .from(notifications)
        .where(and(eq(notifications.type, 'broker_certificate_ending'), eq(notifications.userId, boss.id)));
    const after = async (days: number) => {
      side.server.pass(days * day);
      await notifyOfCertificate(services);
      await notifyOfCertificate(services);
      return warnings();
    };
    expect((await after(0)).map(({ data }) => data)).toEqual([{ title: 'short.example.org', days: 20 }]);
    expect((await shown()).certificate?.state).toBe('ending');
    expect(await after(5)).toHaveLength(1);
    expect((await after(9)).map(({ data }) => data.days)).toEqual([20, 6]);
    expect(await after(5)).toHaveLength(3);
    const all = await after(2);
    expect(all.at(-1)?.data).toEqual({ title: 'short.example.org', has_error: true });
    expect(all.map(({ readAt }) => readAt === null)).toEqual([false, false, false, true]);
    side.server.pass(-21 * day);
    await upload(whole());
    expect((await warnings()).every(({ readAt }) => readAt !== null)).toBe(true);
  });
});

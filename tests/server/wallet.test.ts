import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { plainWalletLook, type WalletSettings } from '#models/wallet.ts';
import { auditEvents, groups, identifiers, projectWallets } from '#server/db/schema/index.ts';
import { type Certificate, certify, locked, passAuthority, passCertificate } from '#tests/support/certificates.ts';
import { buildEstate, codeOf, dataOf, type Estate, makePerson, type Person } from './estate.ts';
import { form } from './hostile-files.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let estate: Estate;
let boss: Person;
let ca: Certificate;
let pass: Certificate;
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

beforeAll(async () => {
  ca = await passAuthority();
  pass = await passCertificate(ca);
  server = await openTestServer();
  estate = await buildEstate(server.services);
  boss = await makePerson(server, estate, {
    permissions: ['can_change_project_settings', 'can_view_all_identifiers', 'can_create_guest_identifiers'],
    in: [estate.groups.town],
  });
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.services.db.delete(identifiers);
  await server.services.db.delete(projectWallets);
});

const path = '/project-settings/apple-wallet';
const upload = (content: string, who = boss, fields: Record<string, string> = {}) => {
  const { body, headers } = form(fields, Buffer.from(content), 'pass.pem', 'application/x-pem-file', 'certificate');
  return who.client.send('POST', `${path}/certificate`, body, headers);
};
const whole = (): string => pass.cert + pass.key + ca.cert;
const identifier = async (over: Partial<typeof identifiers.$inferInsert> = {}): Promise<string> => {
  const [row] = await server.services.db
    .insert(identifiers)
    .values({ projectId: estate.here, domainId: estate.groups.n1, name: 'Pass of Olga', type: 'qr', value: 'Kx7-secret_value', ...over })
    .returning();
  return row?.id ?? '';
};
const issues = (answer: { json: () => unknown }) => (answer.json() as { data: { issues: { rule: string }[] } }).data.issues.map(({ rule }) => rule);

describe('a wallet pass', () => {
  it('is a zip whose manifest names every file, signed so that phones can trace it to the issuer', async () => {
    expect((await upload(whole())).statusCode).toBe(200);
    const to = new Date('2027-01-02T10:00:00Z');
    const id = await identifier({ periodRestrictActive: true, periodRestrictTo: to, passesRestrictActive: true, passesMaxCount: 5, passesCount: 2 });
    const answer = await boss.client.get(`/identifiers/${id}/pkpass`);
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/vnd.apple.pkpass']);
    const files = unzipSync(answer.rawPayload);
    const manifest = JSON.parse(Buffer.from(files['manifest.json'] ?? []).toString()) as Record<string, string>;
    const named = Object.keys(files).filter((name) => name !== 'manifest.json' && name !== 'signature');
    expect(Object.keys(manifest).toSorted()).toEqual(named.toSorted());
    for (const name of named)
      expect(
        createHash('sha1')
          .update(files[name] ?? new Uint8Array())
          .digest('hex'),
      ).toBe(manifest[name]);
    expect(named).toEqual(expect.arrayContaining(['pass.json', 'icon.png', 'icon@2x.png', 'ru.lproj/pass.strings']));
    expect(JSON.parse(Buffer.from(files['pass.json'] ?? []).toString())).toMatchObject({
      formatVersion: 1,
      passTypeIdentifier: 'pass.org.example.door',
      teamIdentifier: 'TEAM123456',
      serialNumber: id,
      organizationName: 'Here',
      backgroundColor: 'rgb(43, 91, 215)',
      barcodes: [{ format: 'PKBarcodeFormatQR', message: 'Kx7-secret_value' }],
      expirationDate: to.toISOString(),
      generic: { primaryFields: [{ value: 'Pass of Olga' }], secondaryFields: [{ key: 'passes', value: 3 }] },
    });
  });

  it.skipIf(!hasOpenssl)('is signed as openssl, too, believes; a changed manifest is not', async () => {
    await upload(whole());
    const files = unzipSync((await boss.client.get(`/identifiers/${await identifier()}/pkpass`)).rawPayload);
    const folder = mkdtempSync(join(tmpdir(), 'wallet-'));
    const believes = (manifest: string): boolean => {
      const put = { 'manifest.json': manifest, signature: files['signature'] ?? '', 'ca.pem': ca.cert };
      for (const [name, content] of Object.entries(put)) writeFileSync(join(folder, name), content);
      const verify = ['cms', '-verify', '-inform', 'DER', '-in', 'signature', '-content', 'manifest.json', '-binary', '-CAfile', 'ca.pem'];
      return spawnSync('openssl', [...verify, '-purpose', 'any'], { cwd: folder }).status === 0;
    };
    const manifest = Buffer.from(files['manifest.json'] ?? []).toString();
    expect([believes(manifest), believes(`${manifest} `)]).toEqual([true, false]);
    rmSync(folder, { recursive: true });
  });

  it('looks as the nearest group says, else as the project does; it is void once it opens nothing', async () => {
    await upload(whole());
    const look = { ...plainWalletLook, developer_name: 'Project Ltd', background_color: '#010203' };
    expect((await boss.client.put(path, look)).statusCode).toBe(200);
    const id = await identifier({ revokedAt: server.services.now() });
    const described = async () =>
      JSON.parse(Buffer.from(unzipSync((await boss.client.get(`/identifiers/${id}/pkpass`)).rawPayload)['pass.json'] ?? []).toString()) as object;
    expect(await described()).toMatchObject({ organizationName: 'Project Ltd', backgroundColor: 'rgb(1, 2, 3)', voided: true });
    const own = { ...plainWalletLook, is_enabled: true, developer_name: 'North Ltd' };
    await server.services.db.update(groups).set({ appleWallet: own }).where(eq(groups.id, estate.groups.north));
    expect(await described()).toMatchObject({ organizationName: 'North Ltd', backgroundColor: 'rgb(43, 91, 215)' });
    await server.services.db.update(groups).set({ appleWallet: {} }).where(eq(groups.id, estate.groups.north));
  });

  it('of a guest is for the host and, on the guest’s own page, for the guest', async () => {
    await upload(whole());
    const key = 'guestkeyguestkeyguest1';
    const id = await identifier({ type: 'url', ownerType: 'guest', guestType: 'guest', keyToken: key, createdBy: boss.id });
    const host = await makePerson(server, estate, { permissions: ['can_create_guest_identifiers'], in: [estate.groups.s1] });
    expect((await boss.client.get(`/identifiers/guests/${id}/pkpass`)).statusCode).toBe(200);
    expect((await host.client.get(`/identifiers/guests/${id}/pkpass`)).statusCode).toBe(404);
    expect((await host.client.get(`/identifiers/${id}/pkpass`)).statusCode).toBe(403);
    const own = await server.as(null).get(`/guest-access/${key}/pkpass`);
    const pass = JSON.parse(Buffer.from(unzipSync(own.rawPayload)['pass.json'] ?? []).toString()) as { barcodes: { message: string }[] };
    expect(pass.barcodes[0]?.message).toMatch(new RegExp(`/guest-access/${key}$`));
    await server.services.db.update(identifiers).set({ revokedAt: server.services.now() });
    expect(codeOf(await server.as(null).get(`/guest-access/${key}/pkpass`))).toBe('guest_invalid');
  });

  it('says why there is none', async () => {
    const id = await identifier();
    expect(codeOf(await boss.client.get(`/identifiers/${id}/pkpass`))).toBe('wallet_no_certificate');
    expect(codeOf(await boss.client.get(`/identifiers/${await identifier({ type: 'card', value: '00AB' })}/pkpass`))).toBe('wallet_not_possible');
  });
});

describe('the certificate for passes', () => {
  it('is never read back, and the trail does not hold it', async () => {
    const settings = dataOf<WalletSettings>(await upload(whole()));
    expect(settings.certificate).toMatchObject({
      subject: 'Pass Type ID',
      issuer: 'Test WWDR',
      pass_type: 'pass.org.example.door',
      team: 'TEAM123456',
    });
    const [stored] = await server.services.db.select().from(projectWallets);
    const trail = await server.services.db.select().from(auditEvents).where(eq(auditEvents.area, 'wallet'));
    expect(trail.length).toBeGreaterThan(0);
    for (const text of [(await boss.client.get(path)).body, JSON.stringify(stored), JSON.stringify(trail)])
      expect([text.includes('BEGIN'), text.includes('PRIVATE')]).toEqual([false, false]);
    expect(dataOf<WalletSettings>(await boss.client.delete(`${path}/certificate`)).certificate).toBeNull();
  });

  it('may come with a key under a passphrase', async () => {
    const file = pass.cert + locked(pass.key, 'Open-Sesame', 'pkcs8') + ca.cert;
    expect(codeOf(await upload(file))).toBe('corrupted_file');
    expect((await upload(file, boss, { passphrase: 'Open-Sesame' })).statusCode).toBe(200);
  });

  const plain = () => certify('CN=No pass type', { by: ca, kind: 'rsa:2048' });
  const odd = () => certify('0.9.2342.19200300.100.1.1=pass.org.example.door, OU=TEAM123456', { by: ca, kind: 'ed25519' });
  it.each<[what: string, content: () => Promise<string> | string, rules: string[]]>([
    ['no key', () => pass.cert + ca.cert, ['wallet_needs_key']],
    ['another key', async () => pass.cert + (await plain()).key + ca.cert, ['wallet_needs_key']],
    ['no issuer', () => pass.cert + pass.key, ['wallet_needs_issuer']],
    ['a key of a kind that passes are not signed with', () => odd().then(({ cert, key }) => cert + key + ca.cert), ['wallet_key_kind']],
    ['no pass type', () => plain().then(({ cert, key }) => cert + key + ca.cert), ['wallet_not_for_passes']],
  ])('is refused with %s', async (_what, content, rules) => {
    const answer = await upload(await content());
    expect([answer.statusCode, issues(answer)]).toEqual([422, rules]);
  });

  it('is for who may change the project, and read about by who may view it', async () => {
    const viewer = await makePerson(server, estate, { permissions: ['can_view_project_settings'], in: [estate.groups.town] });
    const nobody = await makePerson(server, estate, { in: [estate.groups.town] });
    expect([(await viewer.client.get(path)).statusCode, (await nobody.client.get(path)).statusCode]).toEqual([200, 403]);
    expect([(await upload(whole(), viewer)).statusCode, (await viewer.client.put(path, plainWalletLook)).statusCode]).toEqual([403, 403]);
    expect((await viewer.client.delete(`${path}/certificate`)).statusCode).toBe(403);
    expect(codeOf(await upload('nonsense'))).toBe('corrupted_file');
  });
});

it('a pass is not signed by a certificate that has expired', async () => {
  await upload(whole());
  const id = await identifier();
  server.pass(5_000 * 86_400_000);
  const later = await makePerson(server, estate, { permissions: ['can_view_all_identifiers'], in: [estate.groups.town] });
  expect(codeOf(await later.client.get(`/identifiers/${id}/pkpass`))).toBe('wallet_certificate_expired');
});
